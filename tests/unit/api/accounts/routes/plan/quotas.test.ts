import { expect, test } from 'vitest'
import { effectiveQuota } from '../../../../../../schemas/accounts/tiers/tiers.ts'

test('the quantity multiplies compute quotas, and neither none nor unlimited', () => {
  expect(effectiveQuota('compute-api', 5, 3)).toBe(15)
  expect(effectiveQuota('casework-api', 5, 3)).toBe(5)
  expect(effectiveQuota('compute-api', 0, 3)).toBe(0)
  expect(effectiveQuota('compute-api', -1, 3)).toBe(-1)
  expect(effectiveQuota('compute-api', -1, 0)).toBe(0)
  expect(effectiveQuota('compute-api', 5, 0)).toBe(0)
  expect(effectiveQuota('casework-api', 5, 0)).toBe(5)
  expect(effectiveQuota('compute-api', 1e12, 1e9)).toBe(Number.MAX_SAFE_INTEGER)
})
