import type { Words } from './address.ts'
import { type AsnRow, countLines, decimal, eachAsnRow, putDecimal128, sameBytes, textOf } from './asn-csv.ts'

type System = { asn: number; aso: string }

export type AsnTable = {
  /** Of an unsigned 32-bit IPv4 address. */
  ipv4(address: number): System | undefined
  ipv6(address: Words): System | undefined
}

/**
 * Sorted ranges in typed arrays, searched by halving: about 9 MB for 515,000 ranges. Systems are shared between their
 * ranges. Where two ranges overlap (published data has such rows), the one that begins later wins.
 * @param ipv4 rows of IPv4 ranges in decimal, sorted by their beginning; `ipv6` the same for IPv6.
 */
export function asnTable(ipv4: Buffer, ipv6: Buffer): AsnTable {
  const systems: System[] = []
  const four = ipv4Ranges(ipv4, internedIn(systems, ipv4))
  const six = ipv6Ranges(ipv6, internedIn(systems, ipv6))
  return {
    ipv4(address) {
      const at = lastAtMost(four.rows, (i) => four.starts[i]! <= address)
      return at >= 0 && address <= four.ends[at]! ? systems[four.system[at]!] : undefined
    },
    ipv6(address) {
      const at = lastAtMost(six.rows, (i) => compare(six.starts, i, address) <= 0)
      return at >= 0 && compare(six.ends, at, address) >= 0 ? systems[six.system[at]!] : undefined
    },
  }
}

/** The place of the system of a row in the list of all. */
type Intern = (row: AsnRow) => number

/** A number has one name, but for a few that have more: those may be kept more than once, and once for each file. */
function internedIn(systems: System[], bytes: Buffer): Intern {
  /** Of a number: where its name was read last, and its place. */
  const last = new Map<number, { at: number; length: number; index: number }>()
  return ({ asn, organisation: at, organisationEnd }) => {
    const length = organisationEnd - at
    const known = last.get(asn)
    if (known !== undefined && known.length === length && sameBytes(bytes, known.at, at, length)) return known.index
    const index = systems.push({ asn, aso: textOf(bytes, at, organisationEnd) }) - 1
    last.set(asn, { at, length, index })
    return index
  }
}

function ipv4Ranges(bytes: Buffer, intern: Intern) {
  const size = countLines(bytes)
  const starts = new Uint32Array(size)
  const ends = new Uint32Array(size)
  const system = new Uint32Array(size)
  let rows = 0
  eachAsnRow(bytes, (row) => {
    const first = decimal(bytes, row.start, row.startEnd)
    const last = decimal(bytes, row.end, row.endEnd)
    const valid = first <= last && last <= 0xffff_ffff && row.asn >= 0 && (rows === 0 || first > starts[rows - 1]!)
    if (!valid) throw new Error(`ASN data, IPv4, line ${rows + 1}: the range does not start after the previous one`)
    starts[rows] = first
    ends[rows] = last
    system[rows++] = intern(row)
  })
  return { starts, ends, system, rows }
}

function ipv6Ranges(bytes: Buffer, intern: Intern) {
  const size = countLines(bytes)
  const starts = new Uint32Array(size * 4)
  const ends = new Uint32Array(size * 4)
  const system = new Uint32Array(size)
  let rows = 0
  eachAsnRow(bytes, (row) => {
    const valid =
      putDecimal128(starts, rows, bytes, row.start, row.startEnd) &&
      putDecimal128(ends, rows, bytes, row.end, row.endEnd) &&
      row.asn >= 0 &&
      (rows === 0 || compare(starts, rows - 1, wordsAt(starts, rows)) < 0)
    if (!valid) throw new Error(`ASN data, IPv6, line ${rows + 1}: the range does not start after the previous one`)
    system[rows++] = intern(row)
  })
  return { starts, ends, system, rows }
}

const wordsAt = (words: Uint32Array, row: number): Words => {
  const at = row * 4
  return [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!]
}

/** Below, at or above zero as the address at `row` is below, at or above the other. */
function compare(words: Uint32Array, row: number, [a, b, c, d]: Words): number {
  const at = row * 4
  return words[at]! - a || words[at + 1]! - b || words[at + 2]! - c || words[at + 3]! - d
}

/** The last of `rows` sorted rows for which `atMost` holds; -1 when there is none. */
function lastAtMost(rows: number, atMost: (row: number) => boolean): number {
  let low = 0
  let high = rows
  while (low < high) {
    const middle = (low + high) >>> 1
    if (atMost(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}
