import { expect, test } from 'vitest'
import type { StoredMark } from '../../../../connectors/history/port.ts'
import type { Written } from '../../../../pipelines/runtime/unwritten.ts'
import { watchMarks } from '../../../../pipelines/runtime/watch-marks.ts'

const NETWORK = { type: 'cidr', value: '198.51.100.0/24' }
const ADDRESS = { type: 'ip', value: '198.51.100.7' }

/** A store with these marks, and a watch of it whose rounds follow when they are asked for. */
async function given(read: (nth: number) => Promise<StoredMark[]>, written?: Written) {
  const failures: Error[] = []
  let reads = 0
  let next = (): void => undefined
  const pause = (_ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      next = resolve
      signal.addEventListener('abort', () => resolve())
    })
  const onFailure = (error: Error): void => void failures.push(error)
  const watch = await watchMarks({ marks: () => read(++reads) }, { onFailure, pause, written })
  return { watch, failures, reads: () => reads, round: () => next() }
}

const stored = (version: number, holds: boolean): StoredMark => ({ ...NETWORK, added: version, version, holds })

test('marks are known once the watch is there, and news of them by the next round', async () => {
  let marks = [stored(1, true)]
  const { watch, round } = await given(async () => marks)
  expect(watch.isCovered(ADDRESS)).toBe(true)
  expect(watch.isCovered({ type: 'ip', value: '203.0.113.1' })).toBe(false)
  marks = [stored(2, false)]
  round()
  await expect.poll(() => watch.isCovered(ADDRESS)).toBe(false)
  await watch.stop()
})

test('without the store no mark is known, and the watch goes on', async () => {
  let away = true
  const { watch, failures, reads, round } = await given(async () => {
    if (away) throw new Error('the store is away')
    return [stored(1, true)]
  })
  expect(watch.isCovered(ADDRESS)).toBe(false)
  await expect.poll(() => failures.length).toBe(1)
  const asked = reads()
  await expect
    .poll(() => {
      round()
      return reads()
    })
    .toBeGreaterThan(asked + 1)
  // Of a series, the first failure is told.
  expect(failures).toHaveLength(1)
  away = false
  await expect
    .poll(() => {
      round()
      return watch.isCovered(ADDRESS)
    })
    .toBe(true)
  await watch.stop()
})

test('marks are not read again while nothing was written, and in the next round once something was', async () => {
  let written = 'start 1'
  let marks = [stored(1, true)]
  let looks = 0
  const { watch, reads, round } = await given(
    async () => marks,
    () => {
      looks++
      return written
    },
  )
  expect(reads()).toBe(1)
  const before = looks
  round()
  await expect.poll(() => looks).toBeGreaterThan(before)
  expect(reads()).toBe(1)
  marks = [stored(2, false)]
  written = 'start 2'
  await expect
    .poll(() => {
      round()
      return watch.isCovered(ADDRESS)
    })
    .toBe(false)
  await watch.stop()
})
