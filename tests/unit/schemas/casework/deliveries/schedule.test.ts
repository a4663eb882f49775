import { expect, test } from 'vitest'
import {
  DELIVERY_KINDS,
  digestAt,
  holdingTriesOf,
  triesOf,
  verdict,
} from '../../../../../schemas/casework/deliveries/schedule.ts'

const NOW = Date.UTC(2026, 2, 1, 12, 30, 5)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const pauses = {
  scan: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE],
  alert: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 18 * HOUR],
}

for (const kind of DELIVERY_KINDS)
  test(`a delivery of a ${kind} that fails is tried after pauses that grow, and is dead after ${pauses[kind].length + 1} tries`, () => {
    const verdicts = Array.from({ length: triesOf(kind) }, (_, i) => verdict(kind, i + 1, 'down', NOW))
    expect(verdicts).toEqual([
      ...pauses[kind].map((pause) => ({ state: 'waiting', error: 'down', nextAt: NOW + pause })),
      { state: 'dead', error: 'down' },
    ])
  })

test('a delivery that is taken has arrived, at whichever try', () => {
  for (const kind of DELIVERY_KINDS)
    for (let attempt = 1; attempt <= triesOf(kind); attempt++)
      expect(verdict(kind, attempt, null, NOW)).toEqual({ state: 'delivered' })
})

test('an alert that fails holds back later ones for three tries, and nothing waits behind a webhook', () => {
  expect(holdingTriesOf('alert')).toBe(3)
  expect(holdingTriesOf('scan')).toBeGreaterThan(triesOf('scan'))
})

test('a digest goes out at the next full hour or day in UTC, never at once', () => {
  expect(digestAt('hourly', NOW)).toBe(Date.UTC(2026, 2, 1, 13))
  expect(digestAt('hourly', Date.UTC(2026, 2, 1, 13))).toBe(Date.UTC(2026, 2, 1, 14))
  expect(digestAt('daily', NOW)).toBe(Date.UTC(2026, 2, 2))
  expect(digestAt('daily', Date.UTC(2026, 2, 1, 23, 59, 59, 999))).toBe(Date.UTC(2026, 2, 2))
})
