/** What can be ordered. Without the values of the tiers, which are long. */

/** Tiers that a customer can have; `Public` is of callers without one. */
export const CUSTOMER_TIERS = ['Free', 'Pro', 'Enterprise'] as const
export type CustomerTier = (typeof CUSTOMER_TIERS)[number]

/** Tiers that are for sale. */
export const PAID_TIERS = ['Pro', 'Enterprise'] as const satisfies CustomerTier[]
export type PaidTier = (typeof PAID_TIERS)[number]

/** The tier above: of `Free` and of a name that is not known here the first one for sale; null at the top. */
export function tierAbove(tier: string): PaidTier | null {
  const next = CUSTOMER_TIERS[Math.max(0, CUSTOMER_TIERS.indexOf(tier as CustomerTier)) + 1]
  return PAID_TIERS.find((paid) => paid === next) ?? null
}

/** What to say of a tier; its values are in the limits and quotas. */
const DESCRIPTIONS: Record<CustomerTier, string> = {
  Free: 'For evaluation: free of charge, with low limits.',
  Pro: 'For a team in daily use.',
  Enterprise: 'For an organisation that connects its own systems: the highest limits.',
}

/** Empty for a tier of the operator. */
export const tierDescription = (tier: string): string =>
  Object.hasOwn(DESCRIPTIONS, tier) ? DESCRIPTIONS[tier as CustomerTier] : ''

export const MAX_QUANTITY = 1000
