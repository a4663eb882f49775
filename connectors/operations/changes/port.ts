/** The changes of entities as the log has them, for readers outside of consumer groups (ADR 271). */

import type { Change } from '../../../schemas/intelligence/state/change.ts'

/** A change, where it stands in its partition of the changes, and when the log took it, unix milliseconds. */
export type PlacedChange = { change: Change; offset: number; time: number }

/** The observation behind a change, where it stands on the log. */
export type Behind = Pick<Change, 'partition' | 'offset'>

/**
 * Resolves once the rows of these observations are stored: changes are sent before they are, and all of a range is stored
 * at once (ADR 271). Rejects with the reason of the signal, and when the log cannot be asked.
 */
export type UntilStored = (observations: readonly Behind[], signal: AbortSignal) => Promise<void>

/** Changes of one partition, in its order; all that there are in [from, to). */
export type ChangeBatch = { partition: number; from: number; to: number; changes: readonly PlacedChange[] }

export type Following = {
  /** Waits for the batch that is being handed over; none follows. */
  stop(): Promise<void>
  /** Rejects when the log failed for good. */
  closed: Promise<void>
}

/** A place that the log does not have: older than what it keeps, or beyond its end. */
export class NotKept extends Error {
  override readonly name = 'NotKept'
}

export interface ChangeLog {
  /** What is kept, by partition: from the first to the next offset. */
  kept(): Promise<{ low: number; high: number }[]>
  /** By partition, the first offset that the log took at a time or later, unix milliseconds. */
  startsAt(time: number): Promise<number[]>
  /**
   * Hands over changes from these offsets on, or from the end of now on, once what they say is stored: whoever is told of a
   * change finds it in the answers of the API (ADR 271). The batches of a partition come one after another, those of
   * several at the same time.
   * @param from by partition; null: the end of now
   * @returns where it begins, by partition, and the way to end it; `closed` rejects with NotKept for a place that is not
   * kept any more
   */
  follow(
    from: readonly number[] | null,
    each: (batch: ChangeBatch) => Promise<void>,
  ): Promise<Following & { from: number[] }>
}
