import { expect, test } from 'vitest'
import { startOf } from '../../../../../../../connectors/history/sql/search/aggregate/intervals.ts'
import type { Interval } from '../../../../../../../schemas/intelligence/search/aggregations/aggregation.ts'

const calendar = (unit: Exclude<Interval['unit'], 'ms'>): Interval => ({ unit, n: 1 })
const HOUR = 3_600_000

test.each<[Interval, number, string]>([
  [calendar('minute'), -1, '1969-12-31T23:59:00.000Z'],
  [calendar('hour'), 24, '1970-01-02T00:00:00.000Z'],
  [calendar('day'), -25_508, '1900-03-01T00:00:00.000Z'],
  [calendar('week'), 0, '1969-12-29T00:00:00.000Z'],
  [calendar('week'), 2969, '2026-11-23T00:00:00.000Z'],
  [calendar('month'), -1, '1969-12-01T00:00:00.000Z'],
  [calendar('month'), 682, '2026-11-01T00:00:00.000Z'],
  [calendar('quarter'), -1, '1969-10-01T00:00:00.000Z'],
  [calendar('quarter'), 227, '2026-10-01T00:00:00.000Z'],
  [calendar('year'), 329, '2299-01-01T00:00:00.000Z'],
  [{ unit: 'ms', n: 36 * HOUR }, 2, '1970-01-04T00:00:00.000Z'],
  [{ unit: 'ms', n: 36 * HOUR }, -1, '1969-12-30T12:00:00.000Z'],
])('an ordinal of %j is the beginning of its interval: %i', (interval, ordinal, begins) => {
  expect(new Date(startOf(interval, ordinal)).toISOString()).toBe(begins)
})
