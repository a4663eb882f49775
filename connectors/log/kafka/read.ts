import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin, Kafka } from 'kafkajs'
import type { LogMessage } from '../port.ts'
import { fromKafka } from './messages.ts'
import { partitionCount } from './topics.ts'

/** Milliseconds after which a read gives up. */
const PATIENCE = 60_000
const PAUSE_MS = 250

type Span = { topic: string; partition: number; start: number; end: number; maxRecords: number }

/**
 * Records of [from, to) of one partition, at most `maxRecords`. The client fetches only as a member of a group, so a
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
  }: { topic: string; partition: number; from: number; to: number; maxRecords: number },
): Promise<LogMessage[]> {
  await partitionCount(admin, topic)
  const bounds = (await admin.fetchTopicOffsets(topic)).find((known) => known.partition === partition)
  if (!bounds) throw new Error(`topic ${topic} has no partition ${partition}`)
  const start = Math.max(from, Number(bounds.low))
  const end = Math.min(to, Number(bounds.high))
  if (start >= end || maxRecords < 1) return []

  const span = { topic, partition, start, end, maxRecords }
  const until = performance.now() + PATIENCE
  for (;;) {
    try {
      return await readSpan(kafka, span, until - performance.now())
    } catch (error) {
      // A broker that has just started loads its groups first, and refuses members for that long.
      if (!(error as { retriable?: boolean }).retriable || performance.now() > until) throw error
      await sleep(PAUSE_MS)
    }
  }
}

async function readSpan(
  kafka: Kafka,
  { topic, partition, start, end, maxRecords }: Span,
  patience: number,
): Promise<LogMessage[]> {
  const messages: LogMessage[] = []
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
          if (offset >= start && offset < end && messages.length < maxRecords) messages.push(fromKafka(message))
        }
        // The last offset of the batch counts gaps too: after compaction there may be no record at the end.
        if (messages.length >= maxRecords || Number(batch.lastOffset()) + 1 >= end) resolve()
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
