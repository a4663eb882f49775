/** When a webhook is tried again, and when no more (decisions 7). */

/** Between the end of a failed try and the next one, in milliseconds. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000]

export const TRIES = PAUSES_MS.length + 1

/** Error of a dead delivery of which the last attempt has no result, because its process ended. */
export const CUT_OFF = 'the process ended during the last attempt'

/** State of a delivery after an attempt. Times in unix milliseconds. */
export type Verdict =
  | { state: 'delivered' }
  | { state: 'waiting'; error: string; nextAt: number }
  | { state: 'dead'; error: string }

/**
 * The verdict on try `attempt` (from 1), which ended at `now`; `error` is null when the receiver took it. A delivery to
 * an address that is not public is no exception: the name may be corrected meanwhile.
 */
export function verdict(attempt: number, error: string | null, now: number): Verdict {
  if (error === null) return { state: 'delivered' }
  const pause = PAUSES_MS[attempt - 1]
  return pause === undefined ? { state: 'dead', error } : { state: 'waiting', error, nextAt: now + pause }
}
