import type { Batch, ConsumeOptions } from '../port.ts'
import { commitOffset, type Intent, type OffsetRow, type OwnedPartition, offsetRow } from './group-state.ts'
import type { Store, TopicRecord } from './log-store.ts'
import { type LogSlice, readSlice } from './read.ts'
import type { Ticker } from './ticker.ts'
import { partitionState } from './topics.ts'

/** What a slow batch adds to the expectation of later ones is forgotten by three tenths with each of them. */
const FORGET = 0.7

/**
 * How long a partition waits for more records, counted from the last portion it handed out. A portion costs its consumer
 * much beside its records, so while records keep coming the wait is stretched as far as `stretch` allows: wait and batch
 * together stay within it, by the slowest of the last batches (ADR 267).
 */
export function linger({ lingerMs, stretch }: Pick<ConsumeOptions, 'lingerMs' | 'stretch'>) {
  let rate = 0
  let slowMs = 0
  return {
    /** Milliseconds between the last portion and the next one, as `stretch` says at this moment: asked again while waiting. */
    waitMs: () => Math.max(lingerMs, (stretch?.(rate) ?? 0) - slowMs),
    /**
     * A portion of so many records was dealt with in `tookMs`.
     * @param overMs from the portion before to this one; infinite for the first
     */
    took(records: number, overMs: number, tookMs: number): void {
      slowMs = Math.max(tookMs, slowMs * FORGET)
      rate = (records * 1000) / overMs
    },
  }
}

const MAX_NOTE = 2048
/** A wait may end sooner than it was begun for, also when nothing more comes. */
const LOOK_MS = 250

export type PartitionLoop = {
  store: Store
  ticker: Ticker
  options: ConsumeOptions
  member: string
  topic: TopicRecord
  at: OwnedPartition
  signal: AbortSignal
  eachBatch: (batch: Batch) => Promise<void>
}

type BatchRange = LogSlice & { from: number; intent: Intent | null }

/** How often a position moves past records that nobody reads, in milliseconds: each time is a commit. */
const SKIP_MS = 500

/**
 * Hands out the batches of one partition, one after another, until the signal aborts: a range that was begun before
 * first and exactly, then whatever comes. After each batch the position moves in one transaction that also checks that
 * the partition is still this member's; a member that lost it gets a FencedError.
 */
export async function runPartition(loop: PartitionLoop): Promise<void> {
  const { store, options, member, at, signal, eachBatch } = loop
  const commit = (row: OffsetRow) => store.write(() => commitOffset(store, options.group, member, at, row))

  store.refresh()
  const committed = offsetRow(store, options.group, at)
  let position = committed?.offset ?? 0
  let begun = committed?.intent ?? null
  let handedOut = Number.NEGATIVE_INFINITY
  const pace = linger(options)
  const due = (): number => handedOut + pace.waitMs()
  while (!signal.aborted) {
    const range = begun ? readBegun(loop, position, begun) : await fetchBatch(loop, position, due)
    if (!range) return
    const before = handedOut
    handedOut = performance.now()
    const { from, next: to } = range
    if (range.messages.length > 0) {
      const note = range.intent?.note ?? (await begin(loop, from, to))
      await eachBatch({
        topic: at.topic,
        partition: at.partition,
        messages: range.messages,
        from,
        to,
        note,
        redelivered: begun !== null,
        highWatermark: partitionState(store, loop.topic, at.partition).next,
        signal,
      })
    }
    await commit({ offset: to, intent: null })
    pace.took(range.messages.length, handedOut - before, performance.now() - handedOut)
    position = to
    begun = null
  }
}

function readBegun({ store, topic, at }: PartitionLoop, from: number, intent: Intent): BatchRange {
  const whole = { from, to: intent.to, maxRecords: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }
  return { ...readSlice(store, topic, at.partition, whole), from, next: intent.to, intent }
}

/** Records the range before it is handed out, so that the next owner of the partition repeats exactly this range. */
async function begin({ store, options, member, at, signal }: PartitionLoop, from: number, to: number): Promise<string> {
  if (!options.intent) return ''
  const note = await options.intent({ topic: at.topic, partition: at.partition, from, to })
  if (Buffer.byteLength(note) > MAX_NOTE) throw new Error(`the note of an intent exceeds ${MAX_NOTE} bytes`)
  signal.throwIfAborted()
  await store.write(() => commitOffset(store, options.group, member, at, { offset: from, intent: { to, note } }))
  return note
}

/**
 * Waits for records: until the batch is full or the last one was handed out long enough ago. So what comes after a quiet
 * time is handed out at once, and a steady trickle in portions. Without records: the position is to move past those that
 * the group skips. Null when aborted.
 */
async function fetchBatch(
  { store, topic, at, options, ticker, signal }: PartitionLoop,
  position: number,
  due: () => number,
) {
  const range: BatchRange = { from: position, next: position, messages: [], bytes: 0, intent: null }
  const { skips, lingerMs } = options
  const commitAt = performance.now() + SKIP_MS
  let askAt = 0
  store.refresh()
  // After each wait the ticker has refreshed, once for all that wait.
  while (!signal.aborted) {
    const { next: high, low } = partitionState(store, topic, at.partition)
    // Retention may have passed the position: the records between are deleted.
    if (range.messages.length === 0 && low > range.from) range.from = range.next = low
    const skipped = range.messages.length === 0 && range.next > position
    if (skipped && performance.now() >= commitAt) return range
    if (skips !== undefined && range.messages.length === 0 && high > range.next) {
      const restMs = askAt - performance.now()
      if (restMs > 0) {
        await ticker.next(restMs)
        continue
      }
      askAt = performance.now() + lingerMs
      if (await skips({ topic: at.topic, partition: at.partition, from: range.next, to: high, signal })) {
        range.from = range.next = high
        continue
      }
    }
    if (high > range.next) {
      const more = readSlice(store, topic, at.partition, {
        from: range.next,
        to: high,
        maxRecords: options.maxRecords - range.messages.length,
        maxBytes: options.maxBytes - range.bytes,
      })
      for (const message of more.messages) range.messages.push(message)
      range.next = more.next
      range.bytes += more.bytes
    }
    if (range.messages.length === 0) {
      await ticker.next(skipped ? Math.max(1, commitAt - performance.now()) : undefined)
      continue
    }
    const full = range.messages.length >= options.maxRecords || range.bytes >= options.maxBytes || range.next < high
    const restMs = due() - performance.now()
    if (full || restMs <= 0) return range
    await ticker.next(Math.min(restMs, LOOK_MS))
  }
  return null
}
