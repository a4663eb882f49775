/** Casework of analysts: rows of the accounts database that one analyst owns inside of one customer (ADR 280). */

import type { CaseworkKind, Content, EntryKind } from '../../../schemas/casework/casework.ts'
import type { Owner, ReadState } from '../../../schemas/casework/owner.ts'
import type { SeenEntity, TriageChange, TriageOwner, TriageState } from '../../../schemas/casework/triage.ts'
import type { AlertInbox } from './alerts/port.ts'

// What teams did about entities, as rows of the accounts database (ADR 239).

/** Whose state changes, and who does it. `hasRow` false: the administrator of the configuration, who is no user there. */
export type TriageActor = { owner: TriageOwner; userId: string; hasRow: boolean }

/** Somebody that an entity may be assigned to; the name is empty where none is known. */
type TriageMember = { userId: string; name: string }

export interface Triage {
  /** The states of these entities, as far as there are any; in the order of their ids. */
  of(owner: TriageOwner, entityIds: readonly string[]): Promise<TriageState[]>
  /**
   * Changes what is noted of these entities, all or none, and forgets what is too old or too much. `no member`: the
   * membership, or the account, is gone. `no assignee`: the assignee is no member. Returns what is noted now.
   * @param now unix milliseconds
   */
  change(
    actor: TriageActor,
    entities: readonly SeenEntity[],
    change: TriageChange,
    now: number,
  ): Promise<TriageState[] | 'no member' | 'no assignee'>
  /** Members of the customer, or the user alone; by name. */
  members(owner: TriageOwner): Promise<TriageMember[]>
}

export type NewRecord = {
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

export type CaseworkRecord = NewRecord & {
  /** Ordinal of the entry that is added next: how many were ever added. */
  nextSeq: number
  /** Unix milliseconds; null: nothing was ever added. */
  lastEntryAt: number | null
}

export type NewEntry = {
  /** UUID. */
  id: string
  kind: EntryKind
  /** What a record holds once of a kind; null: as often as it is added. */
  key: string | null
  content: Content
  /** Unix milliseconds. */
  createdAt: number
}

/** `seq`: its place in its record, from 0. */
export type Entry = NewEntry & { seq: number }

/** Where a record is: another owner's is none. */
export type RecordKey = { owner: Owner; kind: CaseworkKind; id: string }

/** `caseId` undefined: as it was. */
export type RecordChange = { content: Content; caseId?: string | null; updatedAt: number }

export type Page = { limit: number; offset: number }

/** What a list is narrowed to. `caseId` null: conversations about no case. */
export type RecordFilter = { status?: string; caseId?: string | null }

export interface CaseworkRecords {
  /**
   * Stores a record and takes one of its quota, both or neither. `full`: the quota is used up. `no member`: the customer,
   * or the owner's membership, is gone. `no case`: the owner has no such case.
   */
  create(record: NewRecord): Promise<'created' | 'full' | 'no member' | 'no case'>
  record(place: RecordKey): Promise<CaseworkRecord | null>
  /** Newest first, conversations by what was added last; `items` counts all. */
  list(
    owner: Owner,
    kind: CaseworkKind,
    filter: RecordFilter,
    page: Page,
  ): Promise<{ records: CaseworkRecord[]; items: number }>
  /** Lays the content over what is there; what it does not name stays. null: no such record. */
  change(place: RecordKey, change: RecordChange): Promise<CaseworkRecord | 'no case' | null>
  /** Deletes it with its entries and gives back its quota. False: no such record. */
  remove(place: RecordKey): Promise<boolean>
}

/** `max`: the most that the record may have of the kind. `sameSince`: Unix milliseconds. */
export type Adding = { max: number; sameSince?: number }

/** `added` false: it was there already, by its key or as the last of its kind, and stays as it is. */
export type Added = { record: CaseworkRecord; entry: Entry; added: boolean }

export interface CaseworkEntries {
  /**
   * Adds an entry. One with the key of another, or with the same content as the last of its kind when that was added at
   * or after `sameSince`, is that one. `full`: it has `max` already.
   */
  add(place: RecordKey, entry: NewEntry, adding: Adding): Promise<Added | 'full' | 'no record'>
  /** In the order in which they were added; `items` counts all. null: no such record. */
  list(
    place: RecordKey,
    kind: EntryKind,
    page: Page,
  ): Promise<{ record: CaseworkRecord; entries: Entry[]; items: number } | null>
  /** Of these records, each in its order, `max` in all; `counts` has the true number of each by its id. */
  among(
    records: readonly CaseworkRecord[],
    kinds: readonly EntryKind[],
    max: number,
  ): Promise<{ entries: Map<string, Entry[]>; counts: Map<string, number> }>
  /** null: no such record or entry. */
  entry(place: RecordKey, kind: EntryKind, id: string): Promise<Omit<Added, 'added'> | null>
  /** By its id or its key. False: no such record or entry. */
  remove(place: RecordKey, kind: EntryKind, which: { id: string } | { key: string }): Promise<boolean>
  /** Turns of the owner's conversations that hold every word, of which the last may be unfinished; newest first. */
  search(owner: Owner, words: string, page: Page): Promise<{ found: Omit<Added, 'added'>[]; items: number }>
}

export interface AlertReads {
  /** Nothing is read where nothing was stored. */
  of(owner: Owner): Promise<ReadState>
  /** In place of what was stored. `no member`: the customer, or the owner's membership, is gone. */
  store(owner: Owner, state: ReadState, now: number): Promise<'stored' | 'no member'>
}

export type Casework = {
  records: CaseworkRecords
  entries: CaseworkEntries
  alertReads: AlertReads
  alerts: AlertInbox
  triage: Triage
}

/** Clean-up inside of a transaction of the caller: kyselyCaseworkCleanup(tx, tiers). */
export interface CaseworkCleanup {
  /**
   * The user's own cases (notes, pinned entities), watchlists (items), conversations (messages, turns), saved searches,
   * alerts and their read state in the customer; then the four quota counters set to the true remaining counts. Rows deleted by kind.
   */
  deleteOfUser(customerId: string, userId: string): Promise<Record<string, number>>
  /** Every row of the customer across all analysts, no quota reconciliation. */
  deleteOfCustomer(customerId: string): Promise<Record<string, number>>
}
