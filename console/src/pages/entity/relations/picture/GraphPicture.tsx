import type { Ref } from 'react'
import { formatReputation, reputationLabel } from '../../../../parts/entity/scores.ts'
import { GraphDrawing } from '../graph/GraphDrawing.tsx'
import { MARKS, SCORES } from '../graph/marks.ts'
import { NodeMark } from '../graph/NodeMark.tsx'
import type { Shown } from '../graph/shown.ts'
import { shortLabel } from '../layout/label.ts'
import { layout } from '../layout/layout.ts'
import { PICTURE } from './paint.ts'

type Props = {
  shown: Shown
  /** Unix milliseconds. */
  at: number
  /** What is left out, in words; empty: nothing. */
  cut: string
  drawing: Ref<SVGSVGElement>
}

const EDGE = 24
const TITLE = 56
const LEGEND = 64
const LEAST_WIDTH = 820
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

/** The graph as it is in a file: light, with a title, the moment and what the marks mean. */
export function GraphPicture({ shown, at, cut, drawing }: Props) {
  const laid = layout(shown.nodes, 'branches')
  const { x, y, width: own, height } = laid.box
  const width = Math.max(own, LEAST_WIDTH) + 2 * EDGE
  const left = x + own / 2 - width / 2
  const top = y - EDGE - TITLE
  const all = height + 2 * EDGE + TITLE + LEGEND
  const bottom = top + all - LEGEND
  const root = shown.nodes[0]!
  return (
    <svg
      ref={drawing}
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`${left} ${top} ${width} ${all}`}
      width={width}
      height={all}
      fontFamily={SANS}
    >
      <title>{`Relations of ${root.value}`}</title>
      <rect x={left} y={top} width={width} height={all} fill={PICTURE.back} />
      <text x={left + EDGE} y={top + 32} fontSize={18} fontWeight={700} fill={PICTURE.ink}>
        {`Relations of ${root.type} ${shortLabel(root.value).text}`}
      </text>
      <text x={left + EDGE} y={top + 54} fontSize={12} fill={PICTURE.ink}>
        {`${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC · ${shown.nodes.length} entities, ${shown.relations.length} relations (solid: part of; dashed: related to)${cut === '' ? '' : ` · ${cut}`}`}
      </text>
      <GraphDrawing shown={shown} layout={laid} paint={PICTURE} />
      {MARKS.map(({ mark, meaning }, i) => (
        <g key={mark} transform={`translate(${left + EDGE + 10 + 205 * i} ${bottom + 16})`} fontSize={12}>
          <NodeMark mark={mark} size={8} stroke={PICTURE.dim} fill={PICTURE.back} />
          <text x={16} dominantBaseline="central" fill={PICTURE.ink}>
            {meaning}
          </text>
        </g>
      ))}
      {SCORES.map((score, i) => (
        <g key={score} transform={`translate(${left + EDGE + 10 + 106 * i} ${bottom + 44})`} fontSize={12}>
          <circle r={9} fill={PICTURE.back} stroke={PICTURE.verdict(score)} strokeWidth={2} />
          <text fontSize={9} textAnchor="middle" dominantBaseline="central" fill={PICTURE.ink}>
            {formatReputation(score)}
          </text>
          <text x={16} dominantBaseline="central" fill={PICTURE.ink}>
            {reputationLabel(score)}
          </text>
        </g>
      ))}
    </svg>
  )
}
