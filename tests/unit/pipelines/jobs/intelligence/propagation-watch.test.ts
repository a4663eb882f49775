import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PropagationJob } from '../../../../../pipelines/jobs/intelligence/propagation-job.ts'
import { watchPropagation } from '../../../../../pipelines/jobs/intelligence/propagation-watch.ts'
import { fakedPause } from '../../../../builders/platform/faked-pauses.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A job that notes when it had its turns, in milliseconds since the start; `next` has what is due and what fails. */
function given(alone: boolean, failing = false) {
  const from = Date.now()
  const turns: number[] = []
  const next: { at: number | null; failing: boolean } = { at: null, failing }
  const job: PropagationJob = {
    isCovered: () => false,
    concerns: () => true,
    stored: async () => undefined,
    async turn() {
      turns.push(Date.now() - from)
      if (next.failing) throw new Error('the store is away')
      return { sent: 0, swept: 0, full: false }
    },
    nextAt: () => next.at,
  }
  const logger = pino({ level: 'silent' })
  return { turns, next, watch: watchPropagation(() => job, { alone, now: Date.now, logger, pause: fakedPause }) }
}

test('alone, a turn follows what was stored, one in a second and a half, and otherwise three a minute', async () => {
  const { turns, watch } = given(true)
  await vi.advanceTimersByTimeAsync(1_000)
  for (let i = 0; i < 20; i++) await watch.stored([])
  await vi.advanceTimersByTimeAsync(4_000)
  expect(turns).toEqual([0, 1_500])
  await watch.stored([])
  await vi.advanceTimersByTimeAsync(40_000)
  expect(turns).toEqual([0, 1_500, 5_000, 25_000, 45_000])
  await watch.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('alone, what is due later has its turn then', async () => {
  const { turns, next, watch } = given(true)
  next.at = Date.now() + 4_000
  await vi.advanceTimersByTimeAsync(0)
  await vi.advanceTimersByTimeAsync(3_999)
  expect(turns).toEqual([0])
  next.at = null
  await vi.advanceTimersByTimeAsync(1)
  expect(turns).toEqual([0, 4_000])
  await watch.stop()
})

test('a turn that failed is followed by the next', async () => {
  const { turns, next, watch } = given(true, true)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(turns).toEqual([0, 1_500, 3_000])
  next.failing = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect(turns).toEqual([0, 1_500, 3_000, 4_500])
  await watch.stop()
})

test('beside other processes, which store marks too, a turn follows every second and a half', async () => {
  const { turns, watch } = given(false)
  await vi.advanceTimersByTimeAsync(4_500)
  expect(turns).toEqual([0, 1_500, 3_000, 4_500])
  await watch.stop()
})
