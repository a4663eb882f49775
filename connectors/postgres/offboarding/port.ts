/** How memberships and customers end (specification 6). Over the database of accounts. */

import type { Cause, CustomerEnd } from '../../../schemas/accounts/lifecycle.ts'

/** `cause.id` is the id of `customer.deleted`. */
export type Offboarding = { reason: CustomerEnd; cause: Cause }

export interface CustomerOffboarding {
  /**
   * Deletes the customer with its memberships, its usage and what is known of it at the payment provider, together with
   * `customer.deleted`, and `subscription.cancelled` before it when it paid for something. False: no such customer.
   */
  end(customerId: string, ending: Offboarding): Promise<boolean>
}

/** The same inside of a transaction of the caller. */
export interface BillingCleanup extends CustomerOffboarding {
  /** Owners whose user is there, beside `userId`; nobody changes the team until the transaction ends. null: no such customer. */
  otherOwners(customerId: string, userId: string): Promise<number | null>
  removeMember(customerId: string, userId: string): Promise<void>
}
