import type { Batch, ConsumeOptions } from '../../connectors/log/port.ts'

/** One consumer group: what it reads, in what portions, and what it does with each. */
export type Job = ConsumeOptions & {
  eachBatch(batch: Batch): Promise<void>
}

/** Portions of every job: at most this much in memory, and this long in waiting (design 4). */
export const PORTION = { maxRecords: 25_000, maxBytes: 16 * 1024 * 1024, lingerMs: 200 }
