import { randomUUID } from 'node:crypto'
import type { LiveStore } from '../../../connectors/history/port.ts'
import type { Batch, EventLog } from '../../../connectors/log/port.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { CHANGES } from '../../../schemas/log/topics.ts'
import type { AppliedBatch } from '../../processors/intelligence/apply-batch.ts'
import { audiencesOf, changeOf } from '../../processors/intelligence/changes.ts'
import type { ObservationMemory } from './observation-memory.ts'

type WriterPorts = { log: Pick<EventLog, 'send'>; changeSchemaId: number }

/**
 * Writes what a batch decided. The order of the writes is the guarantee: decisions follow from the entity rows alone.
 * Until those are stored a retry of the same range computes the same rows and changes, the tokens drop what is there
 * already, and consumers know a change by its id; once they are stored, every record of the range counts as applied.
 * An insert that was cut off may have stored entity rows without what the views of the table make of them (`recency`,
 * `networks`, `covering_marks`, `due_keys`), so a retry stores every row of its entities again: under a token of its own, as one
 * that is known would be dropped; a row is known by its version, so twice is as good as once (ADR 185).
 */
export function observationWriter({ log, changeSchemaId }: WriterPorts) {
  const encode = encoder<Change>(types.change, changeSchemaId)

  async function sendChanges({ groupsOf }: ObservationMemory, { changes, audiences }: AppliedBatch): Promise<void> {
    const groups = await groupsOf(audiencesOf(changes), audiences)
    const messages = changes.map((change) => ({ key: change.row.entityId, value: encode(changeOf(change, groups)) }))
    if (messages.length > 0) await log.send([{ topic: CHANGES, messages }])
  }

  /** `rows`: those to store; of a redelivered batch all of its entities, as they are after it. */
  return async (
    memory: ObservationMemory,
    batch: Batch,
    applied: AppliedBatch,
    rows: readonly EntityState[],
  ): Promise<void> => {
    const { partition, redelivered } = batch
    const { marked, live } = memory
    const { store } = live
    // The note is the sink version under which the range was begun: a retry after an upgrade keeps its tokens.
    const token = `${batch.note}:${batch.topic}:${partition}:${batch.from}-${batch.to}`
    const { history, deltas } = redelivered ? await withoutStored(store, applied, token) : applied

    async function storeTables(): Promise<void> {
      // Side by side: what a retry computes depends on none of them. All are waited for, also when one fails.
      const stored = await Promise.allSettled([
        store.history(history, token),
        store.associations(applied.edges, token),
        store.counts(deltas, token, marked.get(partition)),
      ])
      for (const one of stored) if (one.status === 'rejected') throw one.reason
      if (applied.deltas.length > 0) marked.set(partition, token)
    }

    await store.audiences(applied.audiences, token)
    // Whichever fails first, the other is waited for: nothing is under way any more when the range is repeated.
    const [sent, stored] = await Promise.allSettled([sendChanges(memory, applied), storeTables()])
    if (sent.status === 'rejected') throw sent.reason
    if (stored.status === 'rejected') throw stored.reason
    await store.retractions(applied.retractions, token)
    await store.entities(rows, redelivered ? `${token}:${randomUUID()}` : token)
  }
}

/** What the store lacks. Tables forget tokens after some thousand blocks; a range may have been begun longer ago. */
async function withoutStored(store: LiveStore['store'], { history, deltas }: AppliedBatch, token: string) {
  const present = await store.present(history, token)
  return { history: history.filter((r) => !present.history.has(r.offset)), deltas: present.counts ? [] : deltas }
}
