/**
 * What the index has under one value, as bytes: the rows of every entity with that value, as a reader is shown them, with what
 * a fold of several rows asks for (ADR 288). Numbers are little-endian.
 *
 * entry: length of the value (2; all ones: the value has no room here), the value, entities one after another
 * entity: its bytes (4), type (1, its place in the catalogue), flags (1: wide, 2: it has no room here), rows (2), the rows
 * row: its bytes (4), audience (8), marks (1), score (1), best and worst (1), first and last seen (6 each), tags; a verdict;
 * of several rows: when it was scored (6) and its claims; where it is; attributes
 */

import { hash } from 'node:crypto'
import { definitions } from '../../entities/catalogue.ts'
import type { SourceKind } from '../../observations/observation.ts'
import type { FoldedClaim } from '../change.ts'
import type { IndexedEntity, IndexedRow } from '../present.ts'

/** Types by their place. */
export const TYPES = definitions()
  .map(({ type }) => type)
  .sort()
const PLACES = new Map(TYPES.map((type, place) => [type, place]))
export const KINDS: readonly SourceKind[] = ['customer', 'user', 'feed', 'scan', 'trusted']

/** Of another form, or another catalogue, an index is not read. */
export const ENTRY_FORM = `2-${hash('sha256', TYPES.join(' '), 'hex').slice(0, 16)}`

export const MARK = {
  wellKnown: 1,
  covered: 2,
  covers: 4,
  retracted: 8,
  met: 16,
  verdict: 32,
  place: 64,
  attributes: 128,
} as const
export const FLAG = { wide: 1, noRoom: 2 } as const
/** A reputation of a claim that only saw the entity. */
export const SIGHTING = 127
/** Of rows, of tags, of attributes, and of the bytes of a text. */
export const MOST = 0xffff
/** Of an entity: it has to fit into a record of the log. */
const MOST_BYTES = 512 * 1024
/** Of what is written to find out: a sign takes three bytes at most. */
const MAX_ROOM = 3 * MOST_BYTES
/** Bytes of a time. */
export const SHORT = 6
/** Bytes before the rows of an entity, and before the tags of a row. */
export const ENTITY_HEAD = 8
export const ROW_HEAD = 15 + 2 * SHORT

let scratch = Buffer.allocUnsafe(64 * 1024)

/** The entry of one entity alone, valid until the next call; null: its type is none of the catalogue. */
export function encodeEntity({ type, value, wide, rows }: IndexedEntity): Buffer | null {
  const place = PLACES.get(type)
  if (place === undefined) return null
  const isNamed = fits(value)
  const room =
    isNamed && rows.length <= MOST && rows.every(hasRoom) ? rows.reduce((sum, row) => sum + roomFor(row), 0) : 0
  const hasRows = isNamed && room <= MAX_ROOM && (room > 0 || rows.length === 0)
  const needed = (hasRows ? room : 0) + (isNamed ? value.length * 3 : 0) + 16
  if (scratch.length < needed) scratch = Buffer.allocUnsafe(needed * 2)
  const head = isNamed ? writeText(value, 0) : scratch.writeUInt16LE(MOST, 0)
  let at = head + ENTITY_HEAD
  if (hasRows) for (const row of rows) at = writeRow(row, at, rows.length > 1)
  const isWhole = hasRows && at <= MOST_BYTES
  if (!isWhole) at = head + ENTITY_HEAD
  scratch.writeUInt32LE(at - head, head)
  scratch[head + 4] = place
  scratch[head + 5] = isWhole ? (wide ? FLAG.wide : 0) : FLAG.noRoom
  scratch.writeUInt16LE(isWhole ? rows.length : 0, head + 6)
  return scratch.subarray(0, at)
}

/** Whether its texts can be written: anybody may write observations to a Kafka topic, with sources of any length. */
const hasRoom = ({ tags, claims, attributes, country, aso }: IndexedRow): boolean => {
  if (tags.length > MOST || !tags.every(fits) || !fits(country) || !fits(aso)) return false
  if (!claims.every(({ source }) => fits(source))) return false
  let count = 0
  for (const name in attributes) if (++count > MOST || !fits(name) || !fits(attributes[name]!)) return false
  return true
}
const fits = (text: string): boolean => text.length * 3 < MOST || Buffer.byteLength(text) < MOST

/** More bytes than a row takes. */
function roomFor({ tags, claims, attributes, country, aso }: IndexedRow): number {
  let room = 96 + (country.length + aso.length) * 3
  for (const tag of tags) room += 2 + tag.length * 3
  for (const { source } of claims) room += 32 + source.length * 3
  for (const name in attributes) room += 10 + (name.length + attributes[name]!.length) * 3
  return room
}

function writeRow(row: IndexedRow, from: number, beside: boolean): number {
  const isPlaced = row.country !== '' || row.asn !== 0 || row.aso !== ''
  const names = Object.keys(row.attributes)
  let at = scratch.writeBigUInt64LE(row.audience, from + 4)
  scratch[at++] =
    (row.wellKnown ? MARK.wellKnown : 0) |
    (row.covered ? MARK.covered : 0) |
    (row.covers ? MARK.covers : 0) |
    (row.retracted ? MARK.retracted : 0) |
    (row.met ? MARK.met : 0) |
    (row.verdict !== null ? MARK.verdict : 0) |
    (isPlaced ? MARK.place : 0) |
    (names.length > 0 ? MARK.attributes : 0)
  scratch[at++] = row.reputation + 3 + (row.accuracy << 3)
  scratch[at++] = row.best + 3 + ((row.worst + 3) << 3)
  at = scratch.writeUIntLE(row.firstSeen, at, SHORT)
  at = scratch.writeUIntLE(row.lastSeen, at, SHORT)
  at = scratch.writeUInt16LE(row.tags.length, at)
  for (const tag of row.tags) at = writeText(tag, at)
  if (row.verdict !== null) {
    at = scratch.writeInt8(row.verdict.reputation, at)
    at = scratch.writeUIntLE(row.verdict.at, at, SHORT)
    at = scratch.writeUIntLE(row.verdict.until, at, SHORT)
  }
  if (beside) at = writeClaims(row.claims, scratch.writeUIntLE(row.scoredAt, at, SHORT))
  if (isPlaced) at = writeText(row.aso, scratch.writeUInt32LE(row.asn, writeText(row.country, at)))
  if (names.length > 0) {
    at = scratch.writeUInt16LE(names.length, at)
    for (const name of names) {
      at = writeText(row.attributes[name]!, writeText(name, at))
      if (beside) at = scratch.writeUIntLE(row.attributeTimes[name] ?? 0, at, SHORT)
    }
  }
  scratch.writeUInt32LE(at - from, from)
  return at
}

function writeClaims(claims: readonly FoldedClaim[], from: number): number {
  let at = scratch.writeUInt32LE(claims.length, from)
  for (const { source, kind, trust, reputation, at: seen } of claims) {
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

/** Where the entities of an entry begin. */
export function headOf(entry: Buffer): number {
  const bytes = entry.readUInt16LE(0)
  return bytes === MOST ? 2 : 2 + bytes
}

/** The value of an entry; null: it has no room there. */
export const valueIn = (entry: Buffer): string | null => {
  const head = headOf(entry)
  return entry.readUInt16LE(0) === MOST ? null : entry.toString('utf8', 2, head)
}

/** Whether these bytes are the entry of one entity, as far as its lengths say so: whoever reads it comes to its end. */
export function isOneEntity(bytes: Buffer): boolean {
  const head = bytes.length < 2 ? bytes.length : headOf(bytes)
  const first = head + ENTITY_HEAD
  if (first > bytes.length || head + bytes.readUInt32LE(head) !== bytes.length) return false
  if (bytes[head + 4]! >= TYPES.length) return false
  let at = first
  for (let rows = bytes.readUInt16LE(head + 6); rows > 0; rows--) {
    const length = at + ROW_HEAD + 2 > bytes.length ? 0 : bytes.readUInt32LE(at)
    if (length < ROW_HEAD + 2) return false
    at += length
  }
  return at === bytes.length
}

/** The type of an entry of one entity, as `encodeEntity` makes it. */
export const typeIn = (entry: Buffer): string => TYPES[entry[headOf(entry) + 4]!]!

/**
 * The entry with the entity of another one in the place of that of its type; null: nothing is left.
 * @param one as `encodeEntity` makes it; without rows its entity is gone
 */
export function withEntity(entry: Buffer | undefined, one: Buffer): Buffer | null {
  const head = headOf(one)
  const isGone = one.readUInt16LE(head + 6) === 0 && one[head + 5] === 0
  if (entry === undefined) return isGone ? null : one
  const [from, to] = placeIn(entry, one[head + 4]!)
  // What is read of LMDB ends where its length says, and the memory behind it goes on.
  const parts = [entry.subarray(0, from), ...(isGone ? [] : [one.subarray(head)]), entry.subarray(to, entry.length)]
  const after = Buffer.concat(parts)
  return after.length === head ? null : after
}

/** Where the entity of a type stands in an entry; where it would, if it does not. */
function placeIn(entry: Buffer, place: number): [from: number, to: number] {
  for (let at = headOf(entry); at < entry.length; ) {
    const end = at + entry.readUInt32LE(at)
    if (entry[at + 4] === place) return [at, end]
    at = end
  }
  return [entry.length, entry.length]
}
