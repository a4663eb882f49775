import { type Refusal, refuse } from '../../entities/refusal.ts'

/** Unix milliseconds of the first and the last moment that a date names; equal when it names one. */
export type Moments = { first: number; last: number }

type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm' | 's'

/** A moment, or the whole unit that begins there. */
type Span = { first: number; width: Unit | null }

/** From short to long. */
const UNITS: readonly (Unit | null)[] = [null, 's', 'm', 'h', 'd', 'w', 'M', 'y']

/** Longest text of a date, date math included. */
const MAX_TEXT = 128
/** Years 0000 to 9999, the ones that ISO 8601 writes with four digits. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

const DAY = 86_400_000
const FIXED: Readonly<Partial<Record<Unit, number>>> = { w: 7 * DAY, d: DAY, h: 3_600_000, m: 60_000, s: 1000 }
/** 1970 began on a Thursday; weeks begin on Monday. */
const FIRST_MONDAY = 4 * DAY

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/
const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))?$/
const MILLISECONDS = /^-?\d{1,16}$/
const STEP = /([+-])(\d{1,9})([yMwdhHms])|\/([yMwdhHms])/y

const NOT_A_DATE = refuse(
  'must be a date: ISO 8601, unix milliseconds, or date math: now or <date>|| followed by steps such as -24h or /d',
)
const TOO_FAR = refuse('must be a date in the years 0000 to 9999')

/**
 * The moments that a date names (docs/use/search-reference.md, Dates); `now` in unix milliseconds. Rounding names the whole unit that
 * it rounds to, and steps after it move that unit as one.
 */
export function moments(given: string | number, now: number): Moments | Refusal {
  const span = typeof given === 'number' ? moment(given) : spanOf(given.length > MAX_TEXT ? '' : given.trim(), now)
  if (span === null) return NOT_A_DATE
  const { first, width } = span
  const last = width === null ? first : add(first, 1, width) - 1
  // Also refuses NaN, which is what steps beyond the calendar end in.
  return first >= EARLIEST && last <= LATEST ? { first, last } : TOO_FAR
}

const moment = (time: number): Span | null => (Number.isInteger(time) ? { first: time, width: null } : null)

function spanOf(text: string, now: number): Span | null {
  if (text.startsWith('now')) return walk({ first: now, width: null }, text.slice(3))
  const bar = text.indexOf('||')
  const anchor = iso(bar < 0 ? text : text.slice(0, bar))
  return anchor === null || bar < 0 ? anchor : walk(anchor, text.slice(bar + 2))
}

function iso(text: string): Span | null {
  const date = DATE.exec(text)
  if (date !== null) {
    const [, year, month, day] = date
    const first = utc(Number(year), Number(month ?? 1), Number(day ?? 1))
    return first === null ? null : { first, width: day !== undefined ? 'd' : month !== undefined ? 'M' : 'y' }
  }
  if (MILLISECONDS.test(text)) return moment(Number(text))
  const time = clock(text)
  return time === null ? null : moment(time)
}

/** A time of day is one moment, to the millisecond; without a zone it is UTC. */
function clock(text: string): number | null {
  const found = TIME.exec(text)
  if (found === null) return null
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as number[]
  const midnight = utc(year!, month!, day!)
  if (midnight === null || hour! > 23 || minute! > 59 || second! > 59) return null
  const [zoneHours, zoneMinutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)]
  if (zoneHours > 23 || zoneMinutes > 59) return null
  const zone = (zoneHours * 60 + zoneMinutes) * 60_000 * (found[8] === '-' ? -1 : 1)
  const fraction = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3))
  return midnight + ((hour! * 60 + minute!) * 60 + second!) * 1000 + fraction - zone
}

/** null when there is no such day; months count from 1. */
function utc(year: number, month: number, day: number): number | null {
  // Not `Date.UTC`, which reads the years 0 to 99 as those of the last century.
  const time = new Date(0).setUTCFullYear(year, month - 1, day)
  const date = new Date(time)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? time : null
}

/** Takes the steps of date math, in their order; times beyond the calendar become NaN or are refused at the end. */
function walk({ first, width }: Span, steps: string): Span | null {
  STEP.lastIndex = 0
  for (let done = 0; done < steps.length; done = STEP.lastIndex) {
    const found = STEP.exec(steps)
    if (found === null) return null
    const [, sign, count, unit, round] = found
    if (round === undefined) {
      first = add(first, Number(count) * (sign === '-' ? -1 : 1), unitOf(unit!))
    } else {
      first = floor(first, unitOf(round))
      width = UNITS[Math.max(UNITS.indexOf(width), UNITS.indexOf(unitOf(round)))]!
    }
  }
  return { first, width }
}

const unitOf = (letter: string): Unit => (letter === 'H' ? 'h' : (letter as Unit))

/** Months and years keep the day of the month, or take the last one that there is. */
function add(time: number, n: number, unit: Unit): number {
  const fixed = FIXED[unit]
  if (fixed !== undefined) return time + n * fixed
  const date = new Date(time)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + n * (unit === 'y' ? 12 : 1)
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12]
  const lastDay = new Date(new Date(0).setUTCFullYear(year, month + 1, 0)).getUTCDate()
  return date.setUTCFullYear(year, month, Math.min(date.getUTCDate(), lastDay))
}

function floor(time: number, unit: Unit): number {
  const fixed = FIXED[unit]
  if (fixed !== undefined) {
    const origin = unit === 'w' ? FIRST_MONDAY : 0
    return Math.floor((time - origin) / fixed) * fixed + origin
  }
  const date = new Date(time)
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), unit === 'y' ? 0 : date.getUTCMonth(), 1)
}
