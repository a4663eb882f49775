import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin, EachBatchPayload, Kafka } from 'kafkajs'
import type { LogMessage } from '../port.ts'
import { partitionCount } from './kafka-topics.ts'
import { fromKafka } from './messages.ts'
import { isTransient, PAUSE_MS, retryTransient } from './retry.ts'
import { within } from './within.ts'

/** Milliseconds without a record after which a scan gives up. */
const SILENCE_MS = 60_000
/** A broker that is away misses the member after its session. */
const LEAVE_MS = 10_000
/** Milliseconds that a broker may wait for records that do not exist yet. */
const LINGER_MS = 100
/** How often a slow reader sends a heartbeat: the broker takes a client that is silent for 30 s for dead. */
const HEARTBEAT_MS = 3_000

export type ScanRange = { topic: string; partition: number; from: number; to: number }
/** `others`: partitions of the topic that were not requested. */
type ScanSpan = { topic: string; partition: number; others: number[]; start: number; end: number }

/**
 * Records of [from, to) of one partition, in portions as they are fetched, the next one when the last was taken. The client
 * fetches only as a member of a group, so a scan is a group of its own that commits nothing and is gone afterwards; a
 * broker may wait some seconds for other members of a new group.
 * @throws Error when there is no such partition, or no record comes for a minute, and what the client throws that does
 * not pass
 */
export async function* scanRange(kafka: Kafka, admin: Admin, range: ScanRange): AsyncGenerator<LogMessage[]> {
  const span = await spanOf(admin, range)
  for (let until = performance.now() + SILENCE_MS; span.start < span.end; ) {
    try {
      for await (const messages of fetchSpan(kafka, span)) {
        yield messages
        span.start = messages.at(-1)!.offset + 1
        until = performance.now() + SILENCE_MS
      }
      return
    } catch (error) {
      if (!isTransient(error) || performance.now() > until) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Records of [from, to) of one partition, within the bounds: the beginning of a scan, with all that one costs. */
export async function readRange(
  kafka: Kafka,
  admin: Admin,
  { maxRecords, maxBytes, ...range }: ScanRange & { maxRecords: number; maxBytes: number },
): Promise<LogMessage[]> {
  const messages: LogMessage[] = []
  let bytes = 0
  if (maxRecords < 1) return messages
  for await (const portion of scanRange(kafka, admin, range))
    for (const message of portion) {
      bytes += (message.key?.length ?? 0) + (message.value?.length ?? 0)
      if (messages.length > 0 && bytes > maxBytes) return messages
      messages.push(message)
      if (messages.length >= maxRecords) return messages
    }
  return messages
}

async function spanOf(admin: Admin, { topic, partition, from, to }: ScanRange): Promise<ScanSpan> {
  await partitionCount(admin, topic)
  const known = await retryTransient(SILENCE_MS, () => admin.fetchTopicOffsets(topic))
  const bounds = known.find((of) => of.partition === partition)
  if (!bounds) throw new Error(`topic ${topic} has no partition ${partition}`)
  const others = known.map((of) => of.partition).filter((other) => other !== partition)
  return {
    topic,
    partition,
    others,
    start: Math.max(from, Number(bounds.low)),
    end: Math.min(to, Number(bounds.high)),
  }
}

async function* fetchSpan(kafka: Kafka, span: ScanSpan): AsyncGenerator<LogMessage[]> {
  const { topic, partition, others, end } = span
  let next = span.start
  const portions = new PassThrough({ objectMode: true, highWaterMark: 1 })
  // It may be destroyed before it is read; its reader then gets the error.
  portions.on('error', () => undefined)
  const late = (): unknown => portions.destroy(new Error(`timed out reading topic ${topic} partition ${partition}`))
  let timer = setTimeout(late, SILENCE_MS)
  const consumer = kafka.consumer({
    groupId: `harrier-read-${randomUUID()}`,
    allowAutoTopicCreation: false,
    // Whatever is asked for is there. What the client asks beyond it, and waits for before it ends, need not take 5 s.
    maxWaitTimeInMs: LINGER_MS,
    retry: { restartOnFailure: async () => false },
  })
  consumer.on(consumer.events.CRASH, ({ payload: { error } }) => portions.destroy(error))

  async function eachBatch({ batch, heartbeat }: EachBatchPayload): Promise<void> {
    if (batch.partition !== partition || portions.writableEnded || portions.destroyed) return
    clearTimeout(timer)
    const wanted = batch.messages.filter(({ offset }) => Number(offset) >= next && Number(offset) < end)
    if (wanted.length > 0) {
      next = Number(wanted.at(-1)!.offset) + 1
      if (!portions.write(wanted.map(fromKafka))) await untilTaken(portions, heartbeat)
    }
    // The last offset of the batch counts gaps too: after compaction there may be no record at the end.
    if (Number(batch.lastOffset()) + 1 >= end) portions.end()
    else if (!portions.destroyed) timer = setTimeout(late, SILENCE_MS)
  }

  try {
    const joining = async (): Promise<void> => {
      await consumer.connect()
      await consumer.subscribe({ topic, fromBeginning: true })
      await consumer.run({ autoCommit: false, eachBatch })
    }
    await within(SILENCE_MS, `joining to read topic ${topic}`, joining())
    // A start that failed returns all the same, and leaves no group to seek in.
    if (portions.errored) throw portions.errored
    if (others.length > 0) consumer.pause([{ topic, partitions: others }])
    consumer.seek({ topic, partition, offset: String(next) })
    yield* portions
  } finally {
    clearTimeout(timer)
    // A handler that waits for its portion to be read is released: otherwise the client would not stop.
    portions.destroy()
    await within(LEAVE_MS, 'leaving a group', consumer.disconnect()).catch(() => undefined)
  }
}

/** Resolves when the buffer has room for the next portion, or the reader has stopped. */
async function untilTaken(portions: PassThrough, heartbeat: () => Promise<void>): Promise<void> {
  while (portions.writableNeedDrain && !portions.destroyed) {
    const waiting = new AbortController()
    const { signal } = waiting
    const events = [once(portions, 'drain', { signal }), once(portions, 'close', { signal })]
    await Promise.race([...events, sleep(HEARTBEAT_MS, undefined, { signal })]).catch(() => undefined)
    waiting.abort()
    await heartbeat()
  }
}
