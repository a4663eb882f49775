/** Quotas of customers: what is enforced and what is taken (specification 8.3). */

import type { Quotas } from '../../../connectors/postgres/accounts/plan/port.ts'
import { remainingOf } from '../../../schemas/accounts/tiers/decide.ts'
import { effectiveQuotas } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Membership } from '../../http/limits/allowance.ts'

/** Every quota of the customer beside its count; what each member has by itself is counted for this one. */
export async function quotaUsage(quotas: Quotas, { customerId, tier, quantity }: Membership, userId: string) {
  const counted = await quotas.usage(customerId, userId)
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
    // Reserved (specification 4.6).
    fetchedAt: 0,
  }
}
