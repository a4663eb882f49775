/** What has been taken of every limit, beside the limit (decisions 6.4). */

import type { Limits, Subject } from '../../../connectors/postgres/accounts/plan/port.ts'
import type { OpenStreams } from '../../../connectors/postgres/live/port.ts'
import { decide, remainingOf } from '../../../schemas/accounts/tiers/decide.ts'
import { entryOf, LIVE_STREAMS, UNLIMITED } from '../../../schemas/accounts/tiers/tiers.ts'
import { type LimitWindow, OPEN, spanOf } from '../../../schemas/accounts/tiers/windows.ts'
import type { Allowance } from './allowance.ts'

export type ConsumptionPorts = { limits: Pick<Limits, 'usage'>; streams: Pick<OpenStreams, 'open'> }

/**
 * Consumption of features that are unlimited is not counted and shows as 0. What is open at once has no end of a window:
 * `resetAt` is the next second, because a stream may end at any time. `at` in Unix milliseconds.
 */
export async function consumptionOf(ports: ConsumptionPorts, allowance: Allowance, shown: Subject, at: number) {
  const used = await takenOf(ports, allowance, at)
  const services = Object.entries(allowance.tier.limits).map(([serviceName, entries]) => {
    const features = Object.entries(entries).map(([featureKey, { value, window, description }]) => {
      const limit = allowance.subject === null ? UNLIMITED : value
      const counted = limit > 0 ? (used.get(keyOf(serviceName, featureKey, window, startOf(window, at))) ?? 0) : 0
      return {
        featureKey,
        currentUsage: counted,
        limit,
        remaining: remainingOf(limit, counted),
        window,
        resetAt: Math.floor((window === OPEN ? at + 1_000 : spanOf(window, at).end) / 1000),
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

const keyOf = (service: string, featureKey: string, window: LimitWindow, start: number): string =>
  `${service} ${featureKey} ${window} ${start}`

const startOf = (window: LimitWindow, at: number): number => (window === OPEN ? 0 : spanOf(window, at).start)

/** What the subject has taken, by key. */
async function takenOf(
  { limits, streams }: ConsumptionPorts,
  { subject, tier }: Allowance,
  at: number,
): Promise<Map<string, number>> {
  if (subject === null) return new Map()
  const { service, featureKey } = LIVE_STREAMS
  // An unlimited number is not counted.
  const limited = (entryOf(tier.limits, service, featureKey)?.value ?? 0) > 0
  const [rows, open] = await Promise.all([limits.usage(subject, at), limited ? streams.open(subject, at) : 0])
  const used = rows.map((row) => [keyOf(row.service, row.featureKey, row.window, row.start), row.used] as const)
  return new Map([...used, [keyOf(service, featureKey, OPEN, 0), open]])
}
