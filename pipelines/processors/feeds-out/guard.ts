import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { FeedGuard } from '../../../schemas/feeds-out/feed.ts'

/** The guard compares a list with what it was so long ago (decisions 11.4). */
export const GUARD_WINDOW_MS = 60_000
/** Of more comings and goings in a minute only their numbers are compared. */
export const GUARD_MOST = 200_000

/** An item that came into a list, or went out of it, at `time` (unix milliseconds). */
export type Passed = { time: number; entityId: string; added: boolean }

/**
 * What came into a list and went out of it within the last minute.
 * @param before what a process of before has stored of that, in order
 */
export function recentSteps(before: readonly Passed[] = []) {
  let passed: Passed[] = [...before]
  let start = 0

  function expire(now: number): void {
    while (start < passed.length && passed[start]!.time <= now - GUARD_WINDOW_MS) start++
    if (start > 1_000 && start * 2 > passed.length) {
      passed = passed.slice(start)
      start = 0
    }
  }

  /** Entities of the list of then that are not in the list of now, after these steps too. */
  function lostWith(next: readonly Passed[]): number {
    const seen = new Map<string, { was: boolean; is: boolean }>()
    const look = ({ entityId, added }: Passed): void => {
      const known = seen.get(entityId)
      if (known === undefined) seen.set(entityId, { was: !added, is: added })
      else known.is = added
    }
    for (let i = start; i < passed.length; i++) look(passed[i]!)
    for (const one of next) look(one)
    let lost = 0
    for (const { was, is } of seen.values()) if (was && !is) lost++
    return lost
  }

  const passing = (deltas: readonly FeedDelta[], now: number): Passed[] =>
    deltas
      .filter(({ op }) => op !== 'update')
      .map(({ op, item }) => ({ time: now, entityId: item.entityId, added: op === 'add' }))

  const net = (steps: readonly Passed[], from: number): number => {
    let sum = 0
    for (let i = from; i < steps.length; i++) sum += steps[i]!.added ? 1 : -1
    return sum
  }

  return {
    /** These steps went out at `now`, unix milliseconds. */
    note(deltas: readonly FeedDelta[], now: number): void {
      expire(now)
      for (const one of passing(deltas, now)) passed.push(one)
    },

    /**
     * Whether these steps together with those of the last minute lose or add more than the guard lets through.
     * @param items of the list before these steps
     */
    exceeds(guard: FeedGuard, items: number, deltas: readonly FeedDelta[], now: number): boolean {
      expire(now)
      const then = items - net(passed, start)
      if (then < guard.from) return false
      const next = passing(deltas, now)
      const after = items + net(next, 0)
      if (after > guard.gain * then) return true
      const most = guard.loss * then
      const gone = (all: readonly Passed[], from: number): number => {
        let n = 0
        for (let i = from; i < all.length; i++) if (!all[i]!.added) n++
        return n
      }
      if (gone(passed, start) + gone(next, 0) <= most) return false
      const lost = passed.length - start + next.length > GUARD_MOST ? Math.max(0, then - after) : lostWith(next)
      return lost > most
    },
  }
}

export type RecentSteps = ReturnType<typeof recentSteps>
