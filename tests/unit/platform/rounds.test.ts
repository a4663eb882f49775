import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Rounds, startRounds } from '../../../platform/rounds.ts'
import { fakedPause } from '../../builders/platform/faked-pauses.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Rounds over a faked clock, with the times at which they began, in milliseconds since the start. */
function given(round: (n: number) => Promise<number>) {
  const from = Date.now()
  const began: number[] = []
  const failures: string[] = []
  const rounds: Rounds = startRounds({
    round: () => round(began.push(Date.now() - from)),
    onFailure: ({ message }) => failures.push(message),
    failedMs: 500,
    maxPauseMs: 3_000,
    pause: fakedPause,
  })
  return { rounds, began, failures }
}

test('a round follows when the wait of the one before is over, or at once when it is woken', async () => {
  const { rounds, began } = given(async () => 1_000)
  await vi.advanceTimersByTimeAsync(1_200)
  rounds.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(began).toEqual([0, 1_000, 1_200])
  await rounds.stop()
  rounds.wake()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(began).toHaveLength(3)
  expect(vi.getTimerCount()).toBe(0)
})

test('what wakes while a round runs is followed by one more round, however often it does', async () => {
  const gate = Promise.withResolvers<void>()
  const { rounds, began } = given(async (n) => {
    if (n === 1) await gate.promise
    return 60_000
  })
  for (let i = 0; i < 5; i++) rounds.wake()
  await vi.advanceTimersByTimeAsync(100)
  gate.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(began).toEqual([0, 100])
  await rounds.stop()
})

test('failed rounds follow each other after growing pauses, which nothing but the stop cuts short', async () => {
  let failing = true
  const { rounds, began, failures } = given(async () => {
    if (failing) throw new Error('away')
    return 100
  })
  await vi.advanceTimersByTimeAsync(500)
  rounds.wake()
  await vi.advanceTimersByTimeAsync(8_500)
  expect(began).toEqual([0, 1_000, 3_000, 6_000, 9_000])
  expect(failures).toEqual(Array(5).fill('away'))
  failing = false
  await vi.advanceTimersByTimeAsync(3_100)
  failing = true
  await vi.advanceTimersByTimeAsync(100)
  // After a success the pauses begin anew.
  expect(began.slice(5)).toEqual([12_000, 12_100, 12_200])
  await rounds.stop()
  expect(vi.getTimerCount()).toBe(0)
})
