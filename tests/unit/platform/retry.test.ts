import { expect, test } from 'vitest'
import { pauseAfter, poll, retry } from '../../../platform/retry.ts'

/** Work that fails so many times, and counts. */
function failing(times: number) {
  const state = { runs: 0 }
  const work = async () => {
    if (++state.runs <= times) throw new Error(`failure ${state.runs}`)
    return state.runs
  }
  return { state, work }
}

test('work is done again until it succeeds', async () => {
  const { work } = failing(2)
  expect(await retry(work, { pausesMs: [0], attempts: 5 })).toBe(3)
})

test('the error of the last attempt is thrown', async () => {
  const { state, work } = failing(10)
  await expect(retry(work, { pausesMs: [0], attempts: 3 })).rejects.toThrow('failure 3')
  expect(state.runs).toBe(3)
})

test('an error that is for good is thrown at once, a TypeError is no exception', async () => {
  const { state, work } = failing(10)
  const shouldRetry = (error: unknown) => !(error as Error).message.endsWith('2')
  await expect(retry(work, { pausesMs: [0], attempts: 9, shouldRetry })).rejects.toThrow('failure 2')
  expect(state.runs).toBe(2)
  let runs = 0
  const stumbling = async () => {
    if (++runs < 2) throw new TypeError('stumbled')
    return runs
  }
  expect(await retry(stumbling, { pausesMs: [0], attempts: 9 })).toBe(2)
})

test('no attempt begins after the time is over', async () => {
  const { state, work } = failing(Infinity)
  const began = performance.now()
  await expect(retry(work, { pausesMs: [5], forMs: 30 })).rejects.toThrow(/failure/)
  expect(performance.now() - began).toBeGreaterThan(25)
  expect(state.runs).toBeGreaterThan(1)
})

test('a pause ends when the signal is aborted, with its reason', async () => {
  const { state, work } = failing(Infinity)
  const stopping = new AbortController()
  const retried = retry(work, { pausesMs: [3_600_000], attempts: 2, signal: stopping.signal })
  stopping.abort(new Error('stopped'))
  await expect(retried).rejects.toThrow('stopped')
  expect(state.runs).toBe(1)
})

test('what runs before a retry is told which attempt failed, and its own error ends the retries', async () => {
  const { work } = failing(Infinity)
  const seen: number[] = []
  const beforeRetry = async (_: unknown, attempt: number) => {
    seen.push(attempt)
    if (attempt === 2) throw new Error('enough')
  }
  await expect(retry(work, { pausesMs: [0], attempts: 9, beforeRetry })).rejects.toThrow('enough')
  expect(seen).toEqual([1, 2])
})

test('pauses follow the list, and its last one repeats', () => {
  expect([1, 2, 3, 4].map((failures) => pauseAfter(failures, [1, 10, 100]))).toEqual([1, 10, 100, 100])
  expect(pauseAfter(0, [1, 10])).toBe(0)
  expect(pauseAfter(1, [])).toBe(0)
})

test('polling ends with the first answer, or with null after the last attempt', async () => {
  let looks = 0
  const look = async () => (++looks === 3 ? 'found' : null)
  expect(await poll(look, { pausesMs: [0], attempts: 5 })).toBe('found')
  looks = 3
  expect(await poll(look, { pausesMs: [0], attempts: 2 })).toBeNull()
  expect(looks).toBe(5)
})
