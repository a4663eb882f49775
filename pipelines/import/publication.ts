import type { AcceptedItem } from '../../connectors/feeds/parse/item.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { Observation, Provenance } from '../../schemas/intelligence/observations/observation.ts'
import type { Decoded } from '../../schemas/log/codec.ts'
import { FEED_OBJECTS, OBSERVATIONS } from '../../schemas/log/topics.ts'
import { findAppended, type Watermark } from '../runtime/find-appended.ts'
import { endOffsets } from '../runtime/lag.ts'
import { type BatchItem, batches, type ImportBatch } from './batches.ts'
import type { ImportIds } from './import-ids.ts'

/** What a publication needs of the outside. */
export type PublicationPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'read'>
  encodeObservation: (observation: Observation) => Buffer
  decodeObservation: (bytes: Buffer) => Decoded<Observation>
}

export type Publication<Item extends AcceptedItem> = {
  ids: ImportIds
  items: AsyncIterable<BatchItem<Item>[]>
  provenanceOf: (item: Item) => Provenance
  /** Where an interrupted run stood: its last published line, and the output before the batch after that; or null. */
  resumed: { line: number; watermarks: readonly Watermark[] } | null
  maxObservations: number
  /** Aborted: the batch in flight is finished. */
  signal: AbortSignal
  /** Makes durable where the publication stands, with the ends of the output, before a batch is sent. */
  save: (watermarks: Watermark[]) => Promise<void>
  /** Called with a batch once it is durable. */
  sent: (batch: ImportBatch) => Promise<void>
}

/** Bytes of a batch: what one produce request may hold, and two of these are in memory. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024

/**
 * items -> observations -> log, each observation once, however often the same publication is started again.
 *
 * Before a batch is sent, a checkpoint with the high watermarks of the output is durable. Whatever a crash left of that
 * batch stands behind those watermarks: a resumed run reads it back and leaves it out. Ids follow from the publication
 * and the line, so that it is recognised. The next batch is made while the last one is flushed (ADR 273).
 */
export async function runPublication<Item extends AcceptedItem>(
  ports: PublicationPorts,
  publication: Publication<Item>,
): Promise<{ interrupted: boolean; recovered: number }> {
  const { log } = ports
  const { ids, items, provenanceOf, resumed, maxObservations, signal, save, sent } = publication
  const known = resumed === null ? new Set<string>() : await leftBehind(ports, resumed, ids.isAfter)
  const pending = batches(items, {
    ids,
    provenanceOf,
    encode: ports.encodeObservation,
    after: resumed?.line ?? 0,
    published: known,
    maxObservations,
    maxBytes: MAX_BATCH_BYTES,
  })
  const publish = async (batch: ImportBatch): Promise<void> => {
    await save(await endOffsets(log, OBSERVATIONS))
    // First: what was published and is not remembered could not be taken back.
    if (batch.objects.length > 0) await log.send([{ topic: FEED_OBJECTS, messages: batch.objects }])
    if (batch.messages.length > 0) await log.send([{ topic: OBSERVATIONS, messages: batch.messages }])
    await sent(batch)
  }
  const interrupted = await publishPipelined(pending, publish, signal)
  if (interrupted) await save(await endOffsets(log, OBSERVATIONS))
  return { interrupted, recovered: known.size }
}

/** Ids of the batch that was in flight when the checkpoint was written, as far as they are on the log. */
const leftBehind = (
  { log, decodeObservation }: PublicationPorts,
  { line, watermarks }: { line: number; watermarks: readonly Watermark[] },
  isAfter: (line: number, id: string) => boolean,
): Promise<Set<string>> =>
  findAppended(
    log,
    OBSERVATIONS,
    watermarks,
    (id) => isAfter(line, id),
    ({ value }) => {
      const decoded = value === null ? undefined : decodeObservation(value)
      return decoded?.ok ? decoded.record.id : undefined
    },
  )

/** Publishes one batch at a time while the next one is made; true when `signal` ended it early. */
async function publishPipelined(
  pending: AsyncGenerator<ImportBatch>,
  publish: (batch: ImportBatch) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  let flight: Promise<void> = Promise.resolve()
  try {
    for await (const batch of pending) {
      await flight
      if (signal.aborted) return true
      flight = publish(batch)
      // A rejection is met at the next await; until then it must not count as unhandled.
      flight.catch(() => {})
    }
  } finally {
    await flight
  }
  return false
}
