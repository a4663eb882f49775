/** Limits and quotas as they are shown. Pure. */

import { formatDuration } from '../../parts/time/duration.ts'

export type Feature = {
  featureKey: string
  currentUsage: number
  /** -1 unlimited, 0 disabled. */
  limit: number
  remaining: number
  description: string
  /** Of limits; `open`: how many may be open at the same time. */
  window?: string
  /** Unix seconds, of limits; means nothing of what is open at the same time. */
  resetAt?: number
  /** Of limits: the next use will be refused. */
  isLocked?: boolean
}

export type Services = Record<string, { serviceName: string; features: Feature[] }>

export const USAGE_FILTERS = { all: 'All', used: 'In use', locked: 'Locked' } as const
export type UsageFilter = keyof typeof USAGE_FILTERS

export type UsageState = 'unlimited' | 'off' | 'full' | 'high' | 'free'

/** How a feature stands: `full` admits nothing more, `high` from four fifths on. */
export function stateOf({ limit, currentUsage }: Pick<Feature, 'limit' | 'currentUsage'>): UsageState {
  if (limit === -1) return 'unlimited'
  if (limit === 0) return 'off'
  if (currentUsage >= limit) return 'full'
  return currentUsage >= 0.8 * limit ? 'high' : 'free'
}

const number = (of: number): string => of.toLocaleString('en')

/** `3 of 50 used, 47 left` */
export function usageText(feature: Feature): string {
  const { limit, currentUsage } = feature
  const state = stateOf(feature)
  if (state === 'unlimited') return currentUsage > 0 ? `${number(currentUsage)} used, no limit` : 'no limit'
  if (state === 'off') return 'not part of the plan'
  return `${number(currentUsage)} of ${number(limit)} used, ${number(Math.max(0, limit - currentUsage))} left`
}

/** When a limit begins anew, in Unix milliseconds; null of quotas and of what may be open at the same time. */
export const resetTime = ({ window, resetAt }: Feature): number | null =>
  resetAt === undefined || window === 'open' ? null : resetAt * 1_000

/** `per day, resets in 3 h`; null of quotas. `now` in Unix milliseconds. */
export function windowText(feature: Feature, now: number): string | null {
  const { window, limit } = feature
  if (window === undefined) return null
  if (window === 'open') return 'at the same time'
  const resets = resetTime(feature)
  return limit > 0 && resets !== null ? `per ${window}, resets in ${formatDuration(resets - now)}` : `per ${window}`
}

/** What to call a feature: its description without the full stop, or its key. */
export const featureName = ({ description, featureKey }: Feature): string =>
  description === '' ? featureKey : description.replace(/\.$/, '')

const MATCHES: Record<UsageFilter, (feature: Feature) => boolean> = {
  all: () => true,
  used: ({ currentUsage }) => currentUsage > 0,
  locked: (feature) => ['off', 'full'].includes(stateOf(feature)),
}

/** `In use 3` */
export const filterLabel = (services: Services, filter: UsageFilter): string =>
  `${USAGE_FILTERS[filter]} ${Object.values(services).flatMap(({ features }) => features.filter(MATCHES[filter])).length}`

/** Services with the features that `filter` selects; services without any are left out. The order stays. */
export function filterServices(services: Services, filter: UsageFilter): [service: string, features: Feature[]][] {
  return Object.entries(services)
    .map(([service, { features }]): [string, Feature[]] => [service, features.filter(MATCHES[filter])])
    .filter(([, features]) => features.length > 0)
}
