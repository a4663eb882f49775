import { frameHeader } from './frame.ts'
import { frameKey, frameRange, lastOffsetOf } from './keys.ts'
import type { Store, TopicRecord } from './store.ts'
import { partitionState } from './topics.ts'

/** Frames that one transaction removes. */
const STEP = 64

/**
 * Inside a transaction: removes frames from the low end whose records are all older than `before` and none of which is
 * at or past `floor`. True when there may be more to remove.
 */
export function applyRetention(
  store: Store,
  topic: TopicRecord,
  partition: number,
  before: number,
  floor: number,
): boolean {
  const state = partitionState(store, topic, partition)
  let low = state.low
  let removed = 0
  for (const { key, value } of store.frames.getRange({ ...frameRange(topic.id, partition, low), limit: STEP })) {
    const header = frameHeader(value, lastOffsetOf(key) + 1)
    // A damaged frame stays: a reader shall meet it and say so.
    if (!header || header.maxTimestamp >= before || header.baseOffset + header.span > floor) break
    low = header.baseOffset + header.span
    removed++
  }
  if (removed === 0) return false
  const keys = [
    ...store.frames.getKeys({ start: frameKey(topic.id, partition, 0), end: frameKey(topic.id, partition, low) }),
  ]
  for (const key of keys) store.frames.remove(key)
  store.partitions.put([topic.id, partition], { ...state, low })
  return removed === STEP
}
