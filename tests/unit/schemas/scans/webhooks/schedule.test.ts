import { expect, test } from 'vitest'
import { verdict } from '../../../../../schemas/scans/webhooks/schedule.ts'

const NOW = 1_800_000_000_000

const cases = [
  { attempt: 1, pause: 5_000 },
  { attempt: 2, pause: 30_000 },
  { attempt: 3, pause: 120_000 },
  { attempt: 4, pause: 600_000 },
]
for (const { attempt, pause } of cases)
  test(`after failed try ${attempt} the next one comes in ${pause / 1000} s`, () =>
    expect(verdict(attempt, 'no', NOW)).toEqual({ state: 'waiting', error: 'no', nextAt: NOW + pause }))

test('after the fifth failed try it is given up', () =>
  expect(verdict(5, 'no', NOW)).toEqual({ state: 'dead', error: 'no' }))

test('a try that succeeded ends it, whichever it was', () => {
  for (const attempt of [1, 5]) expect(verdict(attempt, null, NOW)).toEqual({ state: 'delivered' })
})
