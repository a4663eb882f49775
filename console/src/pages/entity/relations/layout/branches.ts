/** The entity in the middle, what hangs on it to the left and to the right, one column for each step. */

import { GAP, REACH, ROW } from './sizes.ts'

/** A node, the steps to it, whom it hangs on, and how wide its label is. Parents come first. */
export type Measured = { id: string; level: number; parent: string | null; width: number }

/** `side` says where the label stands: under the mark, or beside it; `below`: right of it, lines leave downwards. */
export type Placed = { id: string; x: number; y: number; side: 'middle' | 'left' | 'right' | 'below' }

/** From the end of the labels of a column to the marks of the next one: room for lines. */
const LINES = 70

/** Every other one that hangs on the entity stands left: nothing changes its side when something is expanded. */
export function branches(nodes: readonly Measured[]): Placed[] {
  const root = nodes.find(({ parent }) => parent === null)
  if (root === undefined) return []
  const side = sides(nodes)
  const placed: Placed[] = [{ id: root.id, x: 0, y: 0, side: 'middle' }]
  for (const of of ['right', 'left'] as const) {
    const own = nodes.filter(({ id }) => side.get(id) === of)
    const height = heights(own)
    const column = columns(own, root.width / 2)
    for (const { id, level } of own) {
      const x = column[level]!
      placed.push({ id, x: of === 'left' ? -x : x, y: height.get(id)!, side: of })
    }
  }
  return placed
}

function sides(nodes: readonly Measured[]): Map<string, 'left' | 'right'> {
  const side = new Map<string, 'left' | 'right'>()
  let turn = 0
  for (const { id, level, parent } of nodes)
    if (level === 1) side.set(id, turn++ % 2 === 0 ? 'right' : 'left')
    else if (parent !== null) side.set(id, side.get(parent)!)
  return side
}

/** Outermost nodes have a row each; others stand in the middle of what hangs on them. Around 0. */
function heights(nodes: readonly Measured[]): Map<string, number> {
  const children = Map.groupBy(nodes, ({ parent }) => parent)
  const height = new Map<string, number>()
  let rows = 0
  const place = (id: string): number => {
    const own = (children.get(id) ?? []).map((child) => place(child.id))
    const y = own.length === 0 ? ROW * rows++ : (own[0]! + own.at(-1)!) / 2
    height.set(id, y)
    return y
  }
  for (const { id, level } of nodes) if (level === 1) place(id)
  const middle = (ROW * (rows - 1)) / 2
  return new Map([...height].map(([id, y]) => [id, y - middle]))
}

/** How far out the marks of each level stand: beyond the longest label of the level before. */
function columns(nodes: readonly Measured[], first: number): number[] {
  const out = [0]
  let end = Math.max(first, REACH + GAP)
  for (let level = 1; nodes.some((node) => node.level === level); level++) {
    const x = end + LINES
    out.push(x)
    end = x + REACH + GAP + Math.max(...nodes.filter((node) => node.level === level).map(({ width }) => width))
  }
  return out
}
