import { expect, test } from 'vitest'
import { free } from '../../../platform/free.ts'

test('bytes that have their memory alone are gone; those that share it stay', () => {
  const alone = Buffer.allocUnsafeSlow(65_536).fill(1)
  const whole = Buffer.allocUnsafeSlow(10).fill(2)
  const shared = whole.subarray(1)
  free(alone)
  free(shared)
  free(alone)
  expect([alone.length, shared.length, whole[0], whole[9]]).toEqual([0, 9, 2, 2])
})
