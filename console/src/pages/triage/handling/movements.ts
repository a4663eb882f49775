import type { Item } from '../feed.ts'
import type { LiveUpdates } from '../live-list.ts'

/** Reputations before the last movement, by the id of the entity. */
export type Movements = ReadonlyMap<string, number>

/**
 * Which scores moved, and from where: against what was brought onto the screen, else what was known to have moved then, else
 * what the stream of changes told.
 * @param before as it was brought onto the screen
 * @param carried movements that were known then
 */
export function movementsOf(
  now: readonly Item[],
  before: readonly Item[],
  carried: Movements,
  updates: LiveUpdates,
): Movements {
  const known = new Map(before.map(({ id, reputation }) => [id, reputation]))
  const moved = new Map<string, number>()
  for (const { id, reputation } of now) {
    const from = [known.get(id), carried.get(id), updates.get(id)?.previous].find(
      (one) => one !== undefined && one !== null && one !== reputation,
    )
    if (from !== undefined && from !== null) moved.set(id, from)
  }
  return moved
}
