/** When a delivery is tried again, and when no more (decisions 7, 13.3). Times in unix milliseconds. */

import type { Digest } from './destination.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What a delivery tells of: the end of a scan, to the webhook of the scan, or alerts, to a destination of their user. */
export const DELIVERY_KINDS = ['scan', 'alert'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

/**
 * @property pausesMs between the end of a failed try and the next one
 * @property holdingTries failed tries during which later deliveries of the same queue wait
 */
type Schedule = { pausesMs: readonly number[]; holdingTries: number }

const FIRST_PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS]

const SCHEDULES: Readonly<Record<DeliveryKind, Schedule>> = {
  // It is alone in its queue: nothing waits behind it.
  scan: { pausesMs: FIRST_PAUSES_MS, holdingTries: Number.POSITIVE_INFINITY },
  alert: { pausesMs: [...FIRST_PAUSES_MS, HOUR_MS, 4 * HOUR_MS, 18 * HOUR_MS], holdingTries: 3 },
}

/** How often a delivery is tried in all. */
export const triesOf = (kind: DeliveryKind): number => SCHEDULES[kind].pausesMs.length + 1

export const holdingTriesOf = (kind: DeliveryKind): number => SCHEDULES[kind].holdingTries

/** Error of a dead delivery of which the last try has no result, because its process ended. */
export const CUT_OFF = 'the process ended during the last attempt'

/** State of a delivery after a try. */
export type Verdict =
  | { state: 'delivered' }
  | { state: 'waiting'; error: string; nextAt: number }
  | { state: 'dead'; error: string }

/**
 * The verdict on try `attempt` (from 1), which ended at `now`; `error` is null when the receiver took it. A delivery to
 * an address that is not public is no exception: the name may be corrected meanwhile.
 */
export function verdict(kind: DeliveryKind, attempt: number, error: string | null, now: number): Verdict {
  if (error === null) return { state: 'delivered' }
  const pause = SCHEDULES[kind].pausesMs[attempt - 1]
  return pause === undefined ? { state: 'dead', error } : { state: 'waiting', error, nextAt: now + pause }
}

/** When what is gathered from `now` on goes out: the next full hour or day, in UTC. */
export function digestAt(digest: Exclude<Digest, 'none'>, now: number): number {
  const every = digest === 'hourly' ? HOUR_MS : DAY_MS
  return (Math.floor(now / every) + 1) * every
}
