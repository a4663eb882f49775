/** What has been taken of every limit, beside the limit (decisions 6.4). */

import type { Limits, Subject } from '../../../connectors/postgres/limits/port.ts'
import { decide, remainingOf } from '../../../schemas/accounts/tiers/decide.ts'
import { UNLIMITED } from '../../../schemas/accounts/tiers/tiers.ts'
import { spanOf } from '../../../schemas/accounts/tiers/windows.ts'
import type { Allowance } from './allowance.ts'

/** Consumption of features that are unlimited is not counted and shows as 0. `at` in Unix milliseconds. */
export async function consumptionOf(limits: Limits, allowance: Allowance, shown: Subject, at: number) {
  const rows = allowance.subject === null ? [] : await limits.usage(allowance.subject, at)
  const used = new Map(rows.map((row) => [`${row.service} ${row.featureKey} ${row.window} ${row.start}`, row.used]))
  const services = Object.entries(allowance.tier.limits).map(([serviceName, entries]) => {
    const features = Object.entries(entries).map(([featureKey, { value, window, description }]) => {
      const { start, end } = spanOf(window, at)
      const limit = allowance.subject === null ? UNLIMITED : value
      const counted = limit > 0 ? (used.get(`${serviceName} ${featureKey} ${window} ${start}`) ?? 0) : 0
      return {
        featureKey,
        currentUsage: counted,
        limit,
        remaining: remainingOf(limit, counted),
        window,
        resetAt: Math.floor(end / 1000),
        isLocked: decide(limit, counted) !== 'allowed',
        description,
      }
    })
    return [serviceName, { serviceName, features }] as const
  })
  return {
    identifier: shown.id,
    identifierType: shown.type,
    services: Object.fromEntries(services),
    totalFeatures: services.reduce((sum, [, { features }]) => sum + features.length, 0),
    fetchedAt: Math.floor(at / 1000),
  }
}
