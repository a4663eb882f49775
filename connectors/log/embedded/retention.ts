import { frameHeader } from './frame.ts'
import { frameKey, frameRange, lastOffsetOf } from './keys.ts'
import type { Store, TopicRecord } from './store.ts'
import { partitionState } from './topics.ts'

/** Frames that one transaction removes. */
const STEP = 64

/**
 * The offset that the next step of retention removes frames below: their records are all older than `before`, and none
 * is at or past `floor`. The low end where there is nothing to remove.
 */
export function expiredBelow(
  store: Store,
  topic: TopicRecord,
  partition: number,
  before: number,
  floor: number,
): number {
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
export function removeFrames(store: Store, topic: TopicRecord, partition: number, low: number): void {
  const keys = [
    ...store.frames.getKeys({ start: frameKey(topic.id, partition, 0), end: frameKey(topic.id, partition, low) }),
  ]
  for (const key of keys) store.frames.remove(key)
  store.partitions.put([topic.id, partition], { ...partitionState(store, topic, partition), low })
}
