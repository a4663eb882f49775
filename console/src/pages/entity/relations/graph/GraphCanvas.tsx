import { Box } from '@mantine/core'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { type Form, layout } from '../layout/layout.ts'
import { inTreeOrder, leadsTo } from '../layout/order.ts'
import { SCREEN } from '../picture/paint.ts'
import { GraphDrawing } from './GraphDrawing.tsx'
import { MOST_STEPS, type Shown, type ShownNode } from './shown.ts'

type Props = {
  shown: Shown
  form: Form
  /** 1: a unit of the drawing is a pixel. */
  zoom: number
  /** The node that is looked at, whose place on the screen stays when others come or go. */
  current: string
  look: (id: string) => void
  toggle: (id: string) => void
}

const EDGE = 12

/** The graph as a tree of nodes that are expanded and folded by pointer or keyboard: one stop for the tabulator. */
export function GraphCanvas({ shown, form, zoom, current, look, toggle }: Props) {
  const laid = useMemo(() => layout(shown.nodes, form), [shown, form])
  const frame = useRef<HTMLDivElement>(null)
  const marks = useRef(new Map<string, SVGGElement>())
  const { x, y, width, height } = laid.box
  const at = laid.nodes.find(({ id }) => id === current) ?? laid.nodes[0]!
  const seen = { x: (at.x - x) * zoom, y: (at.y - y) * zoom }
  useKept(frame, current, seen)

  const pressed = (event: KeyboardEvent, node: ShownNode) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const closes = event.key === 'ArrowLeft' && node.open && node.level > 0
    if (event.key === 'Enter' || event.key === ' ' || closes || (event.key === 'ArrowRight' && !node.open)) {
      look(node.id)
      toggle(node.id)
    } else {
      const up = event.key === 'ArrowLeft' ? node.parent : null
      const to = up ?? leadsTo(event.key, node.id, inTreeOrder(shown.nodes))
      if (to === null) return
      marks.current.get(to)?.focus()
    }
    event.preventDefault()
  }

  return (
    <Box ref={frame} style={{ overflow: 'auto', maxHeight: '75vh', minHeight: 160 }} data-testid="graph-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a tree in a picture is no form */}
      <svg
        role="group"
        aria-label="Graph of relations"
        viewBox={`${x - EDGE} ${y - EDGE} ${width + 2 * EDGE} ${height + 2 * EDGE}`}
        width={(width + 2 * EDGE) * zoom}
        height={(height + 2 * EDGE) * zoom}
        style={{ display: 'block', margin: '0 auto' }}
        data-testid="graph"
      >
        <g
          role="tree"
          aria-label={`Graph: ${shown.nodes.length} entities and ${shown.relations.length} relations between them`}
        >
          <GraphDrawing
            shown={shown}
            layout={laid}
            paint={SCREEN}
            around={(node, content) => (
              <g
                ref={(element) => void (element ? marks.current.set(node.id, element) : marks.current.delete(node.id))}
                role="treeitem"
                className="graph-node"
                tabIndex={node.id === at.id ? 0 : -1}
                aria-level={node.level + 1}
                aria-expanded={node.level < MOST_STEPS ? node.open : undefined}
                aria-selected={node.id === at.id}
                onClick={() => {
                  look(node.id)
                  toggle(node.id)
                }}
                onKeyDown={(event) => pressed(event, node)}
                onMouseMove={(event) => {
                  // What comes under a pointer that rests is not looked at.
                  if (event.movementX !== 0 || event.movementY !== 0) look(node.id)
                }}
                onFocus={() => look(node.id)}
                data-testid="node"
              >
                {content}
              </g>
            )}
          />
        </g>
      </svg>
    </Box>
  )
}

type Place = { x: number; y: number }

/** Scrolls so that the node that is looked at stays where it is on the screen while the drawing around it changes. */
function useKept(frame: React.RefObject<HTMLDivElement | null>, id: string, { x, y }: Place): void {
  const last = useRef<(Place & { id: string }) | null>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const before = last.current
    if (before === null) {
      element.scrollLeft = x - element.clientWidth / 2
      element.scrollTop = y - element.clientHeight / 2
    } else if (before.id === id) {
      element.scrollLeft += x - before.x
      element.scrollTop += y - before.y
    }
    last.current = { id, x, y }
  }, [frame, id, x, y])
}
