import { randomUUID } from 'node:crypto'
import type { LiveStore } from '../../../connectors/history/generations/port.ts'
import type { GatheredRows } from '../../../connectors/history/port.ts'
import type { Batch, EventLog } from '../../../connectors/log/port.ts'
import type { CountDelta, Edge, HistoryRecord, Retraction } from '../../../schemas/intelligence/state/stored.ts'
import { CHANGES, ENTITY_ROWS } from '../../../schemas/log/topics.ts'
import type { GatheredChanges } from './gathered-changes.ts'
import type { GatheredEntities } from './gathered-entities.ts'
import type { ObservationMemory } from './observation-memory.ts'

/** What a batch gives. */
export type BatchToWrite = GatheredRows & {
  edges: Edge[]
  audiences: Map<bigint, readonly string[]>
  retractions: Retraction[]
  deltas: CountDelta[]
  changes: GatheredChanges
  /** null: no index of look-ups is wanted. */
  entities: GatheredEntities | null
}

/**
 * Writes what a batch decided. The order of the writes is the guarantee: decisions follow from the entity rows alone.
 * Until those are stored a retry of the same range computes the same rows and changes, the tokens drop what is there
 * already, and consumers know a change by its id; once they are stored, every record of the range counts as applied.
 * An insert that was cut off may have stored entity rows without what the views of the table make of them (`recency`,
 * `networks`, `covering_marks`, `due_keys`), so a retry stores every row of its entities again: under a token of its own, as one
 * that is known would be dropped; a row is known by its version, so twice is as good as once (ADR 185).
 */
export function observationWriter({ log }: { log: Pick<EventLog, 'send'> }) {
  /**
   * Whoever hears of a change asks the store which of its links are new (ADR 271), so `links` are stored before. An index is
   * told of the rows before they are stored, as it has to have all that a statement may find (ADR 288).
   */
  async function sendChanges(
    { groupsOf }: ObservationMemory,
    { changes, audiences, entities }: BatchToWrite,
    links: Promise<void>,
  ): Promise<void> {
    const messages = changes.messages(await groupsOf(changes.audiences(), audiences))
    await links
    const sent = [
      { topic: CHANGES, messages },
      { topic: ENTITY_ROWS, messages: entities?.messages() ?? [] },
    ].filter((one) => one.messages.length > 0)
    if (sent.length > 0) await log.send(sent)
  }

  /** `given.rows` of a redelivered batch: all of its entities, as they are after it; its history is a list. */
  return async (memory: ObservationMemory, batch: Batch, given: BatchToWrite): Promise<void> => {
    const { partition, redelivered } = batch
    const { marked, live } = memory
    const { store } = live
    // The note is the sink version under which the range was begun: a retry after an upgrade keeps its tokens.
    const token = `${batch.note}:${batch.topic}:${partition}:${batch.from}-${batch.to}`
    const { history, deltas } = redelivered ? await withoutStored(store, given, token) : given

    await store.audiences(given.audiences, token)
    // Side by side: what a retry computes depends on none of them.
    const records = store.history(history, token)
    const links = store.associations(given.edges, token)
    const counts = store.counts(deltas, token, marked.get(partition))
    // Whichever fails first, the others are waited for: nothing is under way any more when the range is repeated.
    const ended = await Promise.allSettled([sendChanges(memory, given, links), records, links, counts])
    const stored = ended.slice(1).every(({ status }) => status === 'fulfilled')
    if (stored && given.deltas.length > 0) marked.set(partition, token)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    await store.retractions(given.retractions, token)
    await store.entities(given.rows, redelivered ? `${token}:${randomUUID()}` : token)
  }
}

/** What the store lacks. Tables forget tokens after some thousand blocks; a range may have been begun longer ago. */
async function withoutStored(store: LiveStore['store'], { history, deltas }: BatchToWrite, token: string) {
  const records = history as unknown as readonly HistoryRecord[]
  const present = await store.present(records, token)
  return { history: records.filter((r) => !present.history.has(r.offset)), deltas: present.counts ? [] : deltas }
}
