/** What is to be done next for one destination: its order, its digests, and the guard against storms (ADR 280). Pure. */

import type { Digest } from './destination.ts'
import { digestAt } from './schedule.ts'

/** Most deliveries to one destination within any minute. */
export const PER_MINUTE = 60

export const MINUTE_MS = 60_000

/** How long a storm gathers before the next digest, at most. */
const MAX_GATHER_MS = 16 * MINUTE_MS

/** What waits for one destination. Times in unix milliseconds. */
export type Queue = {
  digest: Digest
  /** When the deliveries of the last minute began, oldest first. */
  recent: readonly number[]
  /** Alerts that were not begun yet, counted up to `PER_MINUTE` + 1. */
  fresh: number
  /** They are gathered until then; null: they are not gathered. */
  gatherUntil: number | null
  /** Digests in a row that a storm made. */
  storms: number
  /** When the first of the deliveries that failed is due; null: there is none. */
  retryAt: number | null
  /** One of them still holds back what is fresh. */
  held: boolean
}

/** `gather` beside a step: until when fresh alerts are gathered from now on, and for which storm in a row. */
export type Gathering = { until: number | null; storms: number }

export type Step =
  /** The failed delivery that has been due longest. */
  | { does: 'retry' }
  /** The first fresh alert by itself. */
  | { does: 'send' }
  /** All fresh alerts as one. */
  | { does: 'fold'; gathering: Gathering }
  /** Nothing until then; null: until something comes. */
  | { does: 'rest'; until: number | null; gathering: Gathering }

/**
 * The next step at `now`. More than 60 deliveries within a minute become one digest. While the storm goes on, digests
 * follow each other after pauses that double from one minute to sixteen, so a long import makes few of them.
 */
export function nextStep(queue: Queue, now: number): Step {
  const { digest, fresh, gatherUntil, storms, retryAt, held } = queue
  const recent = queue.recent.filter((at) => at > now - MINUTE_MS)
  const as = { until: gatherUntil, storms }
  const rest = (until: number | null, gathering: Gathering = as): Step => ({ does: 'rest', until, gathering })

  if (recent.length >= PER_MINUTE && (fresh > 0 || retryAt !== null))
    return rest(Math.max(recent[0]! + MINUTE_MS, earlier(retryAt, held || fresh === 0 ? null : now)!))
  if (retryAt !== null && retryAt <= now) return { does: 'retry' }
  if (held) return rest(retryAt)
  if (fresh === 0) return rest(retryAt, gatherUntil !== null && gatherUntil <= now ? { until: null, storms: 0 } : as)
  if (digest !== 'none' && gatherUntil === null) {
    const until = digestAt(digest, now)
    return rest(earlier(retryAt, until), { until, storms: 0 })
  }
  if (gatherUntil !== null && gatherUntil > now) return rest(earlier(retryAt, gatherUntil))
  if (digest !== 'none') return { does: 'fold', gathering: { until: null, storms: 0 } }
  const stormy = recent.length + fresh > PER_MINUTE
  if (stormy) return { does: 'fold', gathering: { until: now + gatherMs(storms), storms: storms + 1 } }
  // What a storm left behind goes out as one: it is the last of its digests.
  if (storms > 0) return { does: 'fold', gathering: { until: null, storms: 0 } }
  return { does: 'send' }
}

const gatherMs = (storms: number): number => Math.min(MINUTE_MS * 2 ** storms, MAX_GATHER_MS)

const earlier = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
