/** Offboarding: how users, memberships and customers end (specification 6). Over the database of accounts. */

import type { Cause, CustomerEnd } from '../../../../schemas/accounts/lifecycle.ts'

/** `cause.id` is the id of `customer.deleted`. */
export type Offboarding = { reason: CustomerEnd; cause: Cause }

export interface UserOffboarding {
  /** With keys and sessions; what else it had goes when `user.deleted` is handled. False: no such user. */
  deleteUser(id: string, cause: Cause): Promise<boolean>
}

export interface CustomerOffboarding {
  /**
   * Deletes the customer with its memberships, its usage and its data about the payment provider, together with the
   * event `customer.deleted`; a paying customer gets `subscription.cancelled` before it. False: there is no such
   * customer.
   */
  end(customerId: string, ending: Offboarding): Promise<boolean>
}

/** The same inside the caller's transaction. */
export interface BillingCleanup extends CustomerOffboarding {
  /**
   * Number of existing users who own the customer, other than `userId`. The team cannot change until the transaction
   * ends. null: there is no such customer.
   */
  otherOwners(customerId: string, userId: string): Promise<number | null>
  removeMember(customerId: string, userId: string): Promise<void>
}
