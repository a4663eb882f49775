import { type Invalid, invalid } from './invalid.ts'

/** Observations from before are a producer's broken clock. */
export const EARLIEST = Date.UTC(2000, 0, 1)
/** Nor is anything seen this late: a bound that needs no clock, and that every table can hold. */
export const LATEST = Date.UTC(2100, 0, 1)
/** How far a producer's clock may run ahead of the log's, milliseconds. */
export const AHEAD_MS = 24 * 60 * 60 * 1000

/**
 * Why something cannot have been observed at this time, or null. `now`: the clock that it is compared with, where there
 * is one. Both in unix milliseconds.
 */
export function observedAtFault(observedAt: number, now = LATEST): Invalid | null {
  if (observedAt >= EARLIEST && observedAt < LATEST && observedAt <= now + AHEAD_MS) return null
  return invalid(
    'observedAt',
    `observedAt ${observedAt} is out of range; expected unix milliseconds between the year 2000 and one day from now`,
  )
}
