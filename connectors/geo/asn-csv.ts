/**
 * Reads `start,end,asn,organisation` rows (decimal addresses, as the package publishes them) straight from their
 * bytes: half a million rows are on the way to a ready process (docs/adr/0052). Calls of the methods of Buffer would
 * take longer than the bytes between them.
 */

const COMMA = 44
const NEWLINE = 10
const RETURN = 13
const QUOTE = 34

/** Where the fields of a row begin and end in its bytes. */
export type AsnRow = {
  start: number
  startEnd: number
  end: number
  endEnd: number
  asn: number
  organisation: number
  organisationEnd: number
}

/** Calls `row` for every row; throws, naming the line, at one that is not of this form. The row object is reused. */
export function eachAsnRow(bytes: Buffer, row: (row: AsnRow) => void): void {
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
export function decimal(bytes: Buffer, from: number, to: number): number {
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
export function putDecimal128(words: Uint32Array, row: number, bytes: Buffer, from: number, to: number): boolean {
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
export function textOf(bytes: Buffer, from: number, to: number): string {
  const end = bytes[to - 1] === RETURN ? to - 1 : to
  if (bytes[from] !== QUOTE) return bytes.toString('utf8', from, end)
  return bytes.toString('utf8', from + 1, end - 1).replaceAll('""', '"')
}

/** Whether `length` bytes at two places are the same. */
export function sameBytes(bytes: Buffer, one: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[one + i] !== bytes[other + i]) return false
  return true
}

/** Lines of a file, with the one after the last end of a line. */
export function countLines(bytes: Buffer): number {
  let lines = 1
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) lines++
  return lines
}
