import type { Admin, Kafka } from 'kafkajs'
import { LogUnavailable } from '../../availability/port.ts'
import type { EventLog, Tail, TailBatch, TailOptions } from '../port.ts'
import { startOffsets } from '../start-tail.ts'
import { type KafkaLogOptions, kafkaClient, ONE_ATTEMPT } from './client.ts'
import { delivery } from './deliver.ts'
import { consumeKafka } from './group/consumer.ts'
import { createTopics, partitionCount } from './kafka-topics.ts'
import { mayRejoin, retryTransient, rootOf } from './retry.ts'
import { readRange, scanRange } from './scan.ts'
import { sender } from './sender.ts'
import { tailBrokers } from './tail/brokers.ts'
import { followBrokers } from './tail/follow-topic.ts'
import { LateBroker, within } from './within.ts'

type TailClient = {
  /** It must not try again by itself. */
  client: Kafka
  /** What every partition of the topic keeps now; throws when there is no such topic. */
  offsets(topic: string): Promise<{ partition: number; low: number; high: number }[]>
  metadataMs: number
}

/** Follows a topic over connections of its own; no group and no coordinator has a part in it (ADR 271). */
async function tailKafka(
  { client, offsets, metadataMs }: TailClient,
  options: TailOptions,
  eachBatch: (batch: TailBatch) => Promise<void> | void,
): Promise<Tail> {
  const { topic } = options
  const starts = startOffsets(await offsets(topic), options)

  async function kept(partition: number): Promise<{ low: number; high: number }> {
    const found = (await offsets(topic)).find((one) => one.partition === partition)
    if (found === undefined) throw new Error(`topic ${topic} has no partition ${partition}`)
    return found
  }

  return followBrokers({ brokers: tailBrokers(client, topic), starts, kept, metadataMs }, options, eachBatch)
}

const ANSWER_MS = 30_000
/** Whoever asks how the log is waits for no more. */
const PING_MS = 10_000
/** A member joins and leaves for it, and brokers may wait some seconds for others. */
const SET_MS = 60_000

/** How long each question to the brokers may take, milliseconds: the client's attempts within attempts add up to minutes. */
const BOUNDS = { answer: ANSWER_MS, ping: PING_MS, setOffsets: SET_MS }

/**
 * What `work` gives, within `ms` milliseconds where they are given. What fails because brokers are away, move or are late
 * is the unavailability of the log, which a caller may answer with; everything else is its own error.
 * @throws LogUnavailable, or what `work` throws
 */
export async function answered<T>(what: string, work: () => Promise<T>, ms?: number): Promise<T> {
  try {
    return await (ms === undefined ? work() : within(ms, what, work()))
  } catch (error) {
    throw isAway(error) ? new LogUnavailable(`does not answer: ${(error as Error).message}`, { cause: error }) : error
  }
}

/** The client's own errors have names of its own; it fails with a TypeError where what it knows of brokers has changed. */
function isAway(error: unknown): boolean {
  if (error instanceof LateBroker) return true
  const { name = '' } = rootOf(error)
  return (name.startsWith('KafkaJS') || name === 'TypeError') && mayRejoin(error)
}

const JOIN_MS = 30_000
const LEAVE_MS = 10_000

/**
 * Moves the position of a group that has no members, open intents included. Throws when it has some. Kafka lets only a
 * member commit, so this joins the group for as long as that takes.
 */
async function setOffsets(
  kafka: Kafka,
  admin: Admin,
  group: string,
  topic: string,
  offsets: readonly { partition: number; offset: number }[],
): Promise<void> {
  const { groups } = await admin.describeGroups([group])
  const members = groups[0]?.members.length ?? 0
  if (members > 0) throw new Error(`group ${group} has ${members} active members; stop them before setting its offsets`)

  const { promise: joined, resolve, reject } = Promise.withResolvers<void>()
  const member = kafka.consumer({
    groupId: group,
    maxWaitTimeInMs: 100,
    retry: { restartOnFailure: async () => false },
  })
  member.on(member.events.GROUP_JOIN, () => resolve())
  member.on(member.events.CRASH, ({ payload }) => reject(payload.error))
  try {
    await member.connect()
    await member.subscribe({ topic, fromBeginning: true })
    await member.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async () => undefined })
    await within(JOIN_MS, 'joining a group', joined)
    const seek = offsets.map(({ partition, offset }) => ({ topic, partition, offset: String(offset), metadata: '' }))
    await member.commitOffsets(seek)
  } finally {
    await within(LEAVE_MS, 'leaving a group', member.disconnect())
  }
}

export type { KafkaLogOptions } from './client.ts'

/** Milliseconds in which partitions that were just made find their leader, and a broker that has started its groups. */
const RETRY_MS = 10_000
/** A broker that is away is not waited for. */
const CLOSE_MS = 3_000

/** The event log on Kafka 3.9 or 4.x. Rejects when no broker answers (ADR 267). */
export async function kafkaLog(options: KafkaLogOptions): Promise<EventLog> {
  const { compression = 'zstd', sessionMs = 30_000, heartbeatMs = 1_000, rebalanceMs = 60_000 } = options
  const { sendRetryMs: patienceMs = 30_000, metadataMs = 30_000, onLost } = options
  const kafka = kafkaClient(options)
  const admin = kafka.admin()
  const sending = kafkaClient(options, ONE_ATTEMPT)
  const { deliver, close } = delivery({
    retryMs: patienceMs,
    open: (createPartitioner) =>
      // An idempotent producer must have retries, says the client, but takes "not a number" of them, and makes none.
      sending.producer({ allowAutoTopicCreation: false, idempotent: true, createPartitioner, retry: { retries: NaN } }),
  })
  await admin.connect()
  const readers = new Set<{ stop(): Promise<void> }>()
  const counts = new Map<string, number>()
  /** Of topics that were declared: among so many partitions keys are shared out, whatever was added since. */
  const declared = new Map<string, number>()

  async function partitions(topic: string): Promise<number> {
    const count = counts.get(topic) ?? (await partitionCount(admin, topic))
    counts.set(topic, count)
    return count
  }

  async function offsets(topic: string): Promise<{ partition: number; low: number; high: number }[]> {
    await partitions(topic)
    const known = await retryTransient(RETRY_MS, () => admin.fetchTopicOffsets(topic))
    return known
      .map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
      .sort(byPartition)
  }

  async function offsetsAt(topic: string, time: number): Promise<{ partition: number; offset: number }[]> {
    await partitions(topic)
    const known = await retryTransient(RETRY_MS, () => admin.fetchTopicOffsetsByTimestamp(topic, time))
    return known.map(({ partition, offset }) => ({ partition, offset: Number(offset) })).sort(byPartition)
  }

  async function committed(group: string, topic: string): Promise<{ partition: number; offset: number | null }[]> {
    await partitions(topic)
    const ask = () => admin.fetchOffsets({ groupId: group, topics: [topic] })
    const [found] = await retryTransient(RETRY_MS, ask)
    return (found?.partitions ?? [])
      .map(({ partition, offset }) => ({ partition, offset: Number(offset) < 0 ? null : Number(offset) }))
      .sort(byPartition)
  }

  const send = sender(deliver, async (topic) => declared.get(topic) ?? (await partitions(topic)))

  /** It is stopped before the clients are closed. */
  function register<R extends Tail>(reader: R): R {
    readers.add(reader)
    reader.closed.finally(() => readers.delete(reader)).catch(() => undefined)
    return reader
  }

  return {
    async createTopics(specs) {
      await answered('making topics', () => createTopics(admin, specs, compression))
      for (const spec of specs) declared.set(spec.name, spec.partitions)
    },
    topicNames: () => answered('listing topics', () => admin.listTopics(), BOUNDS.answer),
    send: (sends) => answered('appending', () => send(sends)),
    offsets: (topic) => answered('asking for offsets', () => offsets(topic), BOUNDS.answer),
    offsetsAt: (topic, time) => answered('asking for offsets of a time', () => offsetsAt(topic, time), BOUNDS.answer),
    read: (topic, partition, from, to, maxRecords, maxBytes = Number.MAX_SAFE_INTEGER) =>
      readRange(kafka, admin, { topic, partition, from, to, maxRecords, maxBytes }),
    scan: (topic, partition, from, to) => scanRange(kafka, admin, { topic, partition, from, to }),
    committed: (group, topic) => answered('asking for positions', () => committed(group, topic), BOUNDS.answer),
    setOffsets: (group, topic, offsets) =>
      answered('moving positions', () => setOffsets(kafka, admin, group, topic, offsets), BOUNDS.setOffsets),
    async consume(consumeOptions, eachBatch) {
      for (const topic of consumeOptions.topics) await partitions(topic)
      const times = { sessionMs, heartbeatMs, rebalanceMs, metadataMs }
      return register(await consumeKafka({ kafka, admin, times, options: consumeOptions, eachBatch, onLost }))
    },
    tail: async (tailOptions, eachBatch) =>
      register(await tailKafka({ client: sending, offsets, metadataMs }, tailOptions, eachBatch)),
    async ping() {
      await answered('describing the cluster', () => admin.describeCluster(), BOUNDS.ping)
    },
    async close() {
      await Promise.all([...readers].map((reader) => reader.stop()))
      await Promise.all([close(), within(CLOSE_MS, 'closing', admin.disconnect()).catch(() => undefined)])
    },
  }
}

const byPartition = (a: { partition: number }, b: { partition: number }): number => a.partition - b.partition
