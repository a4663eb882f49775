/** What of a request is in the log already, found by its ids (ADR 221). */

import { type EventLog, OffsetGone } from '../../../../connectors/log/port.ts'
import type { BulkIds } from '../../../../schemas/intelligence/ingest/bulk-ids.ts'
import { observationIdOf } from '../../../../schemas/log/observation-id.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'

/** Observations by id, and the last line of which one was found; 0: none. */
export type DurablePart = { ids: ReadonlySet<string>; lastLine: number }

export const NOTHING_DURABLE: DurablePart = { ids: new Set(), lastLine: 0 }

/** Records of one batch. */
const BATCH = { maxRecords: 4_000, maxBytes: 4 * 1024 * 1024 }

/**
 * Reads the log from where its partitions ended (`offsets`) to where they end now. Rejects when the log cannot be read.
 * What retention has removed meanwhile is left out.
 */
export async function durablePart(
  log: Pick<EventLog, 'offsets' | 'tail'>,
  ids: BulkIds,
  offsets: readonly number[],
): Promise<DurablePart> {
  const found = new Set<string>()
  let lastLine = 0
  const ends = await log.offsets(OBSERVATIONS)
  const left = new Map<number, number>()
  const from = ends.map(({ partition, low, high }) => {
    const offset = Math.min(high, Math.max(low, offsets[partition] ?? low))
    if (offset < high) left.set(partition, high)
    return { partition, offset }
  })
  if (left.size === 0) return { ids: found, lastLine }
  const { promise: read, resolve } = Promise.withResolvers<void>()
  const tail = await log.tail({ topic: OBSERVATIONS, from, ...BATCH }, ({ partition, messages, to }) => {
    for (const { value } of messages) {
      const id = observationIdOf(value)
      const line = id === null ? null : ids.lineOf(id)
      if (id === null || line === null) continue
      found.add(id)
      lastLine = Math.max(lastLine, line)
    }
    const high = left.get(partition)
    if (high !== undefined && to >= high) left.delete(partition)
    if (left.size === 0) resolve()
  })
  try {
    await Promise.race([read, tail.closed])
  } catch (error) {
    // Retention went on while this began: the part that is left begins further on.
    if (!(error instanceof OffsetGone)) throw error
    return durablePart(log, ids, offsets)
  } finally {
    tail.closed.catch(() => undefined)
    await tail.stop().catch(() => undefined)
  }
  return { ids: found, lastLine }
}
