import { type Normalised, refuse } from '../refusal.ts'

const NOT_A_DATE = refuse('must be a calendar day as YYYY-MM-DD')
const NOT_A_DATETIME = refuse('must be an RFC 3339 time, such as 2024-05-01T12:30:00Z')

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATETIME = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
/** Four-digit years in UTC: an offset may carry a time over either end. */
const ISO = /^\d{4}-/

/** A day that exists (`Date` alone would read 30 February as 1 March). */
export function date(raw: string): Normalised {
  if (!DATE.test(raw)) return NOT_A_DATE
  const time = Date.parse(`${raw}T00:00:00Z`)
  if (Number.isNaN(time)) return NOT_A_DATE
  return new Date(time).toISOString().slice(0, 10) === raw ? raw : NOT_A_DATE
}

/** UTC with milliseconds, as every time of the interface (decisions 1.8). */
export function datetime(raw: string): Normalised {
  const day = DATETIME.exec(raw)?.[1]
  if (day === undefined || typeof date(day) !== 'string') return NOT_A_DATETIME
  const time = Date.parse(raw.toUpperCase().replace(' ', 'T'))
  if (Number.isNaN(time)) return NOT_A_DATETIME
  const iso = new Date(time).toISOString()
  return ISO.test(iso) ? iso : NOT_A_DATETIME
}
