import { expect, test, vi } from 'vitest'
import { indexWanted } from '../../../../../connectors/operations/rows/row-log.ts'

/** A log with what was said of indexes, and how often it was asked. */
function log(...said: number[]) {
  const seen = { asked: 0, away: false }
  const messages = said.map((until, offset) => ({
    offset,
    timestamp: 0,
    key: null,
    value: Buffer.from(String(until)),
    headers: {},
  }))
  return {
    seen,
    offsets: async () => {
      seen.asked++
      if (seen.away) throw new Error('the log is away')
      return [{ partition: 0, low: 0, high: messages.length }]
    },
    read: async (_: string, __: number, from: number) => messages.slice(from),
  }
}

test('an index is wanted until the time that was said last', async () => {
  let now = 5
  expect(await indexWanted(log(), () => now)()).toBe(false)
  const wanted = indexWanted(log(3, 10), () => now)
  expect(await wanted()).toBe(true)
  now = 10
  expect(await wanted()).toBe(false)
})

test('the log is asked once a second, and nobody waits for one that is away', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const of = log(10)
    const wanted = indexWanted(of, () => 5)
    for (let i = 0; i < 5; i++) expect(await wanted()).toBe(true)
    expect(of.seen.asked).toBe(1)
    of.seen.away = true
    vi.advanceTimersByTime(1_500)
    expect(await wanted()).toBe(true)
    expect(of.seen.asked).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})
