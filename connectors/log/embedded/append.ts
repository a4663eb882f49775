import { groupCommit } from '../group-commit.ts'
import { partitionOf } from '../partitioner.ts'
import type { OutgoingMessage } from '../port.ts'
import { encodeFrame, entrySize, type FrameEntry, headersOf, placeFrame, unplacedHeader } from './frame.ts'
import { frameKey } from './keys.ts'
import type { Store, TopicRecord } from './log-store.ts'
import { checkPartition, partitionState, topicOf } from './topics.ts'

type EmbeddedSends = readonly { topic: string; messages: readonly OutgoingMessage[] }[]

/** The records that one send has for one partition. */
type PartitionAppend = { topic: TopicRecord; partition: number; entries: FrameEntry[] }

/** Bytes of one record with its headers. */
const MAX_RECORD = 2 * 1024 * 1024
/**
 * A dead letter has room for headers around the largest record: a record that no process could dead-letter would be
 * read forever.
 */
const MAX_DEAD_LETTER = MAX_RECORD + 64 * 1024
const MAX_FRAME = 1024 * 1024
const BOUNDS = { maxCommit: 8 * 1024 * 1024, maxWaiting: 64 * 1024 * 1024, overlapFrom: 256 * 1024 }

/**
 * Appends records. Sends that wait at the same time share one transaction and one flush, and their records of a
 * partition one frame; order within a send and between the sends of a caller is kept.
 */
export function appender(store: Store, now: () => number, appended: () => void) {
  let unkeyed = 0
  const append = groupCommit<PartitionAppend[]>({
    ...BOUNDS,
    async commit(take, waiting) {
      const toFrames = () =>
        merge(take()).map((partitionAppend) => ({ ...partitionAppend, frames: framesOf(partitionAppend.entries) }))
      // Much is put in form while the commit before is still flushed; a little waits for company until the disk is free.
      const ready = waiting >= BOUNDS.overlapFrom ? toFrames() : undefined
      await store.write(() => {
        for (const { topic, partition, frames } of ready ?? toFrames()) placeFrames(store, topic, partition, frames)
      })
      appended()
    },
  })

  return async (sends: EmbeddedSends): Promise<void> => {
    const appends = appendsOf(store, sends, now(), unkeyed++)
    let bytes = 0
    for (const { entries } of appends) for (const entry of entries) bytes += entrySize(entry)
    if (appends.length > 0) await append(appends, bytes)
  }
}

function appendsOf(store: Store, sends: EmbeddedSends, now: number, unkeyed: number): PartitionAppend[] {
  const appends = new Map<string, PartitionAppend>()
  for (const { topic: name, messages } of sends) {
    const topic = topicOf(store, name)
    for (const message of messages) {
      const entry = entryOf(topic, message, now)
      const partition = message.partition ?? partitionFor(entry.key, topic.partitions, unkeyed)
      checkPartition(topic, partition)
      const id = `${topic.id}/${partition}`
      const partitionAppend = appends.get(id)
      if (partitionAppend) partitionAppend.entries.push(entry)
      else appends.set(id, { topic, partition, entries: [entry] })
    }
  }
  return [...appends.values()]
}

const partitionFor = (key: Buffer | null, partitions: number, unkeyed: number): number =>
  key ? partitionOf(key, partitions) : unkeyed % partitions

function entryOf(topic: TopicRecord, message: OutgoingMessage, now: number): FrameEntry {
  const key = typeof message.key === 'string' ? Buffer.from(message.key) : message.key
  if (topic.cleanup === 'compact' && !key)
    throw new Error(`topic ${topic.name} is compacted; its records require a key`)
  const entry: FrameEntry = {
    delta: 0,
    timestamp: message.timestamp ?? now,
    key,
    value: message.value,
    headers: headersOf(message),
  }
  const size = entrySize(entry)
  const limit = topic.name.endsWith('.dead') ? MAX_DEAD_LETTER : MAX_RECORD
  if (size > limit)
    throw new Error(`a record of ${size} bytes for topic ${topic.name} exceeds the limit of ${limit} bytes`)
  return entry
}

function merge(sends: readonly PartitionAppend[][]): PartitionAppend[] {
  if (sends.length === 1) return sends[0]!
  const merged = new Map<string, PartitionAppend>()
  for (const { topic, partition, entries } of sends.flat()) {
    const id = `${topic.id}/${partition}`
    const partitionAppend = merged.get(id)
    if (partitionAppend) for (const entry of entries) partitionAppend.entries.push(entry)
    else merged.set(id, { topic, partition, entries: [...entries] })
  }
  return [...merged.values()]
}

function framesOf(entries: readonly FrameEntry[]): Buffer[] {
  const frames: Buffer[] = []
  let part: FrameEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    const size = entrySize(entry)
    if (part.length > 0 && bytes + size > MAX_FRAME) {
      frames.push(encodeFrame(part, part.length))
      part = []
      bytes = 0
    }
    entry.delta = part.length
    part.push(entry)
    bytes += size
  }
  frames.push(encodeFrame(part, part.length))
  return frames
}

/**
 * Runs inside the transaction: offsets come from the partition's state there, so processes never assign the same one.
 */
function placeFrames(store: Store, topic: TopicRecord, partition: number, frames: readonly Buffer[]): void {
  const state = partitionState(store, topic, partition)
  let { next, maxTimestamp } = state
  for (const frame of frames) {
    const { span, maxTimestamp: latest } = unplacedHeader(frame)
    maxTimestamp = Math.max(maxTimestamp, latest)
    placeFrame(frame, next, maxTimestamp)
    next += span
    store.frames.put(frameKey(topic.id, partition, next - 1), frame)
  }
  store.partitions.put([topic.id, partition], { ...state, next, maxTimestamp })
}
