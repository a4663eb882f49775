import type { Admin, EachBatchPayload, Kafka } from 'kafkajs'
import type { Batch, ConsumeOptions, Consumer } from '../port.ts'
import {
  type AssignedPartition,
  advance,
  bufferMessages,
  nextRange,
  type OffsetRange,
  readIntent,
  writeIntent,
} from './assigned-partition.ts'
import { fromKafka } from './messages.ts'
import { retryTransient } from './patience.ts'

export type GroupTimes = { sessionMs: number; heartbeatMs: number; rebalanceMs: number; metadataMs: number }

const MAX_FETCH = 32 * 1024 * 1024
/** A fetch waits for this many bytes, or for the linger, whichever comes first. */
const ENOUGH = 1024 * 1024
const MAX_CONCURRENT = 64

/**
 * One member of a group. A fetched batch is cut into ranges; each is recorded as begun (in the metadata of the offset,
 * the position still at its start), handed out, and committed. Signs of life are given while a batch runs; when the
 * group rebalances, running batches are signalled, may finish, and are committed if the partition is still this member's.
 * Resolves once it has joined; rejects with what kept it from joining, no batch handed out (ADR 22).
 */
export async function consumeKafka(
  kafka: Kafka,
  admin: Admin,
  times: GroupTimes,
  options: ConsumeOptions,
  eachBatch: (batch: Batch) => Promise<void>,
): Promise<Consumer> {
  const { group, topics, lingerMs } = options
  const partitions = new Map<string, AssignedPartition>()
  const ended = Promise.withResolvers<void>()
  let stopping = false
  const fetchBytes = Math.min(options.maxBytes, MAX_FETCH)
  const member = kafka.consumer({
    groupId: group,
    sessionTimeout: times.sessionMs,
    heartbeatInterval: times.heartbeatMs,
    rebalanceTimeout: times.rebalanceMs,
    metadataMaxAge: times.metadataMs,
    allowAutoTopicCreation: false,
    maxBytes: fetchBytes,
    maxBytesPerPartition: fetchBytes,
    minBytes: lingerMs > 0 ? Math.min(fetchBytes, ENOUGH) : 1,
    maxWaitTimeInMs: lingerMs > 0 ? lingerMs : 100,
    // A crashed member is not restarted here: the process that supervises decides, and a restart in place has been
    // seen to come back with the assignment of before.
    retry: { restartOnFailure: async () => false },
  })

  const abortAll = (): void => {
    for (const { abort } of partitions.values()) abort.abort()
  }
  const allIdle = (): Promise<unknown> => Promise.allSettled([...partitions.values()].map(({ idle }) => idle))

  async function end(failure?: unknown): Promise<void> {
    if (stopping) return ended.promise.catch(() => undefined)
    stopping = true
    abortAll()
    await allIdle()
    await member.disconnect().catch(() => undefined)
    if (failure === undefined) ended.resolve()
    else ended.reject(failure)
  }

  member.on(member.events.CRASH, ({ payload }) => void end(payload.error))
  member.on(member.events.REBALANCING, abortAll)
  // From here on another generation: earlier work is stale and finds its partition state removed.
  const joined = Promise.withResolvers<void>()
  member.on(member.events.GROUP_JOIN, () => {
    abortAll()
    partitions.clear()
    joined.resolve()
  })

  await member.connect()
  await member.subscribe({ topics, fromBeginning: true })
  await member.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: MAX_CONCURRENT,
    eachBatch: handle,
  })
  await Promise.race([joined.promise, ended.promise])
  return { closed: ended.promise, stop: () => end() }

  async function handle(payload: EachBatchPayload): Promise<void> {
    if (stopping) return
    const { batch, heartbeat, resolveOffset } = payload
    const state = await partitionOf(batch.topic, batch.partition)
    const name = `${state.topic}/${state.partition}`
    bufferMessages(state, batch.messages.map(fromKafka), Number(batch.lastOffset()) + 1)
    const work = withHeartbeat(heartbeat, state, () => drain(name, state, Number(batch.highWatermark)))
    state.idle = work.catch(() => undefined)
    try {
      await work
    } catch (error) {
      // The others of this member stop too before it rejoins: none of them may run into the next generation.
      if (state.abort.signal.aborted) abortAll()
      await allIdle()
      throw error
    }
    if (partitions.get(name) === state && !state.abort.signal.aborted) resolveOffset(String(state.fetched - 1))
  }

  async function partitionOf(topic: string, partition: number): Promise<AssignedPartition> {
    const name = `${topic}/${partition}`
    const known = partitions.get(name)
    if (known) return known
    const state: AssignedPartition = {
      topic,
      partition,
      position: null,
      begun: null,
      inherited: false,
      buffer: [],
      fetched: 0,
      abort: new AbortController(),
      idle: Promise.resolve(),
    }
    partitions.set(name, state)
    const ask = () => admin.fetchOffsets({ groupId: group, topics: [topic] })
    // No sign of life is given meanwhile.
    const [found] = await retryTransient(performance.now() + times.sessionMs / 3, ask)
    const committed = found?.partitions.find((known) => known.partition === partition)
    if (committed && Number(committed.offset) >= 0) {
      state.position = Number(committed.offset)
      state.begun = readIntent(committed.metadata)
      state.inherited = state.begun !== null
    }
    return state
  }

  /** Hands out what the state holds, range by range. */
  async function drain(name: string, state: AssignedPartition, highWatermark: number): Promise<void> {
    const mine = () => partitions.get(name) === state
    const { signal } = state.abort
    for (let range = nextRange(state, options); range && !signal.aborted; range = nextRange(state, options)) {
      const note = range.begun?.note ?? (await begin(state, range))
      if (range.messages.length > 0)
        try {
          const { from, to, messages, redelivered } = range
          const { topic, partition } = state
          await eachBatch({ topic, partition, messages, from, to, note, redelivered, highWatermark, signal })
        } catch (error) {
          // An aborted batch may throw for that reason; not committed, it is repeated by the next owner.
          if (!signal.aborted) void end(error)
          return
        }
      // The broker checks the generation, not the partition: a state of an earlier assignment must not commit.
      if (!mine()) return
      await commit(state, range.to, '')
      advance(state, range.to)
    }
  }

  async function begin(state: AssignedPartition, { from, to }: OffsetRange): Promise<string> {
    if (!options.intent) return ''
    const { topic, partition } = state
    try {
      const note = await options.intent({ topic, partition, from, to })
      const metadata = writeIntent({ to, note })
      await commit(state, from, metadata)
      state.position = from
      state.begun = { to, note }
      return note
    } catch (error) {
      if (!isKafkaError(error)) void end(error)
      throw error
    }
  }

  async function commit({ topic, partition }: AssignedPartition, offset: number, metadata: string): Promise<void> {
    await member.commitOffsets([{ topic, partition, offset: String(offset), metadata }])
  }

  /** While a batch runs, only this loop sends heartbeats; the first heartbeat that fails aborts the batch. */
  async function withHeartbeat(
    heartbeat: () => Promise<void>,
    state: AssignedPartition,
    work: () => Promise<void>,
  ): Promise<void> {
    let lost: { error: unknown } | undefined
    const timer = setInterval(() => {
      heartbeat().catch((error) => {
        lost ??= { error }
        clearInterval(timer)
        state.abort.abort()
      })
    }, times.heartbeatMs / 2)
    try {
      await work()
    } finally {
      clearInterval(timer)
    }
    // The client rejoins when it sees this error.
    if (lost && !stopping) throw lost.error
  }
}

const isKafkaError = (error: unknown): boolean => error instanceof Error && error.name.startsWith('KafkaJS')
