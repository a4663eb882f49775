/** What the operation of the platform keeps: audit records, records on their way to the log, names and settings. */

import type { AuditEntry } from '../../../schemas/audit/record.ts'

/** The audit log as the API writes it (decisions 16.2, ADR 278). */
export interface AuditWriter {
  /** Resolves once the records are stored. */
  store(entries: readonly AuditEntry[]): Promise<void>
  /** Stores it within a moment; what waits then is lost with the process. */
  note(entry: AuditEntry): void
  /**
   * The same of a refusal. Of many by one `source` (a key, a user or an address) within a minute the further ones become one
   * record that counts them.
   */
  refuse(entry: AuditEntry, source: string): void
  /** The same of a read. Of many of one subject by one caller within a minute the further ones become one record. */
  read(entry: AuditEntry): void
}

/** What brings stored records into their chains. */
export interface AuditSealing {
  /** Seals the oldest records, at most `limit`. Returns how many; 0 also while another process seals. */
  seal(limit: number): Promise<number>
  waiting(): Promise<boolean>
}

/** A record that was stored together with the change that it reports, and waits to be sent to the log. */
export type OutboxRecord = {
  /** Order of the table; records of one key are read in the order in which their changes were committed. */
  seq: number
  topic: string
  key: string
  /** As it goes to the log. */
  record: Buffer
}

/** Records on their way to the log, as their relay sees them (ADR 277). */
export interface Outbox {
  /**
   * Takes the turn of relaying until `now + leaseMs` for `holder`, a UUID. False: another one has it. The turn keeps
   * relays from repeating each other; the order of records does not depend on it.
   */
  take(holder: string, now: number, leaseMs: number): Promise<boolean>
  /** Gives the turn back, if it is still the holder's. */
  leave(holder: string): Promise<void>
  /** The oldest records that are not marked as published: at most `limit`, and about 16 MiB of them, one at least. */
  pending(limit: number): Promise<OutboxRecord[]>
  /** `now` in unix milliseconds. */
  markPublished(seqs: readonly number[], now: number): Promise<void>
  /** Removes up to `limit` records that were published before `before` (unix milliseconds). Returns how many. */
  prune(before: number, limit: number): Promise<number>
  /** Records that wait, counted up to `limit`, and when the oldest was stored (unix milliseconds). */
  backlog(limit: number): Promise<{ pending: number; oldest: number | null }>
}

/** What an id stands for, and how that is called now. */
export type Named = { kind: 'user' | 'customer' | 'key' | 'feed'; name: string }

/** How operators read what stands in records as an id (ADR 276). */
export interface Names {
  /**
   * Users by mail address, customers, key pairs and published feeds by name; by id. What is gone, or is none of these, is
   * not in it. The ids are UUIDs; other texts are left out.
   */
  of(ids: readonly string[]): Promise<Map<string, Named>>
}

/** What the administration sets for the whole platform. */
export interface Settings {
  /** Tier of a new customer; null: nothing was set. */
  defaultTier(): Promise<string | null>
  setDefaultTier(tier: string): Promise<void>
  /** 32 random bytes that seal the cursors of this platform: the same for all of its processes, made when first asked for. */
  cursorSecret(): Promise<Buffer>
}
