/** A number of a row, where 64-bit integers arrive as text; null for what JSON has no number for. */
export function finite(value: unknown): number | null {
  if (value === null || value === undefined) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** As keys of ranges and percentiles are written: `1.0`, `0.5`. */
export const decimal = (value: number): string => (/^-?\d+$/.test(`${value}`) ? `${value}.0` : `${value}`)

/** Unix milliseconds as ISO 8601; a bound that no calendar has as the number itself. */
export function iso(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? `${ms}` : date.toISOString()
}
