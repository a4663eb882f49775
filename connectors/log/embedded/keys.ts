const OFFSET_AT = 6
const HIGH = 2 ** 32

/** The key of the frame that ends with `lastOffset`; frames of a partition sort by it. */
export function frameKey(topicId: number, partition: number, lastOffset: number): Buffer {
  const key = Buffer.allocUnsafe(OFFSET_AT + 8)
  key.writeUInt32BE(topicId, 0)
  key.writeUInt16BE(partition, 4)
  key.writeUInt32BE(Math.floor(lastOffset / HIGH), OFFSET_AT)
  key.writeUInt32BE(lastOffset % HIGH, OFFSET_AT + 4)
  return key
}

export const lastOffsetOf = (key: Buffer): number =>
  key.readUInt32BE(OFFSET_AT) * HIGH + key.readUInt32BE(OFFSET_AT + 4)

/** Every frame of the partition that holds an offset of [from, to), in order. */
export const frameRange = (topicId: number, partition: number, from: number, to = Number.MAX_SAFE_INTEGER) => ({
  start: frameKey(topicId, partition, from),
  end: frameKey(topicId, partition, to),
})
