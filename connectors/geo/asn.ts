import type { Words } from './geo-address.ts'

// Reads `start,end,asn,organisation` rows (decimal addresses, as the package publishes them) straight from their
// bytes: half a million rows are on the way to a ready process (docs/contribute/adr/0268). Calls of the methods of Buffer would
// take longer than the bytes between them.

const COMMA = 44
const NEWLINE = 10
const RETURN = 13
const QUOTE = 34

/** Where the fields of a row begin and end in its bytes. */
type AsnRow = {
  start: number
  startEnd: number
  end: number
  endEnd: number
  asn: number
  organisation: number
  organisationEnd: number
}

/** Calls `row` for every row; throws, naming the line, at one that is not of this form. The row object is reused. */
function eachAsnRow(bytes: Buffer, row: (row: AsnRow) => void): void {
  const current: AsnRow = { start: 0, startEnd: 0, end: 0, endEnd: 0, asn: 0, organisation: 0, organisationEnd: 0 }
  let line = 0
  for (let at = 0; at < bytes.length; at = current.organisationEnd + 1) {
    line++
    current.start = at
    current.startEnd = fieldEnd(bytes, at)
    current.end = current.startEnd + 1
    current.endEnd = fieldEnd(bytes, current.end)
    const asnEnd = fieldEnd(bytes, current.endEnd + 1)
    if (bytes[current.startEnd] !== COMMA || bytes[current.endEnd] !== COMMA || bytes[asnEnd] !== COMMA)
      throw new Error(`ASN data, line ${line}: expected start,end,asn,organisation`)
    current.asn = decimal(bytes, current.endEnd + 1, asnEnd)
    current.organisation = asnEnd + 1
    current.organisationEnd = lineEnd(bytes, asnEnd + 1)
    row(current)
  }
}

/** The comma after `at`, or the end of the line or of everything where there is none. */
function fieldEnd(bytes: Buffer, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] !== COMMA && bytes[end] !== NEWLINE) end++
  return end
}

function lineEnd(bytes: Buffer, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] !== NEWLINE) end++
  return end
}

/** An unsigned number of at most 53 bits; NaN when there is anything but digits. */
function decimal(bytes: Buffer, from: number, to: number): number {
  let value = from < to ? 0 : Number.NaN
  for (let i = from; i < to; i++) {
    const digit = bytes[i]! - 48
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN
  }
  return value
}

/** Digits of which a 32-bit word times their power of ten, and a carry, are exact. */
const CHUNK = 6
const TEN_TO = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6] as const
const WORD = 2 ** 32

/** Writes an unsigned number of at most 128 bits as four words at `row`; false when it is none. */
function putDecimal128(words: Uint32Array, row: number, bytes: Buffer, from: number, to: number): boolean {
  const first = row * 4
  let at = from
  do {
    const end = Math.min(at + CHUNK, to)
    const factor = TEN_TO[end - at]!
    let carry = decimal(bytes, at, end)
    if (Number.isNaN(carry)) return false
    for (let i = first + 3; i >= first; i--) {
      const product = words[i]! * factor + carry
      words[i] = product % WORD
      carry = Math.floor(product / WORD)
    }
    if (carry > 0) return false
    at = end
  } while (at < to)
  return true
}

/** The text of a field, without its quotes where it begins with one. */
function textOf(bytes: Buffer, from: number, to: number): string {
  const end = bytes[to - 1] === RETURN ? to - 1 : to
  if (bytes[from] !== QUOTE) return bytes.toString('utf8', from, end)
  return bytes.toString('utf8', from + 1, end - 1).replaceAll('""', '"')
}

/** Whether `length` bytes at two places are the same. */
function sameBytes(bytes: Buffer, one: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[one + i] !== bytes[other + i]) return false
  return true
}

/** Lines of a file, with the one after the last end of a line. */
function countLines(bytes: Buffer): number {
  let lines = 1
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) lines++
  return lines
}

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
