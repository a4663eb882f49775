import { expect, test } from 'vitest'
import { DELIVERY_TRIES, deliveryVerdict, digestAt } from '../../../../../schemas/casework/deliveries/schedule.ts'

const NOW = Date.UTC(2026, 2, 1, 12, 30, 5)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const pauses = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 18 * HOUR]

test('a delivery that fails is tried seven times more, after pauses that grow from 5 s to 18 h, and is dead then', () => {
  const verdicts = Array.from({ length: DELIVERY_TRIES }, (_, i) => deliveryVerdict(i + 1, 'down', NOW))
  expect(verdicts).toEqual([
    ...pauses.map((pause) => ({ state: 'waiting', error: 'down', nextAt: NOW + pause })),
    { state: 'dead', error: 'down' },
  ])
})

test('a delivery that is taken has arrived, at whichever try', () => {
  for (const attempt of [1, 3, 8]) expect(deliveryVerdict(attempt, null, NOW)).toEqual({ state: 'delivered' })
})

test('a digest goes out at the next full hour or day in UTC, never at once', () => {
  expect(digestAt('hourly', NOW)).toBe(Date.UTC(2026, 2, 1, 13))
  expect(digestAt('hourly', Date.UTC(2026, 2, 1, 13))).toBe(Date.UTC(2026, 2, 1, 14))
  expect(digestAt('daily', NOW)).toBe(Date.UTC(2026, 2, 2))
  expect(digestAt('daily', Date.UTC(2026, 2, 1, 23, 59, 59, 999))).toBe(Date.UTC(2026, 2, 2))
})
