import type { Shown } from '../graph/shown.ts'
import type { LaidNode, Layout } from './layout.ts'
import { REACH } from './sizes.ts'

export type Line = { key: string; path: string; dashed: boolean; across: boolean }

/** One line for each relation; `across`: between two nodes of which neither hangs on the other. */
export function lines({ nodes, relations }: Shown, { nodes: laid, form }: Layout): Line[] {
  const at = new Map(laid.map((node) => [node.id, node]))
  const parent = new Map(nodes.map(({ id, parent }) => [id, parent]))
  return relations.map(({ source, target, mode }) => {
    const key = `${source} ${target} ${mode}`
    const dashed = mode === 'association'
    const [from, to] = [at.get(source)!, at.get(target)!]
    if (parent.get(target) === source) return { key, dashed, across: false, path: branch(from, to, form) }
    if (parent.get(source) === target) return { key, dashed, across: false, path: branch(to, from, form) }
    return { key, dashed, across: true, path: bow(from, to) }
  })
}

/** From the label of a node, which stands outwards of it, to the mark of what hangs on it. */
function branch({ out }: LaidNode, to: LaidNode, form: Layout['form']): string {
  if (form === 'rows') return `M${out.x} ${out.y}V${to.y}H${to.x - REACH}`
  const end = to.x > out.x ? to.x - REACH : to.x + REACH
  const middle = (out.x + end) / 2
  return `M${out.x} ${out.y}C${middle} ${out.y} ${middle} ${to.y} ${end} ${to.y}`
}

/** A bow between two marks, so that those of one column are seen beside it. */
function bow(from: LaidNode, to: LaidNode): string {
  const inwards = from.x + to.x >= 0 ? -1 : 1
  const x = (from.x + to.x) / 2 + inwards * Math.min(60, 15 + Math.abs(to.y - from.y) / 6)
  return `M${from.x} ${from.y}Q${x} ${(from.y + to.y) / 2} ${to.x} ${to.y}`
}
