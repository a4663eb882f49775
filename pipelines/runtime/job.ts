import type { Batch, ConsumeOptions } from '../../connectors/log/port.ts'
import { BreakerOpen } from './breakers/group-breaker.ts'

/** One consumer group: what it reads, in what portions, and what it does with each. */
export type Job = ConsumeOptions & {
  eachBatch(batch: Batch): Promise<void>
}

/** Portions of every job: at most this much in memory, and this long in waiting (design 4). */
export const PORTION = { maxRecords: 25_000, maxBytes: 16 * 1024 * 1024, lingerMs: 200 }

const FAILED_MS = 1_000

export type PersistOptions = {
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called before each pause, with what failed. */
  onFailure: (error: unknown) => void
  /** Of a job that one process does at a time: aborted when it is another one's. */
  term?: AbortSignal
}

/**
 * Tries the work of a batch until it is done: a store or a registry that cannot be reached is no fault of a record, so the
 * batch waits. `again` says whether the work was begun before.
 * @throws what failed, once the batch is taken away or the job ends; BreakerOpen, when too many records are dead
 */
export async function persist(
  { signal }: Pick<Batch, 'signal'>,
  work: (again: boolean) => Promise<void>,
  { pause, onFailure, term }: PersistOptions,
): Promise<void> {
  for (let again = false; ; again = true) {
    try {
      return await work(again)
    } catch (error) {
      if (signal.aborted || term?.aborted || error instanceof BreakerOpen) throw error
      onFailure(error)
      await pause(FAILED_MS, signal)
    }
  }
}
