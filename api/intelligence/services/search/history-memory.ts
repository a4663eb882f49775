import type { History } from '../../../../connectors/history/port.ts'
import { recordTypes } from '../../../../connectors/history/sql/queries/history-queries.ts'
import {
  allRetractions,
  type RetractedWindowRow,
} from '../../../../connectors/history/sql/queries/retracted-records.ts'
import { promiseCache } from '../../../../platform/promise-cache.ts'

/** As for what a caller may read: a type that is new to the platform, and a retraction, are seen so much later. */
const TTL_MS = 1_000
/** Retractions that are remembered together; of more, those of a page are asked for. */
const FEW = 1_000

/** What searches of the history know of all its records beforehand (ADR 272). */
export type HistoryMemory = {
  /** Types of the main values of all records; null: any. */
  types(): Promise<ReadonlySet<string> | null>
  /** By entity and audience, all that was ever retracted; null: to be asked for. */
  retractions(): Promise<Retractions | null>
}

/** By the id of the entity and the audience, with a blank between them. */
export type Retractions = ReadonlyMap<string, readonly RetractedWindowRow[]>

/** Knows nothing beforehand. */
export const NO_MEMORY: HistoryMemory = { types: async () => null, retractions: async () => null }

export const byEntity = (rows: readonly RetractedWindowRow[]): Retractions =>
  Map.groupBy(rows, ({ id, audience }) => `${id} ${audience}`)

/** Asks for each of the two once in a moment, however many search. */
export function historyMemory(
  history: Pick<History, 'query'>,
  now: () => number,
  { few = FEW, ttlMs = TTL_MS } = {},
): HistoryMemory {
  // Of a history that takes long to ask, they are asked for half of the time at most.
  const kept = { max: 1, ttlMs, now, slowMs: Number.POSITIVE_INFINITY }
  const types = promiseCache<ReadonlySet<string>>(kept)
  const retractions = promiseCache<Retractions | null>(kept)

  return {
    types: () =>
      types.get('', async () => {
        const rows = await history.query<{ type: string }>(recordTypes())
        return new Set(rows.map(({ type }) => type))
      }),
    retractions: () =>
      retractions.get('', async () => {
        const rows = await history.query<RetractedWindowRow>(allRetractions(few + 1))
        return rows.length > few ? null : byEntity(rows)
      }),
  }
}
