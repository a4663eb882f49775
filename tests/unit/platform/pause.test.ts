import { expect, test } from 'vitest'
import { pause, untilNext } from '../../../platform/pause.ts'

const HOUR_MS = 3_600_000

test('a pause ends when its time is over', async () => {
  const began = performance.now()
  await pause(20)
  expect(performance.now() - began).toBeGreaterThan(15)
})

test('a pause ends without an error when its signal is aborted, before it or meanwhile', async () => {
  await pause(HOUR_MS, AbortSignal.abort())
  const stopping = new AbortController()
  const paused = pause(HOUR_MS, stopping.signal)
  stopping.abort(new Error('stopped'))
  await expect(paused).resolves.toBeUndefined()
})

test('what looks again in one period does so together, and once in each', async () => {
  const looks: number[] = []
  for (let look = 0; look < 5; look++) {
    await pause(untilNext(20))
    looks.push(Math.floor((performance.timeOrigin + performance.now()) / 20))
  }
  expect(new Set(looks).size).toBe(5)
  expect(untilNext(3_600_000)).toBeGreaterThan(0)
  expect(untilNext(3_600_000)).toBeLessThanOrEqual(3_600_001)
})
