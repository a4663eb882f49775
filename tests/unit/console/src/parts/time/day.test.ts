import { expect, test } from 'vitest'
import { dayField, endOfDay, formatDay } from '../../../../../../console/src/parts/time/day.ts'

test('a day is that of UTC, and ends with its last second', () => {
  expect(formatDay('2026-12-03T23:59:59Z')).toBe('3 Dec 2026')
  expect(dayField('2026-12-03T23:59:59Z')).toBe('2026-12-03')
  expect(Date.parse(endOfDay('2026-12-03'))).toBe(Date.parse('2026-12-04T00:00:00Z') - 1_000)
})
