/** When a delivery is tried again, and when no more (decisions 13.3). Times in unix milliseconds. */

import type { Verdict } from '../../scans/webhooks/schedule.ts'
import type { Digest } from './destination.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Between the end of a failed try and the next one. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  18 * HOUR_MS,
] as const

export const DELIVERY_TRIES = PAUSES_MS.length + 1

/** Failed tries during which later alerts of the same destination wait. */
export const HOLDING_TRIES = 3

/** The verdict on try `attempt` (from 1), which ended at `now`; `error` is null when the receiver took it. */
export function deliveryVerdict(attempt: number, error: string | null, now: number): Verdict {
  if (error === null) return { state: 'delivered' }
  const pause = PAUSES_MS[attempt - 1]
  return pause === undefined ? { state: 'dead', error } : { state: 'waiting', error, nextAt: now + pause }
}

/** When what is gathered from `now` on goes out: the next full hour or day, in UTC. */
export function digestAt(digest: Exclude<Digest, 'none'>, now: number): number {
  const every = digest === 'hourly' ? HOUR_MS : DAY_MS
  return (Math.floor(now / every) + 1) * every
}
