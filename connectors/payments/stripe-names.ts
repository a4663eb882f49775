/** What ties records at Stripe to ours. */

import { PAID_TIERS } from '../../schemas/accounts/tiers/for-sale.ts'

/** Metadata of customers and subscriptions at Stripe: the UUID of our customer. */
export const CUSTOMER_ID = 'harrier_customer_id'

/** Lookup key of the price of a tier. */
export const priceKey = (tier: string): string => `harrier_${tier.toLowerCase()}`

/** null: no price of ours. */
export const tierOf = (lookupKey: string | null): string | null =>
  PAID_TIERS.find((tier) => priceKey(tier) === lookupKey) ?? null
