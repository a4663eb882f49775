import { randomUUID } from 'node:crypto'
import type { Admin, Kafka } from 'kafkajs'
import type { LogMessage } from '../port.ts'
import { fromKafka } from './messages.ts'
import { patiently } from './patience.ts'
import { partitionCount } from './topics.ts'

/** Milliseconds after which a read gives up. */
const PATIENCE = 60_000

type Span = { topic: string; partition: number; start: number; end: number; maxRecords: number; maxBytes: number }

/**
 * Records of [from, to) of one partition, within the bounds. The client fetches only as a member of a group, so a
 * read is a group of its own that commits nothing and is gone afterwards: right, but not fast (a broker may wait some
 * seconds for other members of a new group).
 */
export async function readRange(
  kafka: Kafka,
  admin: Admin,
  {
    topic,
    partition,
    from,
    to,
    maxRecords,
    maxBytes,
  }: { topic: string; partition: number; from: number; to: number; maxRecords: number; maxBytes: number },
): Promise<LogMessage[]> {
  await partitionCount(admin, topic)
  const bounds = (await admin.fetchTopicOffsets(topic)).find((known) => known.partition === partition)
  if (!bounds) throw new Error(`topic ${topic} has no partition ${partition}`)
  const start = Math.max(from, Number(bounds.low))
  const end = Math.min(to, Number(bounds.high))
  if (start >= end || maxRecords < 1) return []

  const span = { topic, partition, start, end, maxRecords, maxBytes }
  const until = performance.now() + PATIENCE
  return patiently(until, () => readSpan(kafka, span, until - performance.now()))
}

async function readSpan(
  kafka: Kafka,
  { topic, partition, start, end, maxRecords, maxBytes }: Span,
  patience: number,
): Promise<LogMessage[]> {
  const messages: LogMessage[] = []
  let bytes = 0
  let full = false
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => reject(new Error(`reading topic ${topic} partition ${partition} took too long`)),
    patience,
  )
  const groupId = `harrier-read-${randomUUID()}`
  const consumer = kafka.consumer({
    groupId,
    allowAutoTopicCreation: false,
    retry: { restartOnFailure: async () => false },
  })
  let crash: Error | undefined
  consumer.on(consumer.events.CRASH, ({ payload: { error } }) => {
    crash = error
    reject(error)
  })
  // The start may end by the crash already, before anyone waits.
  promise.catch(() => undefined)
  try {
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        if (batch.partition !== partition) return
        for (const message of batch.messages) {
          const offset = Number(message.offset)
          if (full || offset < start || offset >= end) continue
          bytes += (message.key?.length ?? 0) + (message.value?.length ?? 0)
          full = messages.length > 0 && bytes > maxBytes
          if (!full) messages.push(fromKafka(message))
          full ||= messages.length >= maxRecords
        }
        // The last offset of the batch counts gaps too: after compaction there may be no record at the end.
        if (full || Number(batch.lastOffset()) + 1 >= end) resolve()
      },
    })
    // A start that failed returns all the same, and leaves no group to seek in.
    if (crash !== undefined) throw crash
    consumer.seek({ topic, partition, offset: String(start) })
    await promise
  } finally {
    clearTimeout(timer)
    await consumer.disconnect()
  }
  return messages
}
