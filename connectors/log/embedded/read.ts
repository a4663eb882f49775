import type { LogMessage } from '../port.ts'
import { entriesOf, type FrameHeader, frameHeader, isIntact, messageOf } from './frame.ts'
import { frameKey, frameRange, lastOffsetOf } from './keys.ts'
import type { Store, TopicRecord } from './log-store.ts'
import { partitionState } from './topics.ts'

export type LogSlice = {
  messages: LogMessage[]
  /** Where to go on: past the last record, or past the gap that compaction left. */
  next: number
  bytes: number
}

type ReadRange = {
  from: number
  to: number
  maxRecords: number
  maxBytes: number
  /** No further frame is opened once this many records were read; default: unlimited. */
  enough?: number
}

/**
 * Records of [from, to) of one partition, up to `maxRecords` and about `maxBytes` (one record at least). Synchronous:
 * no read transaction outlives it. Throws when a frame is damaged, naming topic, partition and offset.
 */
export function readSlice(store: Store, topic: TopicRecord, partition: number, range: ReadRange): LogSlice {
  const { enough = Number.POSITIVE_INFINITY } = range
  const { low, next: high } = partitionState(store, topic, partition)
  const to = Math.min(range.to, high)
  const slice: LogSlice = { messages: [], next: Math.max(range.from, low), bytes: 0 }
  if (slice.next >= to || range.maxRecords < 1) return slice
  try {
    for (const { key, value } of store.frames.getRange(frameRange(topic.id, partition, slice.next))) {
      const complete = take(slice, openFrame(topic, partition, key, value), value, { ...range, to })
      if (complete || slice.messages.length >= enough) break
    }
  } finally {
    store.refresh()
  }
  return slice
}

/** Records of one portion of a scan, but for what the last frame has more: so few that they die young. */
const PORTION = 2_000
/** Bytes of one portion: the frame that would pass them is cut, and unpacked again for the next one. */
const PORTION_BYTES = 8 * 1024 * 1024

/** All records of [from, to) in portions of whole frames, as most fit. Throws as `readSlice` does. */
export async function* scanFrames(
  store: Store,
  topic: TopicRecord,
  partition: number,
  { from, to }: Pick<ReadRange, 'from' | 'to'>,
): AsyncGenerator<LogMessage[]> {
  for (let at = from; at < to; ) {
    store.refresh()
    const bounds = { maxRecords: Number.MAX_SAFE_INTEGER, maxBytes: PORTION_BYTES, enough: PORTION }
    const { messages, next } = readSlice(store, topic, partition, { from: at, to, ...bounds })
    if (messages.length > 0) yield messages
    if (next === at) return
    at = next
  }
}

/** Adds the records of one frame; true when the slice is complete. */
function take(
  slice: LogSlice,
  { baseOffset, span }: FrameHeader,
  frame: Buffer,
  { to, maxRecords, maxBytes }: Pick<ReadRange, 'to' | 'maxRecords' | 'maxBytes'>,
): boolean {
  for (const entry of entriesOf(frame)) {
    const offset = baseOffset + entry.delta
    if (offset < slice.next) continue
    if (offset >= to) break
    const size = (entry.key?.length ?? 0) + (entry.value?.length ?? 0)
    const full = slice.messages.length >= maxRecords || slice.bytes + size > maxBytes
    if (full && slice.messages.length > 0) return true
    slice.messages.push(messageOf(entry, baseOffset))
    slice.bytes += size
    slice.next = offset + 1
  }
  slice.next = Math.min(baseOffset + span, to)
  return slice.next >= to
}

function openFrame(topic: TopicRecord, partition: number, key: Buffer, frame: Buffer): FrameHeader {
  const header = frameHeader(frame, lastOffsetOf(key) + 1)
  if (!header || !isIntact(frame))
    throw new Error(
      `topic ${topic.name} partition ${partition}: the frame ending at offset ${lastOffsetOf(key)} is damaged`,
    )
  return header
}

/**
 * The first offset whose timestamp is at or after `time`, or the high watermark. Running maxima never fall, so the
 * frame where they reach `time` is found by bisection; after retention or compaction it may lie further on.
 */
export function offsetAt(store: Store, topic: TopicRecord, partition: number, time: number): number {
  const { low, next: high } = partitionState(store, topic, partition)
  let first = low
  for (let beyond = high; first < beyond; ) {
    const middle = Math.floor((first + beyond) / 2)
    const frame = frameAt(store, topic, partition, middle)
    if (frame && frame.runningMax < time) first = frame.baseOffset + frame.span
    else beyond = middle
  }
  try {
    for (const { key, value } of store.frames.getRange(frameRange(topic.id, partition, first))) {
      const { baseOffset, maxTimestamp } = openFrame(topic, partition, key, value)
      if (maxTimestamp < time) continue
      for (const entry of entriesOf(value)) if (entry.timestamp >= time) return baseOffset + entry.delta
    }
  } finally {
    store.refresh()
  }
  return high
}

function frameAt(store: Store, topic: TopicRecord, partition: number, offset: number): FrameHeader | null {
  const range = { start: frameKey(topic.id, partition, offset), end: frameKey(topic.id, partition + 1, 0), limit: 1 }
  for (const { key, value } of store.frames.getRange(range)) return openFrame(topic, partition, key, value)
  return null
}
