import type { Interval } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'

/*
 * A bucket of a date histogram travels as its ordinal: the number of whole intervals since 1970. Ordinals need no
 * calendar type of the store, whose types begin in 1970, and follow each other, so that a gap is a missing number.
 */

const SECOND = 1000
const DAY = 86_400 * SECOND
const LENGTH_MS = { minute: 60 * SECOND, hour: 3600 * SECOND, day: DAY, week: 7 * DAY } as const
const MONTHS = { month: 1, quarter: 3, year: 12 } as const
/** 1970-01-01 was a Thursday; weeks are counted from the Monday before. */
const TO_MONDAY = 3 * DAY
/** Before any date that the store reads, so that the division is one of positive numbers and rounds down. */
const EARLIEST_MS = 1e14

const lengthOf = (interval: Interval): number | null => {
  if (interval.unit === 'ms') return interval.n
  return interval.unit in LENGTH_MS ? LENGTH_MS[interval.unit as keyof typeof LENGTH_MS] : null
}

/**
 * The ordinal of a moment as SQL, Int64.
 * @param date expression of a DateTime64(3), UTC
 */
export function ordinalSql(interval: Interval, date: string): string {
  const length = lengthOf(interval)
  if (length === null) {
    const months = `((toYear(${date}) - 1970) * 12 + toMonth(${date}) - 1)`
    const n = MONTHS[interval.unit as keyof typeof MONTHS]
    return `toInt64(${n === 1 ? months : `intDiv(${months} + ${EARLIEST_MONTHS}, ${n}) - ${EARLIEST_MONTHS / n}`})`
  }
  const skipped = Math.ceil(EARLIEST_MS / length)
  const shift = skipped * length + (interval.unit === 'week' ? TO_MONDAY : 0)
  return `intDiv(toUnixTimestamp64Milli(${date}) + ${shift}, ${length}) - ${skipped}`
}

/** Two thousand years, a multiple of every calendar unit. */
const EARLIEST_MONTHS = 24_000

/** Unix milliseconds at which the interval with this ordinal begins. */
export function startOf(interval: Interval, ordinal: number): number {
  const length = lengthOf(interval)
  if (length === null) return Date.UTC(1970, ordinal * MONTHS[interval.unit as keyof typeof MONTHS], 1)
  return ordinal * length - (interval.unit === 'week' ? TO_MONDAY : 0)
}
