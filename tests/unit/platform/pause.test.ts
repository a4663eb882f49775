import { expect, test } from 'vitest'
import { pause } from '../../../platform/pause.ts'

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
