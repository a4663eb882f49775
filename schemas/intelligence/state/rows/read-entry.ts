/** Reads what a reader may read of an entry (`entry.ts`). */

import type { FoldedClaim } from '../change.ts'
import type { HeldVerdict } from '../entity-state.ts'
import type { PresentRow } from '../present.ts'
import { ENTITY_HEAD, FLAG, headOf, KINDS, MARK, ROW_HEAD, SHORT, SIGHTING, TYPES } from './entry.ts'

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

/**
 * What is read of an entry. `value` and `digest`, the hexadecimal digits of its digest, are what its rows are called.
 * `type`: of which entity; all without one. `whole`: attributes and where an address is too, which else are empty.
 */
export type Wanted = { value: string; digest: string; type?: string; whole: boolean }

/**
 * Reads the rows that a reader may read into `found`; those that take part in no view too. Returns false, with nothing
 * added, where the fold of what may be read, or all of an entity, stands in the store alone.
 */
export function readEntry(entry: Buffer, wanted: Wanted, reads: Reads, found: PresentRow[]): boolean {
  const before = found.length
  for (let from = headOf(entry); from < entry.length; ) {
    const end = from + entry.readUInt32LE(from)
    const type = TYPES[entry[from + 4]!]!
    if (wanted.type === undefined || wanted.type === type) {
      const flags = entry[from + 5]!
      const first = found.length
      const isSeveral = entry.readUInt16LE(from + 6) > 1
      for (let row = from + ENTITY_HEAD; row < end; row += entry.readUInt32LE(row))
        if (reads(entry.readUInt32LE(row + 4), entry.readUInt32LE(row + 8)))
          found.push(readRow(entry, row, isSeveral, wanted, type))
      if ((flags & FLAG.noRoom) !== 0 || ((flags & FLAG.wide) !== 0 && found.length - first > 1)) {
        found.length = before
        return false
      }
    }
    from = end
  }
  return true
}

const NO_TAGS: readonly string[] = Object.freeze([])
const NO_CLAIMS: readonly FoldedClaim[] = Object.freeze([])
const NO_ATTRIBUTES: Readonly<Record<string, never>> = Object.freeze({})
const NOWHERE = { country: '', asn: 0, aso: '' } as const

/** Where the next field is read. One entry is read at a time, and an object for each row would cost as much as its fields. */
let at = 0

function readRow(
  entry: Buffer,
  from: number,
  beside: boolean,
  { value, digest, whole }: Wanted,
  type: string,
): PresentRow {
  const marks = entry[from + 12]!
  const score = entry[from + 13]!
  const bounds = entry[from + 14]!
  at = from + ROW_HEAD
  const tags = readTags(entry)
  const verdict = (marks & MARK.verdict) === 0 ? null : readVerdict(entry)
  const scoredAt = beside ? readTime(entry) : 0
  const claims = beside ? readClaims(entry) : NO_CLAIMS
  const { country, asn, aso } = whole && (marks & MARK.place) !== 0 ? readPlace(entry) : NOWHERE
  const described = whole && (marks & MARK.attributes) !== 0 ? readAttributes(entry, beside) : null
  return {
    entityId: `${type}-${digest}`,
    type,
    value,
    audience: entry.readBigUInt64LE(from + 4),
    reputation: (score & 7) - 3,
    accuracy: score >> 3,
    best: (bounds & 7) - 3,
    worst: (bounds >> 3) - 3,
    wellKnown: (marks & MARK.wellKnown) !== 0,
    covered: (marks & MARK.covered) !== 0,
    covers: (marks & MARK.covers) !== 0,
    retracted: (marks & MARK.retracted) !== 0,
    met: (marks & MARK.met) !== 0,
    verdict,
    tags,
    attributes: described?.attributes ?? NO_ATTRIBUTES,
    attributeTimes: described?.times ?? NO_ATTRIBUTES,
    country,
    asn,
    aso,
    firstSeen: entry.readUIntLE(from + 15, SHORT),
    lastSeen: entry.readUIntLE(from + 15 + SHORT, SHORT),
    scoredAt,
    claims,
  }
}

function readText(entry: Buffer): string {
  const from = at + 2
  at = from + entry.readUInt16LE(at)
  return entry.toString('utf8', from, at)
}

function readTime(entry: Buffer): number {
  at += SHORT
  return entry.readUIntLE(at - SHORT, SHORT)
}

function readCount(entry: Buffer): number {
  at += 2
  return entry.readUInt16LE(at - 2)
}

function readTags(entry: Buffer): readonly string[] {
  const count = readCount(entry)
  if (count === 0) return NO_TAGS
  const tags: string[] = []
  for (let left = count; left > 0; left--) tags.push(readText(entry))
  return tags
}

function readVerdict(entry: Buffer): HeldVerdict {
  const reputation = entry.readInt8(at++)
  const given = readTime(entry)
  return { reputation, at: given, until: readTime(entry) }
}

function readPlace(entry: Buffer): Pick<PresentRow, 'country' | 'asn' | 'aso'> {
  const country = readText(entry)
  const asn = entry.readUInt32LE(at)
  at += 4
  return { country, asn, aso: readText(entry) }
}

function readAttributes(entry: Buffer, beside: boolean) {
  const attributes: Record<string, string> = {}
  const times: Record<string, number> = {}
  for (let left = readCount(entry); left > 0; left--) {
    const name = readText(entry)
    attributes[name] = readText(entry)
    if (beside) times[name] = readTime(entry)
  }
  return { attributes, times }
}

function readClaims(entry: Buffer): FoldedClaim[] {
  const claims: FoldedClaim[] = []
  const count = entry.readUInt32LE(at)
  at += 4
  for (let left = count; left > 0; left--) {
    const source = readText(entry)
    const kind = KINDS[entry[at]!]!
    const trust = entry.readDoubleLE(at + 1)
    const reputation = entry.readInt8(at + 9)
    at += 10
    claims.push({ source, kind, trust, reputation: reputation === SIGHTING ? null : reputation, at: readTime(entry) })
  }
  return claims
}
