/** Where a list of matches goes on, as its reader keeps it (decisions 10.4, 14.3). */

import type { Seals } from '../cursors/seal.ts'
import type { MatchDirection } from './match.ts'

/** A place among the matches of an owner, newest first. */
export type MatchPlace = { matchedAt: number; id: string }

/** What a list tells, but not how long its pages are. */
export type MatchFilter = { since: number | null; direction: MatchDirection | null; entityId: string | null }

const VERSION = 1
const UUID_AT = 9
const BYTES = 25
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whose matches they are and which of them: a cursor of others is none. */
const purposeOf = (owner: string, { since, direction, entityId }: MatchFilter): string =>
  `matches ${owner} ${JSON.stringify([since, direction, entityId])}`

/** @throws RangeError for an id that is no UUID */
export function matchCursor(seals: Seals, owner: string, filter: MatchFilter, { matchedAt, id }: MatchPlace): string {
  if (!UUID.test(id)) throw new RangeError(`the id of a match is not a UUID: ${id}`)
  const content = Buffer.alloc(BYTES)
  content.writeUInt8(VERSION)
  content.writeBigUInt64BE(BigInt(matchedAt), 1)
  content.write(id.replaceAll('-', ''), UUID_AT, 'hex')
  return seals.seal(purposeOf(owner, filter), content)
}

/** The place; null for a cursor that was changed, or is of another list or of something else. */
export function matchPlaceIn(seals: Seals, owner: string, filter: MatchFilter, cursor: string): MatchPlace | null {
  const content = seals.open(purposeOf(owner, filter), cursor)
  if (content?.length !== BYTES || content.readUInt8() !== VERSION) return null
  const hex = content.toString('hex', UUID_AT)
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return { matchedAt: Number(content.readBigUInt64BE(1)), id }
}
