import { ActionIcon, Group, Paper, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useState } from 'react'
import { SavePicture } from '../picture/SavePicture.tsx'
import { GraphCanvas } from './GraphCanvas.tsx'
import { GraphList } from './GraphList.tsx'
import { Legend } from './Legend.tsx'
import { NodeCard } from './NodeCard.tsx'
import type { Shown } from './shown.ts'
import type { Expansion } from './useGraph.ts'

const ZOOMS = [0.5, 0.75, 1, 1.5, 2]
const NATURAL = ZOOMS.indexOf(1)

type Props = {
  shown: Shown
  expansions: ReadonlyMap<string, Expansion>
  /** The platform left something out by itself. */
  beyond: boolean
  toggle: (id: string) => void
}

/** The drawing with all that belongs to it. */
export function GraphView({ shown, expansions, beyond, toggle }: Props) {
  const [zoom, setZoom] = useState(NATURAL)
  const [current, setCurrent] = useState(shown.nodes[0]!.id)
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const looked = shown.nodes.find(({ id }) => id === current) ?? shown.nodes[0]!
  const cut = cutText(shown.hidden, beyond)
  return (
    <Paper withBorder p="xs">
      <Group gap="xs" justify="space-between" mb="xs">
        <Text size="sm" role="status" data-testid="truncated">
          {cut === ''
            ? ''
            : `${cut}: those that were seen last come first. Choose a higher maximum, open the page of a node, or use the list below.`}
        </Text>
        <Group gap="sm">
          <SavePicture shown={shown} cut={cut} />
          <Group gap={4}>
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
        </Group>
      </Group>
      <GraphCanvas
        shown={shown}
        form={narrow ? 'rows' : 'branches'}
        zoom={ZOOMS[zoom]!}
        current={looked.id}
        look={setCurrent}
        toggle={(id) => {
          if (id !== shown.nodes[0]!.id) toggle(id)
        }}
      />
      <NodeCard node={looked} expansion={expansions.get(looked.id)} />
      <Legend />
      <GraphList shown={shown} toggle={toggle} />
    </Paper>
  )
}

/** `12 more not shown`; empty where everything is. */
function cutText(hidden: number, beyond: boolean): string {
  if (hidden === 0) return beyond ? 'Not all entities are shown' : ''
  return `${beyond ? 'More than ' : ''}${hidden} more not shown`
}
