import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventLog, Tail, TailBatch, TailOptions } from '../port.ts'
import { runTail } from '../run-tail.ts'
import { checkKept, startOffsets } from '../start-tail.ts'
import { appender } from './append.ts'
import { consumeEmbedded } from './group-consumer.ts'
import { moveOffsets, offsetRow } from './group-state.ts'
import { openStore, type Store } from './log-store.ts'
import { type LogSlice, offsetAt, readSlice, scanFrames } from './read.ts'
import { startSweeps } from './sweep.ts'
import { type Ticker, ticker } from './ticker.ts'
import { checkPartition, createTopics, offsetsOf, partitionState, partitionsOf, topicOf } from './topics.ts'

type TailLook = {
  /**
   * What a partition has from an offset on, within the bounds; without records where compaction left none up to `to`. Null:
   * nothing yet. Throws OffsetGone.
   */
  look(partition: number, from: number): TailBatch | null
  /** Resolves when there may be something new. */
  next(): Promise<void>
  /** Ends the waits. */
  wake(): void
}

/**
 * A tail of a log that this process can look into at once. `tail` has returned before the first batch.
 * @param starts the next offset to read of every partition
 */
export function tailByLooking(
  starts: ReadonlyMap<number, number>,
  { look, next, wake }: TailLook,
  eachBatch: (batch: TailBatch) => Promise<void> | void,
): Tail {
  return runTail(async ({ signal, fail }) => {
    signal.addEventListener('abort', wake)
    await Promise.all([...starts].map(([partition, from]) => follow(partition, from, signal).catch(fail)))
  })

  async function follow(partition: number, from: number, signal: AbortSignal): Promise<void> {
    for (let at = from; ; ) {
      // Looking takes no turn of the event loop: without this one nothing else would run while there is much to read.
      await nextTurn()
      if (signal.aborted) return
      const batch = look(partition, at)
      if (batch === null) await next()
      else {
        if (batch.messages.length > 0) await eachBatch(batch)
        at = batch.to
      }
    }
  }
}

/** Follows a topic; the ticker tells of appends, of this process and of others. */
function tailEmbedded(
  store: Store,
  { next, wake }: Ticker,
  options: TailOptions,
  eachBatch: (batch: TailBatch) => Promise<void> | void,
): Tail {
  const { maxRecords, maxBytes } = options
  /** By partition what came out of the last frame and is not handed over yet: a frame is unpacked once. */
  const unpacked = new Map<number, LogSlice>()
  store.refresh()
  const topic = topicOf(store, options.topic)
  const starts = startOffsets(offsetsOf(store, topic), options)

  function look(partition: number, from: number): TailBatch | null {
    store.refresh()
    const { low, next: high } = partitionState(store, topic, partition)
    checkKept(topic.name, from, { partition, low, high })
    if (from === high) return null
    const whole = { from, to: high, maxRecords: Number.MAX_SAFE_INTEGER, maxBytes, enough: maxRecords }
    const slice = unpacked.get(partition) ?? readSlice(store, topic, partition, whole)
    const messages = slice.messages.splice(0, maxRecords)
    const left = slice.messages[0]
    if (left === undefined) unpacked.delete(partition)
    else unpacked.set(partition, slice)
    const to = left?.offset ?? slice.next
    // Where compaction has removed the last records of the partition there is nothing to pass until more comes.
    return to === from ? null : { partition, messages, to, highWatermark: high }
  }

  return tailByLooking(starts, { look, next: () => next(), wake }, eachBatch)
}

export type EmbeddedLogOptions = {
  /** The folder of the log; created if it does not exist. Any number of processes may have it open at the same time. */
  folder: string
  /** Unix milliseconds; default: the clock of the machine. */
  now?: () => number
  /**
   * How often an idle consumer looks for records, milliseconds; default 2,000, which only matters when the system loses
   * a notification, 250 until it has given one, and 10 where it gives none.
   */
  pollMs?: number
  /** How long a consumer that gives no sign keeps its partitions, milliseconds; default 10,000. */
  leaseMs?: number
  /** How often retention and compaction run, milliseconds; default 60,000. */
  sweepMs?: number
  /** How long compaction keeps a tombstone for consumers to see, milliseconds; default a day. */
  tombstoneMs?: number
  /** Called when a sweep failed; nothing is lost, and the next sweep tries again. */
  warn?: (error: unknown) => void
}

const DAY = 24 * 60 * 60 * 1000
const PROVEN_MS = 2_000
const WATCHED_MS = 250
const UNWATCHED_MS = 10

/** The event log in a folder, on LMDB, with the semantics of Kafka. No other program may write to the folder.(ADR 267). */
export async function embeddedLog(options: EmbeddedLogOptions): Promise<EventLog> {
  const { folder, now = Date.now, leaseMs = 10_000, sweepMs = 60_000, tombstoneMs = DAY } = options
  const store = openStore(folder)
  const watched = store.watch(() => tick.ring())
  const { pollMs = watched ? WATCHED_MS : UNWATCHED_MS } = options
  const tick = ticker(pollMs, options.pollMs ?? PROVEN_MS, store.refresh)
  const sweeping = startSweeps(store, { now, sweepMs, tombstoneMs, warn: options.warn ?? (() => undefined) })
  const readers = new Set<{ stop(): Promise<void> }>()

  /** It is stopped before the store is closed. */
  function register<R extends Tail>(reader: R): R {
    readers.add(reader)
    reader.closed.finally(() => readers.delete(reader)).catch(() => undefined)
    return reader
  }

  const fresh = <T>(look: (store: Store) => T): T => {
    store.refresh()
    return look(store)
  }

  return {
    createTopics: (specs) => createTopics(store, specs),
    topicNames: async () => fresh(() => Array.from(store.topics.getKeys(), String)),
    send: appender(store, now, tick.wake),
    offsets: async (name) => fresh(() => offsetsOf(store, topicOf(store, name))),
    offsetsAt: async (name, time) =>
      fresh(() => {
        const topic = topicOf(store, name)
        return partitionsOf(topic).map((partition) => ({ partition, offset: offsetAt(store, topic, partition, time) }))
      }),
    read: async (name, partition, from, to, maxRecords, maxBytes = Number.MAX_SAFE_INTEGER) =>
      fresh(() => {
        const topic = topicOf(store, name)
        checkPartition(topic, partition)
        return readSlice(store, topic, partition, { from, to, maxRecords, maxBytes }).messages
      }),
    async *scan(name, partition, from, to) {
      const topic = fresh(() => topicOf(store, name))
      checkPartition(topic, partition)
      yield* scanFrames(store, topic, partition, { from, to })
    },
    committed: async (group, name) =>
      fresh(() =>
        partitionsOf(topicOf(store, name)).map((partition) => ({
          partition,
          offset: offsetRow(store, group, { topic: name, partition })?.offset ?? null,
        })),
      ),
    async setOffsets(group, name, offsets) {
      const topic = topicOf(store, name)
      for (const { partition } of offsets) checkPartition(topic, partition)
      const rows = offsets.map((offset) => ({ ...offset, topic: name }))
      await store.write(() => moveOffsets(store, group, rows, now()))
    },
    consume: async (consumeOptions, eachBatch) =>
      register(await consumeEmbedded({ store, ticker: tick, now, leaseMs }, consumeOptions, eachBatch)),
    tail: async (tailOptions, eachBatch) => register(tailEmbedded(store, tick, tailOptions, eachBatch)),
    ping: () => store.ping(),
    async close() {
      await Promise.all([...readers].map((reader) => reader.stop()))
      await sweeping.stop()
      await store.close()
    },
  }
}
