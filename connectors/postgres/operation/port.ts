/** Records that were stored together with the change they report, and wait to be sent to the log. */

export type OutboxRecord = {
  /** Order of the table; records of one key are read in the order in which their changes were committed. */
  seq: number
  topic: string
  key: string
  /** As it goes to the log. */
  record: Buffer
}

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
