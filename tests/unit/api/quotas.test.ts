import { expect, test } from 'vitest'
import { takeQuota } from '../../../api/services/quotas.ts'
import type { Taken } from '../../../connectors/quotas/port.ts'
import { effectiveQuota } from '../../../schemas/tiers/tiers.ts'
import { noQuotas } from '../../builders/ports.ts'

const INSTANCES = { service: 'compute-api', featureKey: 'max_instances' }
const answering = (answer: Taken | null) => takeQuota({ ...noQuotas, take: async () => answer }, 'customer', INSTANCES)

test('a quota that is used up is a 409, a customer that is gone a 404', async () => {
  await expect(answering({ taken: true, used: 1, cap: 1 })).resolves.toBeUndefined()
  await expect(answering({ taken: false, used: 1, cap: 1 })).rejects.toMatchObject({
    status: 409,
    code: 'quota_exceeded',
    message: 'quota exceeded',
  })
  await expect(answering(null)).rejects.toMatchObject({ status: 404 })
})

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
