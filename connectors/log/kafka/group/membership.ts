import type { Admin, EachBatchPayload, Kafka } from 'kafkajs'
import type { Batch, ConsumeOptions } from '../../port.ts'
import { fromKafka } from '../messages.ts'
import { retryTransient } from '../retry.ts'
import { within } from '../within.ts'
import { type AssignedPartition, bufferMessages, newlyAssigned, resumeAt } from './assigned-partition.ts'
import { withHeartbeats } from './heartbeats.ts'
import { type GroupTimes, memberConfig } from './member-config.ts'
import { isOfGroup, joinAgain, MembershipLost } from './membership-lost.ts'
import { processRanges, type RangePorts } from './process-ranges.ts'
import { type ProgressOptions, watchProgress } from './progress.ts'

const MAX_CONCURRENT = 64
/** A broker that is away is not waited for: it misses the member after its session. */
const LEAVE_MS = 3_000

export type Membership = {
  /** Resolves once it has been stopped; rejects with MembershipLost, or with what eachBatch threw. */
  closed: Promise<void>
  /** Ranges that were committed. */
  commits(): number
}

export type MembershipPorts = {
  kafka: Kafka
  admin: Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets'>
  times: GroupTimes
  options: ConsumeOptions
  eachBatch: (batch: Batch) => Promise<void>
  progress: ProgressOptions
  /** Stops after the running batch, and leaves the group. */
  signal: AbortSignal
}

/**
 * One membership in a group, from joining to its end. A fetched batch is cut into ranges; each is recorded as begun (in the
 * metadata of the offset, the position still at its start), handed out, and committed. Signs of life are given while a
 * batch runs; when the group rebalances, running batches are told, may finish, and are committed if the partition is still
 * this member's (ADR 267). Resolves once it has joined, or was stopped.
 * @throws what it ended by before it had joined
 */
export async function joinGroup(ports: MembershipPorts): Promise<Membership> {
  const { kafka, admin, times, options, eachBatch, signal } = ports
  const { group, topics } = options
  const partitions = new Map<string, AssignedPartition>()
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => undefined)
  let stopping = false
  let leads = false
  /** Changes of the lead that are under way. */
  let turning = 0
  let commits = 0
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
    turning++
    turned = turned
      .then(() => options.leader!.changed(now))
      .catch((error: unknown) => void end(error))
      .finally(() => turning--)
  }

  async function end(failure?: unknown): Promise<void> {
    if (stopping) return ended.promise.catch(() => undefined)
    stopping = true
    clearInterval(watching)
    progress.stop()
    abortAll()
    await allIdle()
    turn(false)
    await turned
    await within(LEAVE_MS, 'leaving the group', member.disconnect()).catch(() => undefined)
    if (failure === undefined) ended.resolve()
    else ended.reject(failure)
  }
  const lose = (why: string, cause?: unknown): void => void end(new MembershipLost(`${group}: ${why}`, cause))

  member.on(member.events.CRASH, ({ payload: { error } }) => lose(`the client gave up (${error.message})`, error))
  member.on(member.events.REBALANCING, abortAll)
  // From here on another generation: what ran before is stale and finds its partition gone.
  const joined = Promise.withResolvers<void>()
  member.on(member.events.GROUP_JOIN, ({ payload: { memberAssignment, memberId } }) => {
    abortAll()
    partitions.clear()
    progress.assigned(memberAssignment)
    // Another process may have led meanwhile: what this one knew is of before.
    if (memberId !== known) turn(false)
    known = memberId
    turn(Object.values(memberAssignment).some((given) => given.length > 0))
    joined.resolve()
  })
  member.on(member.events.START_BATCH_PROCESS, ({ payload: { topic, partition, lastOffset } }) =>
    progress.fetched(topic, partition, Number(lastOffset) + 1),
  )
  // Whoever leads steps down before the broker gives its partitions to another member.
  const silence = (times.sessionMs * 2) / 3
  let until = performance.now() + times.rebalanceMs + silence
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
    // Others have nothing to give up in time, and their client may find the broker by itself.
    if (performance.now() > until + (leads ? 0 : times.sessionMs)) lose('the broker has not answered in time')
  }, times.heartbeatMs)
  const busy = new Set<string>()
  const doing = {
    isBusy: (topic: string, partition: number) => turning > 0 || busy.has(nameOf({ topic, partition })),
    waiting: (topic: string, partition: number) => partitions.get(nameOf({ topic, partition }))?.buffer.length ?? 0,
    stalled: (why: string) => lose(why),
  }
  const progress = watchProgress(admin, group, doing, ports.progress)

  const ranges: RangePorts = {
    options,
    async eachBatch(batch) {
      const name = nameOf(batch)
      busy.add(name)
      try {
        await eachBatch(batch)
      } finally {
        busy.delete(name)
      }
    },
    isAssigned: (state) => partitions.get(nameOf(state)) === state,
    async commit({ topic, partition }, offset, metadata) {
      await member.commitOffsets([{ topic, partition, offset: String(offset), metadata }])
      commits++
    },
    fail: (error) => void end(error),
  }

  const stop = (): void => void end()
  signal.addEventListener('abort', stop)
  ended.promise.finally(() => signal.removeEventListener('abort', stop)).catch(() => undefined)
  if (signal.aborted) stop()
  // What it waits for may have no end; a membership has.
  start().catch((error: unknown) => lose('it cannot be joined', error))
  await Promise.race([joined.promise, ended.promise])
  return { closed: ended.promise, commits: () => commits }

  async function start(): Promise<void> {
    await member.connect()
    await member.subscribe({ topics, fromBeginning: true })
    await member.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: MAX_CONCURRENT,
      eachBatch: handle,
    })
  }

  async function handle(payload: EachBatchPayload): Promise<void> {
    await turned
    if (stopping) return
    const { batch, resolveOffset } = payload
    const state = await partitionOf(batch.topic, batch.partition)
    // Nothing but another assignment makes it whole: what is fetched for it would be handed back for ever.
    if (state.abort.signal.aborted) {
      abortAll()
      throw joinAgain('a partition was given up')
    }
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
    if (ranges.isAssigned(state) && !state.abort.signal.aborted) resolveOffset(String(state.fetched - 1))
  }

  async function processBatch({ batch, heartbeat }: EachBatchPayload, state: AssignedPartition): Promise<void> {
    const work = () => processRanges(ranges, state, Number(batch.highWatermark))
    const lost = await withHeartbeats(heartbeat, times.heartbeatMs / 2, state.abort, work)
    if (!lost || stopping) return
    // A connection that broke is no reason to rejoin for the client, but the state of the partition is of no use any more.
    throw isOfGroup(lost.error) ? lost.error : joinAgain('a sign of life did not arrive', lost.error)
  }

  async function partitionOf(topic: string, partition: number): Promise<AssignedPartition> {
    const name = nameOf({ topic, partition })
    const known = partitions.get(name)
    if (known) return known
    const state = newlyAssigned(topic, partition)
    partitions.set(name, state)
    try {
      const ask = () => admin.fetchOffsets({ groupId: group, topics: [topic] })
      // No heartbeat is sent meanwhile.
      const [found] = await retryTransient(times.sessionMs / 3, ask)
      const committed = found?.partitions.find((known) => known.partition === partition)
      if (committed && Number(committed.offset) >= 0) resumeAt(state, Number(committed.offset), committed.metadata)
      return state
    } catch (error) {
      // Without what was committed, a range that was begun would be cut in another way.
      if (partitions.get(name) === state) partitions.delete(name)
      throw error
    }
  }
}

const nameOf = ({ topic, partition }: { topic: string; partition: number }): string => `${topic}/${partition}`
