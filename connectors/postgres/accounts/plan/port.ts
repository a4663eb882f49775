/** The subscription of a customer, and what it defines: limits of consumption and quotas, counted once for all processes. */

import type { Window } from '../../../../schemas/accounts/tiers/windows.ts'

/** The subject whose consumption is counted (decisions 6.2). */
export type Subject = { type: 'customer' | 'user' | 'ip'; id: string }

/** One window of one feature of one subject. Times are Unix milliseconds. */
export type Counter = {
  subject: Subject
  service: string
  featureKey: string
  window: Window
  start: number
  end: number
}

/** `used`: units of the window that are taken, as far as this process knows; never less than what it took itself. */
export type LimitState = { admitted: boolean; used: number }

export type Usage = { service: string; featureKey: string; window: Window; start: number; used: number }

export interface Limits {
  /**
   * Takes `units` of a counter whose limit is above 0, all or none. Over all processes no more than `limit` are ever
   * admitted. Rejects when the store cannot say.
   */
  take(counter: Counter, limit: number, units: number): Promise<LimitState>
  /** Undoes an admitted take. */
  giveBack(counter: Counter, units: number): void
  /** The windows of a subject that are open at a time. */
  usage(subject: Subject, at: number): Promise<Usage[]>
}

/** What a customer pays for. */
export type Subscription = { tier: string; quantity: number }

export interface Subscriptions {
  /** null: no such customer. */
  of(customerId: string): Promise<Subscription | null>
  /** The same for every request: may be as old as a moment. */
  recent(customerId: string): Promise<Subscription | null>
}

/** What is counted, such as `max_instances` of `compute-api`. */
export type Quota = { service: string; featureKey: string }

/** `cap` is what is enforced: -1 unlimited, 0 disabled. `used` is after the call. */
export type Taken = { taken: boolean; used: number; cap: number }

export type QuotaUse = Quota & { used: number }

/** Absolute counts of what a customer has (specification 8.3), checked and changed in one step. */
export interface Quotas {
  /**
   * Takes `count` before as many things are made, all or none: callers at the same time never exceed the cap together.
   * null: no such customer, or a quota that its tier does not have.
   */
  take(customerId: string, quota: Quota, count: number): Promise<Taken | null>
  /** What was taken and not made, or is gone again. The count never falls below 0. */
  release(customerId: string, quota: Quota, count: number): Promise<void>
  /** Sets the count to what there truly is, also above the cap. Without effect for an unknown customer. */
  reconcile(customerId: string, quota: Quota, trueCount: number): Promise<void>
  /**
   * What is counted; a quota that was never taken is not listed. What each member has by itself is that of this user, and
   * without one not listed.
   */
  usage(customerId: string, userId?: string): Promise<QuotaUse[]>
}
