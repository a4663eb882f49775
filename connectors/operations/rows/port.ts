/** What jobs say of the rows that they store, for whoever keeps an index of them (ADR 288). */

import type { StoredRows } from '../../../schemas/intelligence/state/rows/stored-rows.ts'

/** A record and its offset; null: it cannot be read, so what it says is missing. */
export type PlacedRows = { rows: StoredRows | null; offset: number }

export type RowLog = {
  /** The first and the next offset of the rows. */
  kept(): Promise<{ low: number; high: number }>
  /** By partition of the observations, the offset below which everything is stored. */
  stored(): Promise<number[]>
  /** Of the record before an offset of the observations; null: there is none. */
  sealBefore(partition: number, offset: number): Promise<string | null>
  /** Says that an index is wanted until then, unix milliseconds: batches that are begun a second later are sent with their rows. */
  want(until: number): Promise<void>
  /**
   * Hands over records from an offset on, one after another, each once its rows are stored. `closed` rejects when the log
   * failed for good, or no longer keeps what comes next (OffsetGone).
   * @param each `to`: the next offset to read after them
   */
  follow(
    from: number,
    each: (records: readonly PlacedRows[], to: number) => Promise<void>,
  ): Promise<{ closed: Promise<void>; stop(): Promise<void> }>
}
