import type { FeedItem } from '../../connectors/feeds/item.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import { appended, type Watermark } from '../../pipelines/runtime/appended.ts'
import type { Decoded } from '../../schemas/codec.ts'
import type { FeedRegistration } from '../../schemas/feed.ts'
import { feedProvenance } from '../../schemas/feed.ts'
import type { Observation } from '../../schemas/observation.ts'
import { FEEDS, OBSERVATIONS } from '../../schemas/topics.ts'
import { batches, type ImportBatch } from './batches.ts'
import { type Checkpoint, readCheckpoint, removeCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { importIds } from './ids.ts'
import type { Rejects } from './rejects.ts'

/** What an import needs of the outside. */
export type ImportPorts = {
  log: Pick<EventLog, 'send' | 'offsets' | 'read'>
  encodeObservation: (observation: Observation) => Buffer
  decodeObservation: (bytes: Buffer) => Decoded<Observation>
  encodeFeed: (feed: FeedRegistration) => Buffer
}

export type ImportPlan = {
  feed: Omit<FeedRegistration, 'registeredAt'>
  /** The same bytes and options have the same key. */
  key: string
  /** null for input that cannot be recognised again, and so cannot be resumed. */
  checkpointPath: string | null
  /** Opens the feed; called once. */
  items: () => AsyncIterable<FeedItem[]>
  openRejects: (already: number) => Promise<Rejects>
  /** Unix milliseconds. */
  now: number
  maxObservations: number
  /** Aborted: the batch in flight is finished, the checkpoint stays. */
  signal: AbortSignal
  onProgress: (state: ImportState) => void
}

/** `line` is the last one whose observations are durable. */
type ImportState = { line: number; published: number; rejected: number }

export type ImportResult = ImportState & {
  resumedAfter: number | null
  /** Observations that an interrupted run had published past its checkpoint. */
  recovered: number
  interrupted: boolean
  /** Whether the same command would go on from here. */
  resumable: boolean
}

/** Bytes of a batch: what one produce request may hold, and two of these are in memory. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024

/**
 * feed -> observations -> log, each observation once, however often the same import is started again.
 *
 * Before a batch is sent, a checkpoint with the high watermarks of the output is durable. Whatever a crash left of that
 * batch stands behind those watermarks: a resumed import reads it back and leaves it out. Ids follow from the import
 * and the line, so that it is recognised. The next batch is parsed while the last one is flushed.
 */
export async function runImport(ports: ImportPorts, plan: ImportPlan): Promise<ImportResult> {
  const { log } = ports
  const { feed, key, checkpointPath, signal } = plan
  const resumed = checkpointPath === null ? null : await readCheckpoint(checkpointPath)
  const observedAt = resumed?.observedAt ?? plan.now
  const ids = importIds(`${key} ${observedAt}`)
  const state: ImportState = {
    line: resumed?.line ?? 0,
    published: resumed?.published ?? 0,
    rejected: resumed?.rejected ?? 0,
  }
  const known = resumed === null ? new Set<string>() : await leftBehind(ports, resumed, ids.isAfter)
  const rejects = await plan.openRejects(state.rejected)

  await log.send([
    { topic: FEEDS, messages: [{ key: feed.name, value: ports.encodeFeed({ ...feed, registeredAt: observedAt }) }] },
  ])

  const save = async (watermarks: Watermark[]): Promise<void> => {
    if (checkpointPath !== null) await writeCheckpoint(checkpointPath, { observedAt, ...state, watermarks })
  }
  const publish = async (batch: ImportBatch): Promise<void> => {
    await save(await watermarksOf(log))
    if (batch.messages.length > 0) await log.send([{ topic: OBSERVATIONS, messages: batch.messages }])
    await rejects.add(batch.rejected)
    state.line = batch.line
    state.published += batch.observations
    state.rejected += batch.rejected.length
    plan.onProgress(state)
  }

  const provenance = feedProvenance(feed, 'report', feed.groups, observedAt)
  const pending = batches(plan.items(), {
    ids,
    provenance,
    encode: ports.encodeObservation,
    after: state.line,
    published: known,
    maxObservations: plan.maxObservations,
    maxBytes: MAX_BATCH_BYTES,
  })
  const interrupted = await pipelined(pending, publish, signal)
  if (interrupted) await save(await watermarksOf(log))
  else if (checkpointPath !== null) await removeCheckpoint(checkpointPath)
  return {
    ...state,
    resumedAfter: resumed?.line ?? null,
    recovered: known.size,
    interrupted,
    resumable: checkpointPath !== null,
  }
}

/** Ids of the batch that was in flight when `checkpoint` was written, as far as they reached the log. */
const leftBehind = (
  { log, decodeObservation }: ImportPorts,
  checkpoint: Checkpoint,
  isAfter: (line: number, id: string) => boolean,
): Promise<Set<string>> =>
  appended(
    log,
    OBSERVATIONS,
    checkpoint.watermarks,
    (id) => isAfter(checkpoint.line, id),
    ({ value }) => {
      const decoded = value === null ? undefined : decodeObservation(value)
      return decoded?.ok ? decoded.record.id : undefined
    },
  )

const watermarksOf = async (log: ImportPorts['log']): Promise<Watermark[]> =>
  (await log.offsets(OBSERVATIONS)).map(({ partition, high }) => ({ partition, offset: high }))

/** Publishes one batch at a time while the next one is made; true when `signal` ended it early. */
async function pipelined(
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
