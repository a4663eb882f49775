/** The consumption of limits, counted once for all processes, and the subscription that defines the limits. */

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
