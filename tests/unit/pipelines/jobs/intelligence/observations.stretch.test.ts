import { expect, test } from 'vitest'
import { stretchOf } from '../../../../../pipelines/jobs/intelligence/observations.ts'

test.each([
  [0, 0, 0],
  [99, 0, 0],
  [100, 400, 400],
  [1_199, 400, 400],
  [1_200, 400, 900],
  [2_999, 400, 900],
  [3_000, 400, 2_500],
  [1e6, 400, 2_500],
])('%d records a second stretch the wait to %d ms, on a saturated machine to %d', (rate, free, saturated) => {
  expect(stretchOf(rate)).toBe(free)
  expect(stretchOf(rate, () => false)).toBe(free)
  expect(stretchOf(rate, () => true)).toBe(saturated)
})
