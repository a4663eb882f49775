/** Wrong guesses, counted for a while. */

import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'

/** Names that are remembered; the one that was looked up least recently is forgotten first. */
const MAX_NAMES = 10_000

type Options = { max: number; withinMs: number; now: () => number }

/** Of this process alone: several of them allow that many times more, which 256 bits do not notice. */
export function failures({ max, withinMs, now }: Options) {
  const counts = new LRUCache<string, { failed: number; until: number }>({ max: MAX_NAMES })

  const failed = (name: string): void => {
    const known = counts.get(name)
    if (known !== undefined && known.until > now()) {
      known.failed++
      return
    }
    counts.set(name, { failed: 1, until: now() + withinMs })
  }

  return {
    /** Throws 429 once there were too many. */
    admit(name: string): void {
      const known = counts.size === 0 ? undefined : counts.get(name)
      if (known === undefined || known.failed < max) return
      const waitMs = known.until - now()
      if (waitMs > 0) throw new ApiError('rate_limited', { retryAfter: Math.ceil(waitMs / 1_000) })
    },
    /** What was thrown for the name: a 401 counts against it. */
    note(name: string, error: unknown): void {
      if (error instanceof ApiError && error.code === 'unauthorized') failed(name)
    },
  }
}
