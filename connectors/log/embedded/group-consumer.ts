import { randomUUID } from 'node:crypto'
import { untilNext } from '../../../platform/pause.ts'
import type { Batch, ConsumeOptions, Consumer } from '../port.ts'
import { FencedError, groupVersion, join, leave, type OwnedPartition, release, takeTurn } from './group-state.ts'
import type { Store } from './log-store.ts'
import { runPartition } from './partition-loop.ts'
import type { Ticker } from './ticker.ts'
import { topicOf } from './topics.ts'

type ConsumerContext = { store: Store; ticker: Ticker; now: () => number; leaseMs: number }
type RunningPartition = { at: OwnedPartition; abort: AbortController; ended: Promise<void> }

const nameOf = ({ topic, partition }: { topic: string; partition: number }) => `${topic}/${partition}`

/**
 * One member of a group. It renews its lease, starts a loop for each partition it gets, and gives one up when the
 * assignment says so: the running batch is signalled to begin no further writes, may finish and is then committed, and
 * only after that the partition is free for the other member.
 */
export async function consumeEmbedded(
  { store, ticker, now, leaseMs }: ConsumerContext,
  options: ConsumeOptions,
  eachBatch: (batch: Batch) => Promise<void>,
): Promise<Consumer> {
  const { group, topics } = options
  const running = new Map<string, RunningPartition>()
  let member = randomUUID().toString()
  let stopping = false
  let failure: { error: unknown } | undefined

  for (const topic of topics) topicOf(store, topic)
  await enter()
  await options.leader?.changed(true)
  const closed = live().finally(() => options.leader?.changed(false))
  return {
    closed,
    async stop() {
      halt()
      await closed.catch(() => undefined)
    },
  }

  async function enter(): Promise<void> {
    await store.write(() => join(store, group, { id: member, topics }, now(), leaseMs))
  }

  function halt(): void {
    stopping = true
    for (const { abort } of running.values()) abort.abort()
    ticker.wake()
  }

  async function live(): Promise<void> {
    try {
      while (!stopping) {
        const seen = await turn()
        // All members of a machine renew at the same moments (ADR 281); those of a process in one commit (ADR 281).
        const due = performance.now() + untilNext(leaseMs / 3)
        // Read before a wait, so that a change that is made meanwhile ends it. After each one the ticker has refreshed.
        store.refresh()
        while (!stopping && performance.now() < due && groupVersion(store, group) === seen)
          await ticker.next(due - performance.now())
      }
    } catch (error) {
      failure ??= { error }
      halt()
    }
    while (running.size > 0) await allEnded(running.values())
    await store.write(() => leave(store, group, member)).catch((error) => (failure ??= { error }))
    if (failure) throw failure.error
  }

  /** Renews the lease and follows the assignment; the version of the group that it saw. */
  async function turn(): Promise<number> {
    const { plan, version } = await store.write(() => ({
      plan: takeTurn(store, group, { id: member, topics }, now(), leaseMs),
      version: groupVersion(store, group),
    }))
    if (plan.lost) return rejoin()
    const desired = new Set(plan.desired.map(nameOf))
    for (const [name, { abort }] of running) if (!desired.has(name)) abort.abort()
    for (const at of plan.owned) if (!stopping && !running.has(nameOf(at))) start(at)
    return version
  }

  /**
   * The other members have declared this member dead: its work now belongs to them, so it stops everything and
   * rejoins as a new member.
   */
  async function rejoin(): Promise<number> {
    for (const { abort } of running.values()) abort.abort()
    await allEnded(running.values())
    member = randomUUID()
    if (!stopping) await enter()
    return -1
  }

  function start(at: OwnedPartition): void {
    const abort = new AbortController()
    const owner = member
    const topic = topicOf(store, at.topic)
    const ended = runPartition({ store, ticker, options, member, topic, at, signal: abort.signal, eachBatch })
      .catch((error) => {
        // A batch that was aborted may throw for that reason; a fenced one has lost its partition. Neither was
        // committed, and the next owner repeats it. Anything else is unknown and ends the consumer.
        if (abort.signal.aborted || error instanceof FencedError) return
        failure ??= { error }
        halt()
      })
      .then(() => store.write(() => release(store, group, owner, at)))
      .catch((error) => {
        failure ??= { error }
        halt()
      })
      .then(() => {
        running.delete(nameOf(at))
        ticker.wake()
      })
    running.set(nameOf(at), { at, abort, ended })
  }
}

const allEnded = (running: Iterable<RunningPartition>): Promise<unknown> =>
  Promise.all([...running].map(({ ended }) => ended))
