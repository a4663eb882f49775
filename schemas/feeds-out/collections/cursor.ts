import type { Seals } from '../../cursors/seal.ts'

/** The place after which a page of a collection begins: a date added, in unix microseconds (decisions 10.4, 15.2). */
const BYTES = 9
const VERSION = 1

const purposeOf = (feed: string): string => `collection ${feed.toLowerCase()}`

/** What `next` says: bound to the collection, so that a device goes on from its owner's. */
export function collectionCursor(seals: Seals, feed: string, added: number): string {
  const content = Buffer.alloc(BYTES)
  content.writeUInt8(VERSION)
  content.writeBigUInt64BE(BigInt(added), 1)
  return seals.seal(purposeOf(feed), content)
}

/** The date added; null for a cursor that was changed, or is of another collection or of something else. */
export function addedIn(seals: Seals, feed: string, cursor: string): number | null {
  const content = seals.open(purposeOf(feed), cursor)
  if (content?.length !== BYTES || content.readUInt8() !== VERSION) return null
  return Number(content.readBigUInt64BE(1))
}
