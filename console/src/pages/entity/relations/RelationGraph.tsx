import { ActionIcon, Box, Group, NativeSelect, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { scoreText } from '../../../parts/entity/scores.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { Loading } from '../../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { useAddress } from '../address.ts'
import type { Graph, GraphNode } from '../answers.ts'
import { GraphDrawing } from './GraphDrawing.tsx'
import { GraphList } from './GraphList.tsx'
import { graphQuery, LEVELS, NODES } from './graph-query.ts'
import { MARKS } from './marks.ts'
import { NodeMark } from './NodeMark.tsx'

/** The entities up to three steps from the entity. */
export function RelationGraph({ id }: { id: string }) {
  const [params, say] = useAddress()
  const query = graphQuery(params)
  const graph = api.useQuery(
    'get',
    '/api/analytics/v1/entity/{id}/relations',
    { params: { path: { id }, query: query } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack gap="sm" component="section" aria-labelledby="graph">
      <Group justify="space-between" align="end" gap="xs">
        <Title order={2} size="h4" id="graph">
          Graph
        </Title>
        <Group gap="sm">
          <Group gap={6}>
            <Text size="xs" id="steps">
              Steps
            </Text>
            <SegmentedControl
              size="xs"
              aria-labelledby="steps"
              data={LEVELS.map(String)}
              value={String(query.levels)}
              onChange={(levels) => say({ levels })}
            />
          </Group>
          <NativeSelect
            size="xs"
            aria-label="Maximum number of entities"
            data={NODES.map((n) => ({ value: String(n), label: `at most ${n}` }))}
            value={String(query.limit)}
            onChange={(event) => say({ nodes: event.currentTarget.value })}
          />
        </Group>
      </Group>
      <QueryResult of={graph} loading={<Loading height={320} />}>
        {(around) =>
          around.nodes.length <= 1 ? (
            <EmptyState title="No relations yet">
              Relations come from reports with associations, from scans, and from users who add one.
            </EmptyState>
          ) : (
            <GraphView graph={around} />
          )
        }
      </QueryResult>
    </Stack>
  )
}

const ZOOMS = [1, 1.5, 2, 3, 4]

function GraphView({ graph }: { graph: Graph }) {
  const [zoom, setZoom] = useState(0)
  const [focused, setFocused] = useState<GraphNode | null>(null)
  return (
    <Paper withBorder p="xs">
      {graph.truncated && (
        <Text size="sm" role="status" data-testid="truncated">
          Only the entities that were seen last are shown. Choose a higher maximum, or use the list below.
        </Text>
      )}
      <Group gap={4} justify="end">
        <ActionIcon
          variant="default"
          aria-label="Zoom out"
          disabled={zoom === 0}
          onClick={() => setZoom((step) => Math.max(0, step - 1))}
        >
          <IconZoomOut size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label="Zoom in"
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom((step) => Math.min(ZOOMS.length - 1, step + 1))}
        >
          <IconZoomIn size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Box style={{ overflow: 'auto', maxHeight: '75vh' }} tabIndex={0} role="region" aria-label="Graph of relations">
        <GraphDrawing graph={graph} zoom={ZOOMS[zoom]!} look={setFocused} />
      </Box>
      <Text size="sm" h={22} truncate data-testid="looked">
        {focused
          ? `${focused.type} ${focused.value} · ${scoreText(focused.reputation, focused.accuracy)}${focused.tags.length > 0 ? ` · ${focused.tags.slice(0, 8).join(', ')}` : ''}`
          : ''}
      </Text>
      <Legend />
      <GraphList nodes={graph.nodes} />
    </Paper>
  )
}

function Legend() {
  return (
    <Group mb="xs" style={{ gap: '4px 16px' }}>
      {MARKS.map(({ mark, meaning }) => (
        <Group key={mark} gap={6} wrap="nowrap">
          <svg width={16} height={16} viewBox="-10 -10 20 20" aria-hidden>
            <NodeMark mark={mark} size={7} stroke="var(--mantine-color-dimmed)" />
          </svg>
          <Text size="xs">{meaning}</Text>
        </Group>
      ))}
      <Text size="xs">Solid line: part of; dashed line: related to</Text>
    </Group>
  )
}
