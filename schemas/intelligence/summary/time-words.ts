/** Times as a sentence says them. All are unix milliseconds. */

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `9 minutes ago`, in the largest unit that fits; less than a minute is `just now`. */
export function ago(at: number, now: number): string {
  const unit = UNITS.find(([, ms]) => now - at >= ms)
  return unit === undefined ? 'just now' : RELATIVE.format(-Math.floor((now - at) / unit[1]), unit[0])
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** `3 December`, with the year where it is not this one. UTC. */
export function day(at: number, now: number): string {
  const year = new Date(at).getUTCFullYear()
  return year === new Date(now).getUTCFullYear() ? DAY.format(at) : `${DAY.format(at)} ${year}`
}
