import { encodeFrame, entriesOf, type FrameEntry, frameHeader, isIntact, placeFrame } from './frame.ts'
import { frameRange, lastOffsetOf } from './keys.ts'
import type { Store, TopicRecord } from './log-store.ts'
import { partitionState } from './topics.ts'

/** Frames that one transaction rewrites, and keys that one pass keeps in memory; the next pass continues from there. */
const STEP = 32
const MAX_KEYS = 200_000

export type CompactionPass = {
  /** The last offset of every key of the part that is not cleaned yet. */
  latest: Map<string, number>
  /** The pass covers everything below. */
  end: number
  /** Tombstones written before are dropped. */
  horizon: number
}

const nameOf = (key: Buffer | null): string => key?.toString('latin1') ?? ''

/** What a pass over a partition needs to know; null when the partition has nothing to clean. */
export function planCompaction(
  store: Store,
  topic: TopicRecord,
  partition: number,
  { floor, horizon }: { floor: number; horizon: number },
): CompactionPass | null {
  store.refresh()
  const { cleanedTo, tombstoneSince, next } = partitionState(store, topic, partition)
  const pass: CompactionPass = { latest: new Map(), end: cleanedTo, horizon }
  const stale = tombstoneSince !== null && tombstoneSince < horizon
  if (cleanedTo >= Math.min(next, floor)) return stale ? pass : null
  for (const { key, value } of store.frames.getRange(frameRange(topic.id, partition, cleanedTo))) {
    const header = intact(key, value)
    if (!header || header.baseOffset + header.span > floor || pass.latest.size >= MAX_KEYS) break
    for (const entry of entriesOf(value)) pass.latest.set(nameOf(entry.key), header.baseOffset + entry.delta)
    pass.end = header.baseOffset + header.span
  }
  store.refresh()
  return pass.end > cleanedTo || stale ? pass : null
}

/**
 * Inside a transaction: rewrites the next frames from `from` on, without records that a later one of their key has
 * replaced and without old tombstones. Offsets stay, so gaps appear; an empty frame goes. Returns where to go on and
 * the oldest tombstone left.
 */
export function compactFrames(
  store: Store,
  topic: TopicRecord,
  partition: number,
  pass: CompactionPass,
  from: number,
): { next: number; tombstoneSince: number | null } {
  let next = from
  let tombstoneSince: number | null = null
  const range = { ...frameRange(topic.id, partition, from), limit: STEP }
  for (const { key, value } of [...store.frames.getRange(range)]) {
    const header = intact(key, value)
    if (!header || header.baseOffset + header.span > pass.end) return { next: pass.end, tombstoneSince }
    const kept: FrameEntry[] = []
    for (const entry of entriesOf(value)) {
      if (isReplaced(entry, header.baseOffset, pass)) continue
      kept.push(entry)
      if (entry.value === null) tombstoneSince = Math.min(tombstoneSince ?? entry.timestamp, entry.timestamp)
    }
    if (kept.length === 0) store.frames.remove(key)
    else if (kept.length < header.count)
      store.frames.put(key, placeFrame(encodeFrame(kept, header.span), header.baseOffset, header.runningMax))
    next = header.baseOffset + header.span
  }
  return { next: next === from ? pass.end : next, tombstoneSince }
}

const isReplaced = (
  { key, value, delta, timestamp }: FrameEntry,
  baseOffset: number,
  { latest, horizon }: CompactionPass,
): boolean => (latest.get(nameOf(key)) ?? -1) > baseOffset + delta || (value === null && timestamp < horizon)

/** Inside a transaction: remembers that the pass is done. */
export function finishCompaction(
  store: Store,
  topic: TopicRecord,
  partition: number,
  pass: CompactionPass,
  tombstoneSince: number | null,
) {
  const state = partitionState(store, topic, partition)
  store.partitions.put([topic.id, partition], { ...state, cleanedTo: pass.end, tombstoneSince })
}

/** A damaged frame ends a pass: what stands behind it is left as it is. */
function intact(key: Buffer, frame: Buffer) {
  const header = frameHeader(frame, lastOffsetOf(key) + 1)
  return header && isIntact(frame) ? header : null
}
