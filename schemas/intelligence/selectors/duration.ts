const HOUR = 3_600_000
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR }
const LONGEST = 3650 * 24 * HOUR
const DURATION = /^([1-9]\d{0,4})([hd])$/

/** Milliseconds of a `seenWithin`, hours or days from `1h` to `3650d`; null for any other text (decisions 10.3). */
export function milliseconds(text: string): number | null {
  const [, count, unit] = DURATION.exec(text) ?? []
  if (count === undefined || unit === undefined) return null
  const long = Number(count) * UNITS[unit]!
  return long <= LONGEST ? long : null
}
