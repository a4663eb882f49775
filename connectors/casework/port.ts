/** Casework of analysts: rows of the accounts database that one analyst owns inside of one customer (ADR 121). */

import type { CaseworkKind, Content } from '../../schemas/casework.ts'

/** Both are UUIDs. */
export type Owner = { customerId: string; userId: string }

export type CaseworkRecord = {
  /** UUID. */
  id: string
  kind: CaseworkKind
  owner: Owner
  content: Content
  /** Of a conversation: the case of the same owner that it is about. null: none, or it is gone. */
  caseId: string | null
  /** Unix milliseconds. */
  createdAt: number
  updatedAt: number
}

/** An item of a watchlist, a message of a conversation. */
export type Entry = {
  /** UUID. */
  id: string
  content: Content
  /** Unix milliseconds. */
  createdAt: number
}

/** Where a record is: another owner's is none. */
export type Place = { owner: Owner; kind: CaseworkKind; id: string }

/** `caseId` undefined: as it was. */
export type RecordChange = { content: Content; caseId?: string | null; updatedAt: number }

type Page = { limit: number; offset: number }

export interface CaseworkRecords {
  /**
   * Stores a record and takes one of its quota, both or neither. `full`: the quota is used up. `no member`: the customer,
   * or the owner's membership, is gone. `no case`: the owner has no such case.
   */
  create(record: CaseworkRecord): Promise<'created' | 'full' | 'no member' | 'no case'>
  record(place: Place): Promise<CaseworkRecord | null>
  /** Newest first; `items` counts all. */
  list(owner: Owner, kind: CaseworkKind, page: Page): Promise<{ records: CaseworkRecord[]; items: number }>
  /** Lays the content over what is there; what it does not name stays. null: no such record. */
  change(place: Place, change: RecordChange): Promise<CaseworkRecord | 'no case' | null>
  /** Deletes it with its entries and gives back its quota. False: no such record. */
  remove(place: Place): Promise<boolean>
}

export interface CaseworkEntries {
  /** `full`: it has `max` already. */
  add(record: Place, entry: Entry, max: number): Promise<'added' | 'full' | 'no record'>
  /** Oldest first; `items` counts all. null: no such record. */
  list(record: Place, page: Page): Promise<{ entries: Entry[]; items: number } | null>
  /** null: no such record or entry. */
  entry(record: Place, id: string): Promise<Entry | null>
  /** False: no such record or entry. */
  remove(record: Place, id: string): Promise<boolean>
}

/** Alerts up to `readUntil` (Unix milliseconds; null: none) are read, and those of `read`: sorted, distinct UUIDs. */
export type ReadState = { readUntil: number | null; read: string[] }

export interface AlertReads {
  /** Nothing is read where nothing was stored. */
  of(owner: Owner): Promise<ReadState>
  /** In place of what was stored. `no member`: the customer, or the owner's membership, is gone. */
  store(owner: Owner, state: ReadState, now: number): Promise<'stored' | 'no member'>
}

export type Casework = { records: CaseworkRecords; entries: CaseworkEntries; alertReads: AlertReads }

/** Clean-up inside of a transaction of the caller: kyselyCaseworkCleanup(tx, tiers). */
export interface CaseworkCleanup {
  /**
   * The user's own cases, watchlists (items), conversations (messages), saved searches, alert read-state in the customer;
   * then the four quota counters set to the true remaining counts. Rows deleted by kind.
   */
  deleteOfUser(customerId: string, userId: string): Promise<Record<string, number>>
  /** Every row of the customer across all analysts, no quota reconciliation. */
  deleteOfCustomer(customerId: string): Promise<Record<string, number>>
}
