/** Quotas of customers: what is enforced, what is taken, and the check before something is made (specification 8.3). */

import type { Quota, Quotas } from '../../connectors/quotas/port.ts'
import { remainingOf } from '../../schemas/tiers/decide.ts'
import { effectiveQuotas } from '../../schemas/tiers/tiers.ts'
import { ApiError } from '../errors.ts'
import type { Membership } from './allowance.ts'

/** Takes `count` before as many things are made. Throws 409 when they do not fit, 404 for a customer that is gone. */
export async function takeQuota(quotas: Quotas, customerId: string, quota: Quota, count = 1): Promise<void> {
  const answer = await quotas.take(customerId, quota, count)
  if (answer === null) throw new ApiError('not_found', { message: 'no such customer or quota' })
  if (!answer.taken) throw new ApiError('quota_exceeded')
}

/** Every quota of the customer beside its count. */
export async function quotaUsage(quotas: Quotas, { customerId, tier, quantity }: Membership) {
  const counted = await quotas.usage(customerId)
  const used = new Map(counted.map((row) => [`${row.service} ${row.featureKey}`, row.used]))
  const services = Object.entries(effectiveQuotas(tier.quotas, quantity)).map(([serviceName, entries]) => {
    const features = Object.entries(entries).map(([featureKey, { value: limit, description }]) => {
      const currentUsage = used.get(`${serviceName} ${featureKey}`) ?? 0
      return { featureKey, currentUsage, limit, remaining: remainingOf(limit, currentUsage), description }
    })
    return [serviceName, { serviceName, features }] as const
  })
  return {
    customerId,
    services: Object.fromEntries(services),
    totalFeatures: services.reduce((sum, [, { features }]) => sum + features.length, 0),
    // Reserved by the specification.
    fetchedAt: 0,
  }
}
