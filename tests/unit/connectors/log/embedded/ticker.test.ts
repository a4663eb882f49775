import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ticker } from '../../../../../connectors/log/embedded/ticker.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** When each wait ended, in milliseconds from now. */
function waits(next: Promise<void>[]): number[] {
  const began = performance.now()
  const ended: number[] = []
  for (const one of next) void one.then(() => ended.push(performance.now() - began))
  return ended
}

test('waits end after the poll interval, or earlier where asked, all at once', async () => {
  const { next } = ticker(100)
  const ended = waits([next(), next(30), next(1_000)])
  await vi.advanceTimersByTimeAsync(29)
  expect(ended).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toEqual([30, 30, 30])
  const later = waits([next(1_000)])
  await vi.advanceTimersByTimeAsync(100)
  expect(later).toEqual([100])
})

test('an append ends all waits at once; without a wait no timer runs', async () => {
  const { next, wake } = ticker(100)
  expect(vi.getTimerCount()).toBe(0)
  const ended = waits([next(), next()])
  wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(ended).toEqual([0, 0])
  expect(vi.getTimerCount()).toBe(0)
})

test('changes of the folder end waits at once after a quiet time, and every 5 ms under load', async () => {
  const { next, ring } = ticker(100)
  const ended: number[] = []
  const began = performance.now()
  const loop = async (): Promise<void> => {
    for (;;) {
      await next()
      ended.push(performance.now() - began)
    }
  }
  void loop()
  for (let ms = 0; ms < 12; ms++) {
    ring()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(ended).toEqual([0, 5, 10])
  await vi.advanceTimersByTimeAsync(3)
  // The last change, 1 ms after the last wait had ended, is not lost.
  expect(ended).toEqual([0, 5, 10, 15])
  await vi.advanceTimersByTimeAsync(99)
  expect(ended).toHaveLength(4)
})

test('a folder that told of a change once is looked at less often', async () => {
  const { next, ring } = ticker(100, 2_000)
  const before = waits([next()])
  await vi.advanceTimersByTimeAsync(100)
  expect(before).toEqual([100])
  ring()
  const after = waits([next(), next(5_000)])
  await vi.advanceTimersByTimeAsync(1_999)
  expect(after).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(after).toEqual([2_000, 2_000])
})

test('a change that nobody waits for starts no timer', () => {
  const { ring } = ticker(100)
  ring()
  expect(vi.getTimerCount()).toBe(0)
})

test('all waits that end together cost one refresh of what was written, and none where nobody waits', async () => {
  let refreshed = 0
  const { next, wake } = ticker(100, 100, () => void refreshed++)
  wake()
  expect(refreshed).toBe(0)
  const seen = [next(), next(), next()].map((wait) => wait.then(() => refreshed))
  wake()
  expect(await Promise.all(seen)).toEqual([1, 1, 1])
})
