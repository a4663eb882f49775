/** What each tier may do (specification 8.2, 8.3; decisions 6.1): limits have a window, quotas do not. */

import builtIn from './tiers.json' with { type: 'json' }
import type { LimitWindow } from './windows.ts'

/** -1 unlimited, 0 disabled, above 0 enforced. */
export type LimitEntry = { value: number; window: LimitWindow; description: string }
export type QuotaEntry = { value: number; description: string }

/** By service, then by feature key. */
export type Entries<Entry> = { [service: string]: { [featureKey: string]: Entry } }

export type Tier = { limits: Entries<LimitEntry>; quotas: Entries<QuotaEntry> }
export type Tiers = { [name: string]: Tier }

type BuiltInLimits = (typeof builtIn.tiers)[keyof typeof builtIn.tiers]['limits']

/** The limit of open streams (decisions 12.4; ADR 271): of window `open`, so no use counts against it. */
export const LIVE_STREAMS = { service: 'live-api', featureKey: 'live_streams' } as const

type CountedLimits = Omit<BuiltInLimits, typeof LIVE_STREAMS.service>

/**
 * A service and the keys of its limits that one use counts against, the shortest window first. Keys are those that every
 * built-in tier has, so a wrong key in a route does not compile. The tiers files of operators may have others.
 */
export type LimitKeys = {
  [Service in keyof CountedLimits]: {
    service: Service
    features: readonly [keyof CountedLimits[Service], ...(keyof CountedLimits[Service])[]]
  }
}[keyof CountedLimits]

/** Of anonymous callers and of users without a customer. */
export const PUBLIC_TIER = 'Public'
/** Of a new customer. */
export const FIRST_TIER = 'Free'

export const UNLIMITED = -1

/** The values that are delivered; a file of the operator is laid over them. */
export const BUILT_IN_TIERS: Tiers = builtIn.tiers as Tiers

/** The tier of that name; a name that the file no longer has stands for the first one. */
export function tierOf(tiers: Tiers, name: string): { name: string; tier: Tier } {
  const known = Object.hasOwn(tiers, name) ? name : FIRST_TIER
  return { name: known, tier: tiers[known]! }
}

/** The features of a service; undefined for an unknown service, also for names that every object inherits. */
export const ofService = <Entry>(entries: Entries<Entry>, service: string) =>
  Object.hasOwn(entries, service) ? entries[service] : undefined

export function entryOf<Entry>(entries: Entries<Entry>, service: string, featureKey: string): Entry | undefined {
  const features = ofService(entries, service)
  return features !== undefined && Object.hasOwn(features, featureKey) ? features[featureKey] : undefined
}

/** The services whose quotas the quantity of a subscription multiplies (specification 8.3). */
const MULTIPLIED = new Set(['compute-api'])

/** What is enforced: tier base x quantity for compute, nothing of it for a quantity of 0; the base for the rest. */
export function effectiveQuota(service: string, base: number, quantity: number): number {
  if (!MULTIPLIED.has(service)) return base
  if (quantity === 0) return 0
  return base > 0 ? Math.min(base * quantity, Number.MAX_SAFE_INTEGER) : base
}

/** The quotas of a subscription as they are enforced. */
export function effectiveQuotas(quotas: Entries<QuotaEntry>, quantity: number): Entries<QuotaEntry> {
  return mapEntries(quotas, (entry, service) => ({
    ...entry,
    value: effectiveQuota(service, entry.value, quantity),
  }))
}

export function mapEntries<From, To>(
  entries: Entries<From>,
  map: (entry: From, service: string, featureKey: string) => To,
): Entries<To> {
  return Object.fromEntries(
    Object.entries(entries).map(([service, features]) => [
      service,
      Object.fromEntries(Object.entries(features).map(([key, entry]) => [key, map(entry, service, key)])),
    ]),
  )
}
