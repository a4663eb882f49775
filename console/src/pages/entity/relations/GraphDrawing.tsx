import { useMemo } from 'react'
import { Link } from 'wouter'
import { accuracyLabel, formatReputation, reputationColour, scoreText } from '../../../parts/entity/scores.ts'
import type { Graph, GraphNode } from '../answers.ts'
import { markOf } from './marks.ts'
import { NodeMark } from './NodeMark.tsx'
import { type NodePosition, rings } from './rings.ts'

const NODE = 12
/** Around the outermost nodes. */
const SPACE = { under: 100, outwards: 170, none: 40 }
/** Labels of a crowded ring would run through the marks of the next one. */
const TRACKS = { under: 1, outwards: 1, none: 4 }
type Labels = keyof typeof SPACE
/** With more nodes than that, labels would cover each other. */
const MOST_LABELS = 70
/** With more than that, labels stand in the direction of their nodes to find room. */
const MOST_UPRIGHT = 14
const LABEL_LENGTH = 26

type Props = {
  graph: Graph
  /** 1: as wide as its place. */
  zoom: number
  /** The node that the pointer or the focus is on; null: none. */
  look: (node: GraphNode | null) => void
}

/** The entity in the middle, what is related to it around it; every node is a link to its page. */
export function GraphDrawing({ graph: { nodes, relations }, zoom, look }: Props) {
  const labels = nodes.length <= MOST_UPRIGHT ? 'under' : nodes.length <= MOST_LABELS ? 'outwards' : 'none'
  const { positions, radius } = useMemo(() => rings(nodes, relations, TRACKS[labels]), [nodes, relations, labels])
  const byId = useMemo(() => new Map(positions.map((position) => [position.id, position])), [positions])
  const half = radius + SPACE[labels]
  return (
    // biome-ignore lint/a11y/useSemanticElements: links in a picture are no form
    <svg
      viewBox={`${-half} ${-half} ${2 * half} ${2 * half}`}
      width={`${100 * zoom}%`}
      style={{ display: 'block', maxHeight: zoom === 1 ? '70vh' : undefined, margin: '0 auto' }}
      role="group"
      aria-label={`${nodes.length} entities and ${relations.length} relations between them`}
      data-testid="graph"
    >
      {relations.map(({ source, target, mode }) => {
        const [from, to] = [byId.get(source), byId.get(target)]
        if (from === undefined || to === undefined) return null
        return (
          <line
            key={`${source} ${target} ${mode}`}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
            stroke="var(--mantine-color-dimmed)"
            strokeOpacity={0.5}
            strokeDasharray={mode === 'association' ? '5 4' : undefined}
          />
        )
      })}
      {nodes.map((node) => {
        const position = byId.get(node.id)
        return position && <Node key={node.id} node={node} position={position} labels={labels} look={look} />
      })}
    </svg>
  )
}

type NodeProps = { node: GraphNode; position: NodePosition; labels: Labels; look: Props['look'] }

function Node({ node, position, labels, look }: NodeProps) {
  const { id, type, value, reputation, accuracy, level } = node
  const here = () => look(node)
  const score = `${scoreText(reputation, accuracy)}, accuracy ${accuracyLabel(accuracy)}`
  return (
    <g transform={`translate(${position.x} ${position.y})`}>
      <Link
        href={`/entity/${id}`}
        className="graph-node"
        aria-label={`${type} ${value.slice(0, 200)}: ${score}`}
        data-testid="node"
        onMouseEnter={here}
        onMouseLeave={() => look(null)}
        onFocus={here}
        onBlur={() => look(null)}
      >
        <NodeMark
          mark={markOf(type)}
          size={level === 0 ? NODE * 1.4 : NODE}
          stroke={`var(--mantine-color-${reputationColour(reputation)}-filled)`}
          strong={level === 0}
        />
      </Link>
      <text
        aria-hidden
        pointerEvents="none"
        textAnchor="middle"
        dominantBaseline="central"
        fontSize={12}
        fill="var(--mantine-color-text)"
      >
        {formatReputation(reputation)}
      </text>
      {labels !== 'none' && <Label text={value} angle={labels === 'under' || level === 0 ? null : position.angle} />}
    </g>
  )
}

/** Beside the mark and away from the middle at an angle (radians); null: under it. */
function Label({ text, angle }: { text: string; angle: number | null }) {
  const short = text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH - 1)}…` : text
  const left = angle !== null && Math.cos(angle) < -1e-9
  const degrees = angle === null ? 0 : (angle * 180) / Math.PI + (left ? 180 : 0)
  const position =
    angle === null
      ? { y: 30, textAnchor: 'middle' as const }
      : {
          transform: `rotate(${degrees})`,
          x: left ? -20 : 20,
          textAnchor: left ? ('end' as const) : ('start' as const),
        }
  return (
    <text
      aria-hidden
      pointerEvents="none"
      dominantBaseline="central"
      fontSize={13}
      fill="var(--mantine-color-text)"
      fontFamily="var(--mantine-font-family-monospace)"
      {...position}
    >
      {short}
    </text>
  )
}
