import type { Seals } from '../cursors/seal.ts'

/** A place in the deltas of a feed: everything up to this sequence is known to whoever holds it. */
const BYTES = 9
const VERSION = 1

/** Bound to the feed alone, so that a device goes on from the cursor of its owner (decisions 10.4). */
const purposeOf = (feed: string): string => `feed ${feed.toLowerCase()}`

export function feedCursor(seals: Seals, feed: string, sequence: number): string {
  const content = Buffer.alloc(BYTES)
  content.writeUInt8(VERSION)
  content.writeBigUInt64BE(BigInt(sequence), 1)
  return seals.seal(purposeOf(feed), content)
}

/** The sequence; null for a cursor that was changed, or is of another feed or of something else. */
export function sequenceIn(seals: Seals, feed: string, cursor: string): number | null {
  const content = seals.open(purposeOf(feed), cursor)
  if (content?.length !== BYTES || content.readUInt8() !== VERSION) return null
  return Number(content.readBigUInt64BE(1))
}
