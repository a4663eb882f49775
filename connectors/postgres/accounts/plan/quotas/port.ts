/** Absolute counts of what a customer has (specification 8.3), checked and changed in one step. */

/** `max_instances` of `compute-api`. */
export type Quota = { service: string; featureKey: string }

/** `cap` is what is enforced: -1 unlimited, 0 disabled. `used` is after the call. */
export type Taken = { taken: boolean; used: number; cap: number }

export type QuotaUse = Quota & { used: number }

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
