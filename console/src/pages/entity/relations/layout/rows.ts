/** One node below the other, each farther right than the one that it hangs on: as wide as a telephone. */

import type { Measured, Placed } from './branches.ts'
import { ROW } from './sizes.ts'

const STEP = 36

export function rows(nodes: readonly Measured[]): Placed[] {
  const children = Map.groupBy(nodes, ({ parent }) => parent)
  const placed: Placed[] = []
  const place = ({ id, level }: Measured): void => {
    placed.push({ id, x: STEP * level, y: ROW * placed.length, side: 'below' })
    for (const child of children.get(id) ?? []) place(child)
  }
  for (const root of children.get(null) ?? []) place(root)
  return placed
}
