/**
 * How users, memberships and customers end (specification 6): the ends themselves, what handlers of their events do and have
 * done, and what missed events have left behind (decisions 8.1).
 */

import type { Cause, CustomerEnd, LifecycleGroup } from '../../../schemas/accounts/lifecycle.ts'
import type { ComputeCleanup } from '../accounts/instances/port.ts'
import type { Quota } from '../accounts/plan/port.ts'
import type { CaseworkCleanup } from '../casework/port.ts'

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

/** What handlers query before they act, in the transaction of the action. */
export interface AssetFacts {
  /** Customers in which the user has instances, those that it has left among them; sorted, at most 1,000. */
  instanceCustomers(userId: string): Promise<string[]>
  /** The same for casework. */
  caseworkCustomers(userId: string): Promise<string[]>
  /** How many instances the customer may have now; -1: any number. null: no such customer. Stays so until the end. */
  instanceCap(customerId: string): Promise<number | null>
}

/** Everything that a handler may do, in one transaction. */
export type Effects = {
  billing: BillingCleanup
  compute: ComputeCleanup
  casework: CaseworkCleanup
  facts: AssetFacts
}

/** An event that failed, or that stands behind one of its key that did. Times are unix milliseconds. */
export type Parked = {
  handler: LifecycleGroup
  /** Events of one key are tried in the order in which they were parked. */
  key: string
  eventId: string
  /** As it stood on the log, and where. */
  record: Buffer
  partition: number
  offset: number
  time: number
  /** Tries that failed. */
  attempts: number
  nextAt: number
  reason: string
}

/** What handlers of account events have done, and what waits for another try. */
export interface LifecycleStore {
  /**
   * Runs `work` in one transaction with the note that this handler is done with the event; whatever waited for another
   * try does so no more. False: it was done before, and `work` did not run.
   */
  once(
    handler: LifecycleGroup,
    eventId: string,
    now: number,
    work: (effects: Effects) => Promise<void>,
  ): Promise<boolean>
  /** Whether an event of the key waits for this handler. */
  waits(handler: LifecycleGroup, key: string): Promise<boolean>
  /** An event that waits already stays as it is. */
  park(parked: Parked): Promise<void>
  /** The first event of each key, where its time has come. */
  due(now: number, limit: number): Promise<Parked[]>
  /** When the first event of a key is due next (unix milliseconds); null: none waits. */
  nextAt(): Promise<number | null>
  postpone(parked: Pick<Parked, 'handler' | 'eventId' | 'attempts' | 'nextAt' | 'reason'>): Promise<void>
  /** How many wait, counted up to `limit`. */
  waiting(limit: number): Promise<number>
  /** Forgets up to `limit` events that were done before `before` (unix milliseconds). Returns how many. */
  prune(before: number, limit: number): Promise<number>
}

/** Where a page ended: the next begins after it. */
export type Cursor = { customerId: string; userId: string }

/** What a user still has in a customer after the user or the customer was deleted. */
export type Orphans = Cursor & {
  userGone: boolean
  /** Of a membership. */
  role: string | null
  rows: number
}

export type OrphanKind = 'instances' | 'casework' | 'memberships'

/** A counter that is not what there is. */
export type QuotaDrift = { customerId: string; quota: Quota }

/** What missed events have left behind, found page by page. */
export interface Reconciliation {
  /** True for whoever asks first once a turn is due; the next is due `everyMs` later. `now` in unix milliseconds. */
  takeTurn(now: number, everyMs: number): Promise<boolean>
  /** In the order of their cursors; null: from the beginning. */
  orphans(kind: OrphanKind, after: Cursor | null, limit: number): Promise<Orphans[]>
  /** Ids of customers that have no owner, not even one that is gone, in order. */
  ownerless(after: string | null, limit: number): Promise<string[]>
  /** Looks at the next `limit` customers in the order of their ids; `last` null: there were none. */
  drift(after: string | null, limit: number): Promise<{ drift: QuotaDrift[]; last: string | null }>
  /** Counts again and sets the counter, while nobody else changes either. False: it was right. */
  correct(drift: QuotaDrift): Promise<boolean>
  /** Unix milliseconds of the oldest event that is not on the log; null: there is none. */
  oldestUnpublished(): Promise<number | null>
}
