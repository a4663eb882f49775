import type { Batch, EventLog, OutgoingMessage } from '../../../connectors/log/port.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { type BrokerSubmission, feedSource } from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS, SUBMISSIONS } from '../../../schemas/log/topics.ts'
import { firstAppendedAt } from '../../../schemas/operation/dead-letter.ts'
import { expandSubmission } from '../../processors/intelligence/expand-submission.ts'
import { saysCovered } from '../../processors/intelligence/marks/says-covered.ts'
import type { Breaker } from '../../runtime/breakers/group-breaker.ts'
import { sourceLookup } from '../../runtime/breakers/source-of.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { batchDecoder } from '../../runtime/decode.ts'
import { feedTable } from '../../runtime/feed-table.ts'
import { findAppended, type Watermark } from '../../runtime/find-appended.ts'
import { type Job, PORTION } from '../../runtime/job.ts'

/** A submission may hold 1,000 entities: fewer of them make a portion, and they are sent on in parts. */
const SUBMISSIONS_A_BATCH = 2_000
const OBSERVATIONS_A_SEND = 20_000
/** Whatever name they give themselves, they are one source: else each could have as many as it likes. */
const STRANGERS = 'feeds that are not registered'

export type SubmissionPorts = {
  log: EventLog
  registry: Registry
  observationSchemaId: number
  /** Unix milliseconds. */
  now: () => number
  /** Whether a covering mark is over the entity, as far as this process knows. */
  isCovered: (entity: TypedValue) => boolean
  breaker?: Breaker
}

/**
 * What is noted of a range when it is begun: the end of each partition of the topic that it goes to, as short as can be
 * (a note has 2 KiB), and the time it is judged by.
 */
type RangeNote = { ends: number[]; at: number }

/**
 * entity.submissions -> decode -> feed -> expand -> entity.observations
 *
 * Exactly once without transactions: the intent of a range notes how far `entity.observations` reached before, and ids
 * follow from the place of the submission. A range that is handed out again reads on from there and sends only what is
 * missing. The time that a producer states is judged by the clock of the beginning, noted too, so that a repeat judges as
 * the first attempt did.
 */
export function submissionJob(ports: SubmissionPorts): Job {
  const { log, registry, observationSchemaId, now, isCovered, breaker } = ports
  const decode = batchDecoder<BrokerSubmission>(records.submission, registry)
  const encode = saysCovered(encoder<Observation>(records.observation, observationSchemaId), isCovered)
  const own = decoder<Observation>(records.observation, (id) =>
    id === observationSchemaId ? records.observation : undefined,
  )
  const feeds = feedTable(log, registry)
  const moveToDeadLetters = deadLetterWriter(log, breaker)

  async function begin(): Promise<string> {
    const ends: number[] = []
    for (const { partition, high } of await log.offsets(OBSERVATIONS)) ends[partition] = high
    return JSON.stringify({ ends, at: now() } satisfies RangeNote)
  }

  /** Ranges that were begun by an earlier version have the ends alone. */
  function noteOf({ note }: Batch): { ends: Watermark[]; at: number } {
    const read = JSON.parse(note) as RangeNote | Watermark[]
    if (Array.isArray(read)) return { ends: read, at: now() }
    return { ends: read.ends.map((offset, partition) => ({ partition, offset })), at: read.at }
  }

  /** Ids that an interrupted attempt at this range has sent already. */
  async function sentBefore(batch: Batch, ends: readonly Watermark[]): Promise<Set<string>> {
    if (!batch.redelivered) return new Set()
    return findAppended(
      log,
      OBSERVATIONS,
      ends,
      () => true,
      ({ value }) => {
        const decoded = value === null ? null : own(value)
        return decoded?.ok ? decoded.record.id : undefined
      },
    )
  }

  async function eachBatch(batch: Batch): Promise<void> {
    await feeds.refresh()
    const { records: submissions, dead } = await decode(batch.messages)
    const { ends, at } = noteOf(batch)
    const sources = new Map<number, string>()
    const sent = await sentBefore(batch, ends)
    let out: OutgoingMessage[] = []
    for (const { message, value } of submissions) {
      const place = `${batch.topic}/${batch.partition}/${message.offset}`
      const feed = feeds.get(value.feed)
      sources.set(message.offset, feed === undefined ? STRANGERS : feedSource(feed.name))
      const expanded = expandSubmission(value, feed, place, firstAppendedAt(message), at)
      if (!expanded.ok) {
        dead.push({ message, reason: expanded.reason })
        continue
      }
      for (const o of expanded.observations)
        if (!sent.has(o.id)) out.push({ key: o.entityId, value: encode(o), checked: true })
      if (out.length >= OBSERVATIONS_A_SEND) {
        await log.send([{ topic: OBSERVATIONS, messages: out }])
        out = []
      }
    }
    if (out.length > 0) await log.send([{ topic: OBSERVATIONS, messages: out }])
    await moveToDeadLetters(batch, dead, sourceLookup(sources))
  }

  return {
    group: 'expand',
    topics: [SUBMISSIONS],
    ...PORTION,
    maxRecords: SUBMISSIONS_A_BATCH,
    intent: begin,
    eachBatch,
  }
}
