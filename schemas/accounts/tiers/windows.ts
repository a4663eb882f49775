/** Calendar windows in UTC (decisions 6.2): a minute begins at second 0, a week on Monday, a month on the first. */

export const WINDOWS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Window = (typeof WINDOWS)[number]

/** No stretch of time: the limit is how many may be open at the same moment (decisions 12.4; ADR 271). */
export const OPEN = 'open'

/** What a limit may be of. */
export const LIMIT_WINDOWS = [...WINDOWS, OPEN] as const
export type LimitWindow = (typeof LIMIT_WINDOWS)[number]

/** Unix milliseconds; `end` is the first moment of the next window. */
export type Span = { start: number; end: number }

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const WEEK = 7 * DAY
const LENGTH = { minute: MINUTE, hour: 60 * MINUTE, day: DAY, week: WEEK }

/** The first Monday after the epoch, which was a Thursday. */
const FIRST_MONDAY = 4 * DAY

/** The window that `at` (Unix milliseconds) falls into. */
export function spanOf(window: Window, at: number): Span {
  if (window === 'month') {
    const day = new Date(at)
    const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]
    return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
  }
  const length = LENGTH[window]
  const origin = window === 'week' ? FIRST_MONDAY : 0
  const start = origin + Math.floor((at - origin) / length) * length
  return { start, end: start + length }
}
