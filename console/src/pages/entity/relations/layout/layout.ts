/** Where the nodes of a graph around one entity stand: pure, the same graph always looks the same (ADR 241). */

import { branches, type Placed } from './branches.ts'
import { shortLabel } from './label.ts'
import { rows } from './rows.ts'
import { GAP, LABEL_HEIGHT, REACH } from './sizes.ts'

/** A rectangle: x and y of its upper left corner. */
export type Box = { x: number; y: number; width: number; height: number }

export type LaidNode = {
  id: string
  /** The middle of its mark. */
  x: number
  y: number
  label: { text: string; box: Box; anchor: 'start' | 'middle' | 'end' }
  /** Where lines to what hangs on it begin. */
  out: { x: number; y: number }
}

export type Layout = { nodes: LaidNode[]; box: Box; form: Form }

/** `branches`: to both sides of the entity. `rows`: one below the other, for narrow windows. */
export type Form = 'branches' | 'rows'

type Node = { id: string; value: string; level: number; parent: string | null }

/**
 * No two labels share a point, and no label runs over a mark.
 * @param nodes the entity first, and every other one after the one that it hangs on
 */
export function layout(nodes: readonly Node[], form: Form): Layout {
  const labels = new Map(nodes.map(({ id, value }) => [id, shortLabel(value)]))
  const measured = nodes.map(({ id, level, parent }) => ({ id, level, parent, width: labels.get(id)!.width }))
  const places = form === 'branches' ? branches(measured) : rows(measured)
  const laid = places.map((place) => laidNode(place, labels.get(place.id)!))
  return { nodes: laid, box: around(laid), form }
}

function laidNode({ id, x, y, side }: Placed, { text, width }: { text: string; width: number }): LaidNode {
  if (side === 'middle') {
    const box = { x: x - width / 2, y: y + REACH + 2, width, height: LABEL_HEIGHT }
    return { id, x, y, label: { text, box, anchor: 'middle' }, out: { x, y } }
  }
  const left = side === 'left'
  const start = left ? x - REACH - GAP - width : x + REACH + GAP
  return {
    id,
    x,
    y,
    label: {
      text,
      box: { x: start, y: y - LABEL_HEIGHT / 2, width, height: LABEL_HEIGHT },
      anchor: left ? 'end' : 'start',
    },
    out: side === 'below' ? { x, y: y + REACH } : { x: left ? start - 4 : start + width + 4, y },
  }
}

function around(nodes: readonly LaidNode[]): Box {
  const boxes = nodes.flatMap(({ x, y, label }) => [
    { x: x - REACH, y: y - REACH, width: 2 * REACH, height: 2 * REACH },
    label.box,
  ])
  const [x, y] = [Math.min(0, ...boxes.map((box) => box.x)), Math.min(0, ...boxes.map((box) => box.y))]
  const width = Math.max(0, ...boxes.map((box) => box.x + box.width)) - x
  return { x, y, width, height: Math.max(0, ...boxes.map((box) => box.y + box.height)) - y }
}
