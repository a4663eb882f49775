import { datetime } from '../../../schemas/intelligence/entities/datatypes/time.ts'
import { invalid } from '../errors.ts'

/** How far into the future scores are computed. */
export const TEN_YEARS_MS = 10 * 366 * 86_400_000

const MILLISECONDS = /^\d{1,14}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * A moment that a caller names: unix milliseconds, or ISO 8601 with its offset; a day alone is its first moment in UTC.
 * Returns unix milliseconds. Throws a 400 that names `param` for anything else and for what is outside of the bounds.
 */
export function instant(param: string, text: string, bounds: { from: number; until: number }): number {
  const at = MILLISECONDS.test(text) ? Number(text) : parseIso(param, text)
  if (at < bounds.from || at > bounds.until)
    throw invalid(param, `must be between ${iso(bounds.from)} and ${iso(bounds.until)}`)
  return at
}

function parseIso(param: string, text: string): number {
  // In a query string, a plus that was not escaped reads as a space.
  const plain = DAY.test(text) ? `${text}T00:00:00Z` : text.replace(/ (\d{2}:\d{2})$/, '+$1')
  const value = datetime(plain)
  if (typeof value !== 'string')
    throw invalid(param, 'must be unix milliseconds or ISO 8601 with an offset, such as 2024-05-01T12:30:00Z')
  return Date.parse(value)
}

const iso = (ms: number): string => new Date(ms).toISOString()
