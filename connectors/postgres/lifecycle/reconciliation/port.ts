/** What missed events have left behind, found page by page (decisions 8.1). */

import type { Quota } from '../../accounts/plan/port.ts'

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
