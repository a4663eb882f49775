import type { Words } from './address.ts'
import { decimal, eachAsnRow } from './asn-csv.ts'

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
  const last = new Map<number, number>()
  const intern = (asn: number, aso: string): number => {
    // A number has one name, but for a few that have more: those may be kept more than once.
    let index = last.get(asn)
    if (index === undefined || systems[index]!.aso !== aso) {
      index = systems.push({ asn, aso }) - 1
      last.set(asn, index)
    }
    return index
  }
  const four = ipv4Ranges(ipv4, intern)
  const six = ipv6Ranges(ipv6, intern)
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

type Intern = (asn: number, aso: string) => number

function ipv4Ranges(bytes: Buffer, intern: Intern) {
  const size = countLines(bytes)
  const starts = new Uint32Array(size)
  const ends = new Uint32Array(size)
  const system = new Uint32Array(size)
  let rows = 0
  eachAsnRow(bytes, ({ start, end, asn, organisation }) => {
    const first = decimal(bytes, start[0], start[1])
    const last = decimal(bytes, end[0], end[1])
    const valid = first <= last && last <= 0xffff_ffff && asn >= 0 && (rows === 0 || first > starts[rows - 1]!)
    if (!valid) throw new Error(`ASN data, IPv4, line ${rows + 1}: the range does not start after the previous one`)
    starts[rows] = first
    ends[rows] = last
    system[rows++] = intern(asn, organisation)
  })
  return { starts, ends, system, rows }
}

function ipv6Ranges(bytes: Buffer, intern: Intern) {
  const size = countLines(bytes)
  const starts = new Uint32Array(size * 4)
  const ends = new Uint32Array(size * 4)
  const system = new Uint32Array(size)
  let rows = 0
  eachAsnRow(bytes, ({ start, end, asn, organisation }) => {
    putWords(starts, rows, bytes.toString('latin1', start[0], start[1]))
    putWords(ends, rows, bytes.toString('latin1', end[0], end[1]))
    const sorted = rows === 0 || compare(starts, rows - 1, wordsAt(starts, rows)) < 0
    if (!sorted || !(asn >= 0)) {
      throw new Error(`ASN data, IPv6, line ${rows + 1}: the range does not start after the previous one`)
    }
    system[rows++] = intern(asn, organisation)
  })
  return { starts, ends, system, rows }
}

/** Writes a decimal 128-bit number as four words at `row`. */
function putWords(words: Uint32Array, row: number, text: string): void {
  const value = BigInt(text)
  for (let i = 0; i < 4; i++) words[row * 4 + i] = Number((value >> BigInt(96 - 32 * i)) & 0xffff_ffffn)
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

function countLines(bytes: Buffer): number {
  let lines = 1
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}
