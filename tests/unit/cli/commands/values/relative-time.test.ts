import { expect, test } from 'vitest'
import { exactTime, relativeTime } from '../../../../../cli/commands/values/relative-time.ts'

const NOW = Date.UTC(2026, 10, 27)
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

test.each([
  [0, 'now'],
  [-900, 'now'],
  [-1 * SECOND, '1 second ago'],
  [-60 * SECOND, '60 seconds ago'],
  [-3 * MINUTE, '3 minutes ago'],
  [-119 * MINUTE, '119 minutes ago'],
  [-47 * HOUR, '47 hours ago'],
  [-2 * DAY, '2 days ago'],
  [-59 * DAY, '59 days ago'],
  [-90 * DAY, '3 months ago'],
  [-800 * DAY, '2 years ago'],
  [5 * DAY, 'in 5 days'],
  [2 * SECOND, 'in 2 seconds'],
])('%i ms away is told as "%s"', (away, told) => {
  expect(relativeTime(NOW + away, NOW)).toBe(told)
})

test.each([Number.NaN, -1, 9e15])('%d is no time', (ms) => {
  expect([relativeTime(ms, NOW), exactTime(ms)]).toEqual(['-', '-'])
})
