/**
 * What the index has under one value, as bytes: the rows of every entity with that value, each as far as a reputation and a
 * fold of several rows ask for (ADR 288). Numbers are little-endian.
 *
 * entry: entities one after another
 * entity: type (1 byte, its place in the catalogue), flags (1: wide, 2: it has no room here), rows (2 bytes), then the rows
 * row: audience (8), marks (1), score (1), first and last seen (6 each), tags; a verdict; of several rows: when it was
 * scored (6) and its claims
 */

import { hash } from 'node:crypto'
import { definitions } from '../../../schemas/intelligence/entities/catalogue.ts'
import type { SourceKind } from '../../../schemas/intelligence/observations/observation.ts'
import type { FoldedClaim } from '../../../schemas/intelligence/state/change.ts'
import type { HeldVerdict } from '../../../schemas/intelligence/state/entity-state.ts'
import type { IndexedEntity, IndexedRow, PresentRow } from '../../../schemas/intelligence/state/present.ts'

const TYPES = definitions()
  .map(({ type }) => type)
  .sort()
const PLACES = new Map(TYPES.map((type, place) => [type, place]))
const KINDS: readonly SourceKind[] = ['customer', 'user', 'feed', 'scan', 'trusted']

/** Of another form, or another catalogue, an index is not read. */
export const ENTRY_FORM = `1-${hash('sha256', TYPES.join(' '), 'hex').slice(0, 16)}`

const MARK = { wellKnown: 1, covered: 2, covers: 4, retracted: 8, met: 16, verdict: 32 } as const
const WIDE = 1
const NO_ROOM = 2
/** A reputation of a claim that only saw the entity. */
const SIGHTING = 127
/** Of rows, of tags, and of the bytes of a text. */
const MOST = 0xffff
const SHORT = 6

let scratch = Buffer.allocUnsafe(64 * 1024)

/** Rows with a part in some view; an entity without any is not in the index. */
const inFolds = (rows: readonly IndexedRow[]): readonly IndexedRow[] =>
  rows.some(({ retracted }) => !retracted) ? rows.filter(({ retracted, met }) => !retracted || met) : []

/** The bytes of an entity, valid until the next call; null: there is nothing to keep of it. */
export function encodeEntity({ type, wide, rows: given }: IndexedEntity): Buffer | null {
  const place = PLACES.get(type)
  const rows = inFolds(given)
  if (place === undefined || rows.length === 0) return null
  scratch[0] = place
  if (rows.length > MOST || !rows.every(hasRoom)) {
    scratch[1] = NO_ROOM
    scratch.writeUInt16LE(0, 2)
    return scratch.subarray(0, 4)
  }
  const room = rows.reduce((sum, row) => sum + roomFor(row), 8)
  if (scratch.length < room) scratch = Buffer.allocUnsafe(room * 2)
  scratch[0] = place
  scratch[1] = wide ? WIDE : 0
  scratch.writeUInt16LE(rows.length, 2)
  let at = 4
  for (const row of rows) at = writeRow(row, at, rows.length > 1)
  return scratch.subarray(0, at)
}

/** Whether its texts can be written: anybody may write observations to a Kafka topic, with sources of any length. */
const hasRoom = ({ tags, claims }: IndexedRow): boolean =>
  tags.length <= MOST && tags.every(fits) && claims.every(({ source }) => fits(source))
const fits = (text: string): boolean => text.length * 3 <= MOST || Buffer.byteLength(text) <= MOST

/** More bytes than a row takes. */
function roomFor({ tags, claims }: IndexedRow): number {
  let room = 64
  for (const tag of tags) room += 2 + tag.length * 3
  for (const { source } of claims) room += 32 + source.length * 3
  return room
}

function writeRow(row: IndexedRow, from: number, beside: boolean): number {
  let at = scratch.writeBigUInt64LE(row.audience, from)
  scratch[at++] =
    (row.wellKnown ? MARK.wellKnown : 0) |
    (row.covered ? MARK.covered : 0) |
    (row.covers ? MARK.covers : 0) |
    (row.retracted ? MARK.retracted : 0) |
    (row.met ? MARK.met : 0) |
    (row.verdict !== null ? MARK.verdict : 0)
  scratch[at++] = row.reputation + 3 + (row.accuracy << 3)
  at = scratch.writeUIntLE(row.firstSeen, at, SHORT)
  at = scratch.writeUIntLE(row.lastSeen, at, SHORT)
  at = scratch.writeUInt16LE(row.tags.length, at)
  for (const tag of row.tags) at = writeText(tag, at)
  if (row.verdict !== null) {
    at = scratch.writeInt8(row.verdict.reputation, at)
    at = scratch.writeUIntLE(row.verdict.at, at, SHORT)
    at = scratch.writeUIntLE(row.verdict.until, at, SHORT)
  }
  if (!beside) return at
  at = scratch.writeUIntLE(row.scoredAt, at, SHORT)
  at = scratch.writeUInt32LE(row.claims.length, at)
  for (const { source, kind, trust, reputation, at: seen } of row.claims) {
    at = writeText(source, at)
    scratch[at++] = KINDS.indexOf(kind)
    at = scratch.writeDoubleLE(trust, at)
    at = scratch.writeInt8(reputation ?? SIGHTING, at)
    at = scratch.writeUIntLE(seen, at, SHORT)
  }
  return at
}

function writeText(text: string, at: number): number {
  const bytes = scratch.write(text, at + 2)
  scratch.writeUInt16LE(bytes, at)
  return at + 2 + bytes
}

/** The entry with this entity in the place of the one of its type; null: nothing is left. */
export function withEntity(entry: Buffer | undefined, type: string, entity: Buffer | null): Buffer | null {
  if (entry === undefined) return entity
  const [from, to] = placeIn(entry, type)
  const parts = [entry.subarray(0, from), ...(entity === null ? [] : [entity]), entry.subarray(to, entry.length)]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return length === 0 ? null : Buffer.concat(parts, length)
}

/** Where an entity of a type stands in an entry; where it would, if it does not. */
function placeIn(entry: Buffer, type: string): [from: number, to: number] {
  const place = PLACES.get(type)
  for (let at = 0; at < entry.length; ) {
    const end = endOfEntity(entry, at)
    if (entry[at] === place) return [at, end]
    at = end
  }
  return [entry.length, entry.length]
}

function endOfEntity(entry: Buffer, from: number): number {
  const rows = entry.readUInt16LE(from + 2)
  let at = from + 4
  for (let row = 0; row < rows; row++) at = endOfRow(entry, at, rows > 1)
  return at
}

function endOfRow(entry: Buffer, from: number, beside: boolean): number {
  const marks = entry[from + 8]!
  let at = from + 10 + 2 * SHORT
  const tags = entry.readUInt16LE(at)
  at += 2
  for (let tag = 0; tag < tags; tag++) at += 2 + entry.readUInt16LE(at)
  if ((marks & MARK.verdict) !== 0) at += 1 + 2 * SHORT
  if (!beside) return at
  const claims = entry.readUInt32LE(at + SHORT)
  at += SHORT + 4
  for (let claim = 0; claim < claims; claim++) at += 2 + entry.readUInt16LE(at) + 10 + SHORT
  return at
}

/** Whether a reader may read the row of an audience, given as the halves of its id. */
export type Reads = (low: number, high: number) => boolean

/** Whose rows these audiences are. */
export function readsOf(audiences: readonly bigint[]): Reads {
  const halves = new Map<number, Set<number>>()
  for (const audience of audiences) {
    const [low, high] = [Number(audience & 0xffffffffn), Number(audience >> 32n)]
    halves.set(low, (halves.get(low) ?? new Set()).add(high))
  }
  return (low, high) => halves.get(low)?.has(high) === true
}

/** What the rows of an entry are called. `digest`: hexadecimal digits of the value's digest. */
export type Named = { value: string; digest: string }

const NOTHING_BESIDE = { best: 0, worst: 0, attributes: {}, attributeTimes: {}, country: '', asn: 0, aso: '' } as const

/**
 * Reads the rows of an entry that a reader may read into `found`. Returns false, with nothing added, where the fold of what
 * may be read, or all of an entity, stands in the store alone.
 */
export function readEntry(entry: Buffer, { value, digest }: Named, reads: Reads, found: PresentRow[]): boolean {
  const before = found.length
  for (let at = 0; at < entry.length; ) {
    const type = TYPES[entry[at]!]!
    const flags = entry[at + 1]!
    const rows = entry.readUInt16LE(at + 2)
    const first = found.length
    at += 4
    for (let row = 0; row < rows; row++) {
      const end = endOfRow(entry, at, rows > 1)
      if (reads(entry.readUInt32LE(at), entry.readUInt32LE(at + 4)))
        found.push(readRow(entry, at, rows > 1, value, type, `${type}-${digest}`))
      at = end
    }
    if ((flags & NO_ROOM) !== 0 || ((flags & WIDE) !== 0 && found.length - first > 1)) {
      found.length = before
      return false
    }
  }
  return true
}

function readRow(
  entry: Buffer,
  from: number,
  beside: boolean,
  value: string,
  type: string,
  entityId: string,
): PresentRow {
  const marks = entry[from + 8]!
  const score = entry[from + 9]!
  let at = from + 10 + 2 * SHORT
  const tags: string[] = []
  const count = entry.readUInt16LE(at)
  at += 2
  for (let tag = 0; tag < count; tag++) {
    const end = at + 2 + entry.readUInt16LE(at)
    tags.push(entry.toString('utf8', at + 2, end))
    at = end
  }
  let verdict: HeldVerdict | null = null
  if ((marks & MARK.verdict) !== 0) {
    verdict = {
      reputation: entry.readInt8(at),
      at: entry.readUIntLE(at + 1, SHORT),
      until: entry.readUIntLE(at + 1 + SHORT, SHORT),
    }
    at += 1 + 2 * SHORT
  }
  return {
    ...NOTHING_BESIDE,
    entityId,
    type,
    value,
    audience: entry.readBigUInt64LE(from),
    reputation: (score & 7) - 3,
    accuracy: score >> 3,
    wellKnown: (marks & MARK.wellKnown) !== 0,
    covered: (marks & MARK.covered) !== 0,
    covers: (marks & MARK.covers) !== 0,
    retracted: (marks & MARK.retracted) !== 0,
    met: (marks & MARK.met) !== 0,
    verdict,
    tags,
    firstSeen: entry.readUIntLE(from + 10, SHORT),
    lastSeen: entry.readUIntLE(from + 10 + SHORT, SHORT),
    scoredAt: beside ? entry.readUIntLE(at, SHORT) : 0,
    claims: beside ? readClaims(entry, at + SHORT) : [],
  }
}

function readClaims(entry: Buffer, from: number): FoldedClaim[] {
  const claims: FoldedClaim[] = []
  let at = from + 4
  for (let left = entry.readUInt32LE(from); left > 0; left--) {
    const end = at + 2 + entry.readUInt16LE(at)
    const source = entry.toString('utf8', at + 2, end)
    const reputation = entry.readInt8(end + 9)
    claims.push({
      source,
      kind: KINDS[entry[end]!]!,
      trust: entry.readDoubleLE(end + 1),
      reputation: reputation === SIGHTING ? null : reputation,
      at: entry.readUIntLE(end + 10, SHORT),
    })
    at = end + 10 + SHORT
  }
  return claims
}
