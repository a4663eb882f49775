/** What handlers of account events have done, what waits for another try, and what they may do (decisions 8.1). */

import type { LifecycleGroup } from '../../../schemas/accounts/lifecycle.ts'
import type { ComputeCleanup } from '../accounts/instances/port.ts'
import type { CaseworkCleanup } from '../casework/port.ts'
import type { BillingCleanup } from './offboarding/port.ts'

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
