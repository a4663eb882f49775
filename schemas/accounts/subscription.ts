/** What a customer pays for, and what it means for its quotas (specification 6, 8.3; decisions 8.2; ADR 277). */

import { effectiveQuota } from './tiers/tiers.ts'

/** A cancelled one leaves the customer on `Free`, with effective quotas of zero. */
export type Subscription = { tier: string; quantity: number; status: 'active' | 'cancelled' }

export const CANCELLED: Subscription = { tier: 'Free', quantity: 1, status: 'cancelled' }

/** `max_instances` of a tier for a quantity of one; -1 has no bound. */
export type MaxInstances = (tier: string) => number

type Effective = { max_instances: number }

export type SubscriptionChange = {
  tier: string
  quantity: number
  oldTier: string
  oldQuantity: number
  effective: Effective
  oldEffective: Effective
}

/** What multiplies the quotas: nothing is left of a cancelled subscription. */
export const paidQuantity = ({ quantity, status }: Pick<Subscription, 'quantity' | 'status'>): number =>
  status === 'cancelled' ? 0 : quantity

export const effective = (subscription: Subscription, maxInstances: MaxInstances): Effective => ({
  max_instances: effectiveQuota('compute-api', maxInstances(subscription.tier), paidQuantity(subscription)),
})

/** What the event about the step from `old` to `next` says. */
export const subscriptionChange = (
  old: Subscription,
  next: Subscription,
  maxInstances: MaxInstances,
): SubscriptionChange => ({
  tier: next.tier,
  quantity: next.quantity,
  oldTier: old.tier,
  oldQuantity: old.quantity,
  effective: effective(next, maxInstances),
  oldEffective: effective(old, maxInstances),
})

export const sameSubscription = (a: Subscription, b: Subscription): boolean =>
  a.tier === b.tier && a.quantity === b.quantity && a.status === b.status
