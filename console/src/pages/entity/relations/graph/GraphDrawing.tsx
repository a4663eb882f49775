import type { ReactNode } from 'react'
import { accuracyLabel, formatReputation, scoreText } from '../../../../parts/entity/scores.ts'
import type { LaidNode, Layout } from '../layout/layout.ts'
import { lines } from '../layout/lines.ts'
import { LABEL_SIZE, MARK, REACH } from '../layout/sizes.ts'
import type { Paint } from '../picture/paint.ts'
import { markOf } from './marks.ts'
import { NodeMark } from './NodeMark.tsx'
import type { Shown, ShownNode } from './shown.ts'

type Props = {
  shown: Shown
  layout: Layout
  paint: Paint
  /** What is around a node: what it does when it is clicked. Nothing in a file. */
  around?: (node: ShownNode, content: ReactNode) => ReactNode
}

/** Lines, marks and labels of a graph: the same on the page and in a file. */
export function GraphDrawing({ shown, layout, paint, around = (_, content) => content }: Props) {
  const at = new Map(layout.nodes.map((node) => [node.id, node]))
  return (
    <>
      <g aria-hidden fill="none" stroke={paint.dim}>
        {lines(shown, layout).map(({ key, path, dashed, across }) => (
          <path
            key={key}
            d={path}
            strokeOpacity={across ? 0.35 : 0.7}
            strokeDasharray={dashed ? '5 4' : undefined}
            data-testid="graph-line"
          />
        ))}
      </g>
      {shown.nodes.map((node) => (
        <g key={node.id}>{around(node, <Node node={node} at={at.get(node.id)!} paint={paint} />)}</g>
      ))}
    </>
  )
}

function Node({ node, at, paint }: { node: ShownNode; at: LaidNode; paint: Paint }) {
  const { type, value, reputation, accuracy, level } = node
  const { box, text, anchor } = at.label
  const x = anchor === 'middle' ? box.x + box.width / 2 : anchor === 'end' ? box.x + box.width : box.x
  return (
    <>
      {/* Also the name of the node for those who do not see it. */}
      <title>{`${type} ${value.slice(0, 2_000)}: ${scoreText(reputation, accuracy)}, accuracy ${accuracyLabel(accuracy)}`}</title>
      <g transform={`translate(${at.x} ${at.y})`}>
        {/* As large as a finger needs. */}
        <circle r={REACH} fill="transparent" />
        <NodeMark
          mark={markOf(type)}
          size={MARK}
          stroke={paint.verdict(reputation)}
          fill={paint.back}
          strong={level === 0}
        />
        <text aria-hidden textAnchor="middle" dominantBaseline="central" fontSize={11} fill={paint.ink}>
          {formatReputation(reputation)}
        </text>
      </g>
      <text
        aria-hidden
        x={x}
        y={box.y + box.height / 2}
        textAnchor={anchor}
        dominantBaseline="central"
        fontSize={LABEL_SIZE}
        fontFamily={paint.mono}
        fontWeight={level === 0 ? 700 : undefined}
        fill={paint.ink}
        stroke={paint.back}
        strokeWidth={4}
        strokeLinejoin="round"
        paintOrder="stroke"
        data-testid="graph-label"
      >
        {text}
      </text>
    </>
  )
}
