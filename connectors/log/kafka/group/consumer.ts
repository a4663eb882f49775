import type { Admin, ConsumerConfig, EachBatchPayload, Kafka } from 'kafkajs'
import type { Batch, ConsumeOptions, Consumer } from '../../port.ts'
import { fromKafka } from '../messages.ts'
import { retryTransient } from '../retry.ts'
import { type AssignedPartition, bufferMessages, newlyAssigned, resumeAt } from './assigned-partition.ts'
import { withHeartbeats } from './heartbeats.ts'
import { oneMember } from './one-member.ts'
import { processRanges, type RangePorts } from './process-ranges.ts'

export type GroupTimes = { sessionMs: number; heartbeatMs: number; rebalanceMs: number; metadataMs: number }

const MAX_FETCH = 32 * 1024 * 1024
/** A fetch waits for this much, or for the linger, whichever comes first. */
const ENOUGH = 1024 * 1024
const MAX_CONCURRENT = 64

/**
 * One member of a group. A fetched batch is cut into ranges; each is recorded as begun (in the metadata of the offset,
 * the position still at its start), handed out, and committed. Signs of life are given while a batch runs; when the
 * group rebalances, running batches are told, may finish, and are committed if the partition is still this member's.
 * Resolves once it has joined; rejects with what kept it from joining, no batch handed out (ADR 22).
 */
export async function consumeKafka(
  kafka: Kafka,
  admin: Admin,
  times: GroupTimes,
  options: ConsumeOptions,
  eachBatch: (batch: Batch) => Promise<void>,
): Promise<Consumer> {
  const { group, topics } = options
  const partitions = new Map<string, AssignedPartition>()
  const ended = Promise.withResolvers<void>()
  let stopping = false
  let leads = false
  /** Under which the broker knows this process. */
  let known = ''
  let turned: Promise<unknown> = Promise.resolve()
  const member = kafka.consumer(memberConfig(times, options, () => (leads ? known : '')))

  const abortAll = (): void => {
    for (const { abort } of partitions.values()) abort.abort()
  }
  const allIdle = (): Promise<unknown> => Promise.allSettled([...partitions.values()].map(({ idle }) => idle))

  /** What is told first ends first. */
  function turn(now: boolean): void {
    // A member that leaves may still be told of an assignment.
    if (now === leads || options.leader === undefined || (now && stopping)) return
    leads = now
    turned = turned.then(() => options.leader!.changed(now)).catch((error: unknown) => void end(error))
  }

  async function end(failure?: unknown): Promise<void> {
    if (stopping) return ended.promise.catch(() => undefined)
    stopping = true
    clearInterval(watching)
    abortAll()
    await allIdle()
    turn(false)
    await turned
    await member.disconnect().catch(() => undefined)
    if (failure === undefined) ended.resolve()
    else ended.reject(failure)
  }

  member.on(member.events.CRASH, ({ payload }) => void end(payload.error))
  member.on(member.events.REBALANCING, abortAll)
  // From here on another generation: what ran before is stale and finds its partition gone.
  const joined = Promise.withResolvers<void>()
  member.on(member.events.GROUP_JOIN, ({ payload: { memberAssignment, memberId } }) => {
    abortAll()
    partitions.clear()
    // Another process may have led meanwhile: what this one knew is of before.
    if (memberId !== known) turn(false)
    known = memberId
    turn(Object.values(memberAssignment).some((given) => given.length > 0))
    joined.resolve()
  })
  // Whoever leads steps down before the broker gives its partitions to another member.
  const silence = (times.sessionMs * 2) / 3
  let until = performance.now() + silence
  const heard = (): void => {
    until = performance.now() + silence
  }
  member.on(member.events.HEARTBEAT, heard)
  member.on(member.events.GROUP_JOIN, heard)
  // The broker answers once every member has come or has had its time; nobody is given anything before.
  member.on(member.events.REBALANCING, () => {
    until = performance.now() + times.rebalanceMs
  })
  const watching = setInterval(() => {
    if (leads && performance.now() > until)
      void end(new Error(`${group}: the broker has not answered the leader in time`))
  }, times.heartbeatMs)

  const ports: RangePorts = {
    options,
    eachBatch,
    isAssigned: (state) => partitions.get(nameOf(state)) === state,
    commit: ({ topic, partition }, offset, metadata) =>
      member.commitOffsets([{ topic, partition, offset: String(offset), metadata }]),
    fail: (error) => void end(error),
  }

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
    await turned
    if (stopping) return
    const { batch, resolveOffset } = payload
    const state = await partitionOf(batch.topic, batch.partition)
    bufferMessages(state, batch.messages.map(fromKafka), Number(batch.lastOffset()) + 1)
    const work = processBatch(payload, state)
    state.idle = work.catch(() => undefined)
    try {
      await work
    } catch (error) {
      // The others of this member stop too before it rejoins: none of them may run into the next generation.
      if (state.abort.signal.aborted) abortAll()
      await allIdle()
      throw error
    }
    if (ports.isAssigned(state) && !state.abort.signal.aborted) resolveOffset(String(state.fetched - 1))
  }

  async function processBatch({ batch, heartbeat }: EachBatchPayload, state: AssignedPartition): Promise<void> {
    const work = () => processRanges(ports, state, Number(batch.highWatermark))
    const lost = await withHeartbeats(heartbeat, times.heartbeatMs / 2, state.abort, work)
    // The client rejoins when it sees this error.
    if (lost && !stopping) throw lost.error
  }

  async function partitionOf(topic: string, partition: number): Promise<AssignedPartition> {
    const known = partitions.get(nameOf({ topic, partition }))
    if (known) return known
    const state = newlyAssigned(topic, partition)
    partitions.set(nameOf(state), state)
    const ask = () => admin.fetchOffsets({ groupId: group, topics: [topic] })
    // No heartbeat is sent meanwhile.
    const [found] = await retryTransient(times.sessionMs / 3, ask)
    const committed = found?.partitions.find((known) => known.partition === partition)
    if (committed && Number(committed.offset) >= 0) resumeAt(state, Number(committed.offset), committed.metadata)
    return state
  }
}

const nameOf = ({ topic, partition }: { topic: string; partition: number }): string => `${topic}/${partition}`

function memberConfig(
  times: GroupTimes,
  { group, maxBytes, lingerMs, leader }: ConsumeOptions,
  leading: () => string,
): ConsumerConfig {
  const fetchBytes = Math.min(maxBytes, MAX_FETCH)
  return {
    groupId: group,
    ...(leader === undefined ? {} : { partitionAssigners: [oneMember(leading)] }),
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
  }
}
