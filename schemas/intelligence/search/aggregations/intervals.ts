import { fault } from '../fault.ts'
import type { Read } from '../shape.ts'
import type { Interval } from './aggregation.ts'

type Calendar = Exclude<Interval['unit'], 'ms'>

const CALENDAR: Readonly<Record<string, Calendar>> = {
  '1m': 'minute',
  '1h': 'hour',
  '1d': 'day',
  '1w': 'week',
  '1M': 'month',
  '1q': 'quarter',
  '1y': 'year',
}
const UNITS = Object.values(CALENDAR)
const LENGTH: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const FIXED = /^([1-9]\d{0,5})([mhd])$/

/** `minute` or `1m`, to `year` or `1y`. */
export const calendarInterval: Read<Interval> = (value, path) =>
  calendar(value) ?? fault(path, `must be one of ${[...UNITS, ...Object.keys(CALENDAR)].join(', ')}`)

/** Any number of minutes, hours or days, such as `5m`. */
export const fixedInterval: Read<Interval> = (value, path) =>
  fixed(value) ?? fault(path, 'must be a number of minutes, hours or days, such as 5m, 12h or 30d')

/** Either of the two. */
export const interval: Read<Interval> = (value, path) =>
  calendar(value) ??
  fixed(value) ??
  fault(path, `must be one of ${UNITS.join(', ')}, or a number of minutes, hours or days, such as 5m, 12h or 30d`)

function calendar(value: unknown): Interval | null {
  if (typeof value !== 'string') return null
  const unit = Object.hasOwn(CALENDAR, value) ? CALENDAR[value] : UNITS.find((one) => one === value)
  return unit === undefined ? null : { unit, n: 1 }
}

function fixed(value: unknown): Interval | null {
  const found = typeof value === 'string' && value.length <= 7 ? FIXED.exec(value) : null
  return found === null ? null : { unit: 'ms', n: Number(found[1]) * LENGTH[found[2]!]! }
}
