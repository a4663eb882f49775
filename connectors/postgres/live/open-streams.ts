/** The places that one process holds: it renews all of them in one statement, and tells streams that lost theirs. */

import type { OpenStreams, StreamPlaces } from './port.ts'

export type HeldStreams = OpenStreams & {
  /** Renews the lease of every open stream: to be called several times within a lease. Rejects when the store fails. */
  renew(): Promise<void>
  /** Gives back every place, for the end of the process: streams are not told. */
  close(): Promise<void>
}

/**
 * `newId` makes UUIDs, `now` is in unix milliseconds.
 * @param onFailure told of a place that could not be given back: it stays taken until its lease ends
 */
export function openStreams(
  places: StreamPlaces,
  { now, newId, onFailure }: { now: () => number; newId: () => string; onFailure: (error: Error) => void },
): HeldStreams {
  const held = new Map<string, AbortController>()

  return {
    async take(subject, most) {
      const id = newId()
      if (!(await places.take(subject, most, id, now()))) return null
      const losing = new AbortController()
      held.set(id, losing)
      return {
        lost: losing.signal,
        async giveBack() {
          if (held.delete(id)) await places.giveBack([id]).catch(onFailure)
        },
      }
    },

    open: places.open,

    async renew() {
      const before = [...held]
      if (before.length === 0) return
      const still = await places.renew(
        before.map(([id]) => id),
        now(),
      )
      for (const [id, losing] of before) if (!still.has(id) && held.delete(id)) losing.abort()
    },

    async close() {
      const ids = [...held.keys()]
      held.clear()
      await places.giveBack(ids)
    },
  }
}
