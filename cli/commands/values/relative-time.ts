/** The last moment that a date can hold. */
const LAST = 8_640_000_000_000_000
const SECOND = 1_000
/** Each unit is used from twice its size on, so that no answer says "1 day" of 47 hours. */
const UNITS = [
  ['year', 365 * 24 * 3_600 * SECOND],
  ['month', 30 * 24 * 3_600 * SECOND],
  ['day', 24 * 3_600 * SECOND],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
  ['second', SECOND],
] as const

const words = new Intl.RelativeTimeFormat('en')

/** A time as people tell it: `3 minutes ago`, `in 5 days`; `-` when it is none. Exact times are in the JSON. */
export function relativeTime(ms: number, now: number): string {
  if (!(ms >= 0 && ms <= LAST)) return '-'
  const away = ms - now
  const [unit, size] = UNITS.find(([, one]) => Math.abs(away) >= 2 * one) ?? ['second', SECOND]
  const count = Math.trunc(away / size)
  return count === 0 ? 'now' : words.format(count, unit)
}

/** A time that a person gave, or that has to be given again: exact. */
export const exactTime = (ms: number): string => (ms >= 0 && ms <= LAST ? new Date(ms).toISOString() : '-')
