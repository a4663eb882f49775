/** What can be ordered. Without the values of the tiers, which are long. */

/** Tiers that a customer can have; `Public` is of callers without one. */
export const CUSTOMER_TIERS = ['Free', 'Pro', 'Enterprise'] as const
export type CustomerTier = (typeof CUSTOMER_TIERS)[number]

/** Tiers that are for sale. */
export const PAID_TIERS = ['Pro', 'Enterprise'] as const satisfies CustomerTier[]
export type PaidTier = (typeof PAID_TIERS)[number]

export const MAX_QUANTITY = 1000
