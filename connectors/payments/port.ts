/** Payments: the provider where customers pay, and the subscriptions that follow from what it says (decisions 8.4). */

import type { Cause } from '../../schemas/accounts/lifecycle.ts'
import type { PaidTier } from '../../schemas/accounts/tiers/for-sale.ts'

/** A customer as the provider is to know it. */
export type Payer = {
  /** UUID of the customer. */
  id: string
  name: string
  email: string
  /** Ids at the provider; null: it has not met the customer, or there is no running subscription. */
  providerCustomer: string | null
  subscription: string | null
  /** What it pays for now. */
  tier: string
  quantity: number
}

export type Order = { tier: PaidTier; quantity: number }

/** Where the browser of the owner goes when it is done, and when it gave up. */
export type ReturnUrls = { success: string; cancel: string }

export type Checkout = {
  /** Where the owner goes on. */
  url: string
  /** Whether the order counts now; otherwise the provider says so later, in a notice. */
  paid: boolean
}

/** What the provider says of a subscription. */
export type Notice = {
  /** The provider's id of the notice: the same when it is sent again. */
  id: string
  /** Unix milliseconds, of the provider's clock. */
  time: number
  customerId: string
  providerCustomer: string
  subscription: string
  /** What is paid for from now on; null: nothing any more. */
  order: { tier: string; quantity: number } | null
}

/** A notice that is not the provider's, is too old, or cannot be read. The message is fit for its sender. */
export class NoticeRefused extends Error {}

export interface Payments {
  /** Opens the provider's account of a customer; its id is to be kept. A second call for the same customer returns the same account. */
  register(payer: Payer): Promise<string>
  /** Rejects when the provider cannot be reached or refuses. `back` null: to the place that is configured. */
  checkout(payer: Payer & { providerCustomer: string }, order: Order, back: ReturnUrls | null): Promise<Checkout>
  /** Where the owner sees bills and changes what is paid for. */
  portal(providerCustomer: string): Promise<string>
  /** Ends a running subscription at once; one that is over already is no error. */
  end(subscription: string): Promise<void>
  /** Ends the account of a customer with whatever it pays for, at once; an account that does not exist any more is no error. */
  remove(providerCustomer: string): Promise<void>
  /** null: this provider sends no notices. */
  notices: NoticeReader | null
}

/**
 * The notice in a signed body; null when it is about something else. `now` in unix milliseconds.
 * Throws NoticeRefused.
 */
export type NoticeReader = (body: Buffer, signature: string, now: number) => Notice | null

type Outcome = 'done' | 'unchanged' | 'unknown customer'

export interface SubscriptionLedger {
  /** null: the user is in no customer. */
  membership(userId: string): Promise<{ customerId: string; role: string } | null>
  /** null: no such customer. */
  payer(customerId: string): Promise<Payer | null>
  /** The provider's id of a customer; of several at once, the first one stays, and is what all of them get. */
  link(customerId: string, providerCustomer: string): Promise<string>
  /** Together with a `subscription.changed` event; unchanged values write nothing. */
  set(customerId: string, order: { tier: string; quantity: number }, cause: Cause): Promise<Outcome>
  /**
   * Together with a `subscription.cancelled` event; `unchanged`: it was cancelled before. What the provider says later
   * of the subscription that ran changes nothing.
   */
  cancel(customerId: string, cause: Cause): Promise<Outcome>
  /**
   * Applies what the provider said, once. `unchanged`: it was applied before, is older than what was applied, or is
   * about another subscription than the running one.
   */
  apply(notice: Notice, cause: Cause): Promise<Outcome>
}
