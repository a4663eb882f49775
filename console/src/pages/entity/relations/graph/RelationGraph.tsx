import { Group, NativeSelect, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { EmptyState } from '../../../../parts/feedback/EmptyState.tsx'
import { Loading } from '../../../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../../../parts/feedback/QueryResult.tsx'
import { GraphView } from './GraphView.tsx'
import { LEVELS, NODES } from './graph-query.ts'
import { useGraph } from './useGraph.ts'

/** The entities up to three steps from the entity. */
export function RelationGraph({ id }: { id: string }) {
  const { first, shown, expansions, levels, most, beyond, choose, allow, toggle } = useGraph(id)
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
              value={String(levels)}
              onChange={choose}
            />
          </Group>
          <NativeSelect
            size="xs"
            aria-label="Maximum number of entities"
            data={NODES.map((n) => ({ value: String(n), label: `at most ${n}` }))}
            value={String(most)}
            onChange={(event) => allow(event.currentTarget.value)}
          />
        </Group>
      </Group>
      <QueryResult of={first} loading={<Loading height={320} />}>
        {() =>
          shown.nodes.length <= 1 ? (
            <EmptyState title="No relations yet">
              Relations come from reports with associations, from scans, and from users who add one.
            </EmptyState>
          ) : (
            <GraphView shown={shown} expansions={expansions} beyond={beyond} toggle={toggle} />
          )
        }
      </QueryResult>
    </Stack>
  )
}
