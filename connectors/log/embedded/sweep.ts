import { randomUUID } from 'node:crypto'
import { compactFrames, finishCompaction, planCompaction } from './compaction.ts'
import { frameHeader } from './frame.ts'
import { begunFrom, leaseHolds } from './group-state.ts'
import { frameKey, frameRange, lastOffsetOf } from './keys.ts'
import type { Store, TopicRecord } from './log-store.ts'
import { partitionState, partitionsOf } from './topics.ts'

/** Frames that one transaction removes. */
const STEP = 64

/**
 * The offset that the next step of retention removes frames below: their records are all older than `before`, and none
 * is at or past `floor`. The low end where there is nothing to remove.
 */
function expiredBelow(store: Store, topic: TopicRecord, partition: number, before: number, floor: number): number {
  let { low } = partitionState(store, topic, partition)
  for (const { key, value } of store.frames.getRange({ ...frameRange(topic.id, partition, low), limit: STEP })) {
    const header = frameHeader(value, lastOffsetOf(key) + 1)
    // A damaged frame stays: a reader shall meet it and say so.
    if (!header || header.maxTimestamp >= before || header.baseOffset + header.span > floor) break
    low = header.baseOffset + header.span
  }
  return low
}

/** Inside a transaction: removes the frames below an offset that `expiredBelow` answered in it. */
function removeFrames(store: Store, topic: TopicRecord, partition: number, low: number): void {
  const keys = [
    ...store.frames.getKeys({ start: frameKey(topic.id, partition, 0), end: frameKey(topic.id, partition, low) }),
  ]
  for (const key of keys) store.frames.remove(key)
  store.partitions.put([topic.id, partition], { ...partitionState(store, topic, partition), low })
}

type SweepOptions = { now: () => number; sweepMs: number; tombstoneMs: number; warn: (error: unknown) => void }
type SweepLease = { holder: string; expires: number }

/** How long a process that sweeps keeps the others from it without a sign, milliseconds. */
const LEASE = 30_000

/** Raised inside a step when another process sweeps, or a range was begun in what is being cleaned: later, then. */
class Interrupted extends Error {}

/**
 * Retention and compaction, every `sweepMs`, in steps of one short transaction each. One process at a time: the first
 * step takes a lease, every step renews it. Ranges that a group has begun are left alone, so they can be repeated.
 */
export function startSweeps(store: Store, { now, sweepMs, tombstoneMs, warn }: SweepOptions) {
  const holder = randomUUID()
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(sweep)
  }, sweepMs)
  timer.unref()

  /** One transaction that holds the lease. */
  const step = <T>(change: () => T): Promise<T> =>
    store.write(() => {
      const lease = store.groups.get(['sweep']) as SweepLease | undefined
      if (stopped || (lease && lease.holder !== holder && leaseHolds(lease.expires, LEASE, now())))
        throw new Interrupted()
      store.groups.put(['sweep'], { holder, expires: now() + LEASE } satisfies SweepLease)
      return change()
    })

  async function sweep(): Promise<void> {
    try {
      await step(() => undefined)
      for (const { value: topic } of [...store.topics.getRange()])
        for (const partition of partitionsOf(topic)) {
          await retain(topic, partition)
          if (topic.cleanup === 'compact') await compact(topic, partition)
        }
    } catch (error) {
      if (!(error instanceof Interrupted)) warn(error)
    }
  }

  async function retain(topic: TopicRecord, partition: number): Promise<void> {
    const { retentionMs, name } = topic
    if (retentionMs === null) return
    const below = (): number =>
      expiredBelow(store, topic, partition, now() - retentionMs, begunFrom(store, { topic: name, partition }))
    // Looked at before a step is begun: each is a commit, which wakes all processes.
    store.refresh()
    for (let at = partitionState(store, topic, partition).low; below() > at; store.refresh())
      at = await step(() => {
        const end = below()
        removeFrames(store, topic, partition, end)
        return end
      })
  }

  async function compact(topic: TopicRecord, partition: number): Promise<void> {
    const floor = begunFrom(store, { topic: topic.name, partition })
    const pass = planCompaction(store, topic, partition, { floor, horizon: now() - tombstoneMs })
    if (!pass) return
    let oldest: number | null = null
    for (let from = 0; from < pass.end; ) {
      const { next, tombstoneSince } = await step(() => {
        if (begunFrom(store, { topic: topic.name, partition }) < pass.end) throw new Interrupted()
        return compactFrames(store, topic, partition, pass, from)
      })
      if (tombstoneSince !== null) oldest = Math.min(oldest ?? tombstoneSince, tombstoneSince)
      from = next
    }
    await step(() => finishCompaction(store, topic, partition, pass, oldest))
  }

  return {
    async stop(): Promise<void> {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
