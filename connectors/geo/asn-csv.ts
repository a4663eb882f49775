/**
 * Reads `start,end,asn,organisation` rows (decimal addresses, as the package publishes them) straight from their
 * bytes: half a million rows are on the way to a ready process (docs/adr/0052).
 */

const COMMA = 44
const NEWLINE = 10
const QUOTE = 34

/** One row: where its first three fields begin and end in `bytes`, and its organisation with quotes undone. */
export type AsnRow = { start: [number, number]; end: [number, number]; asn: number; organisation: string }

/** Calls `row` for every row; throws, naming the line, at one that is not of this form. The row object is reused. */
export function eachAsnRow(bytes: Buffer, row: (row: AsnRow) => void): void {
  const current: AsnRow = { start: [0, 0], end: [0, 0], asn: 0, organisation: '' }
  let line = 0
  for (let at = 0; at < bytes.length; ) {
    line++
    let stop = bytes.indexOf(NEWLINE, at)
    if (stop === -1) stop = bytes.length
    const first = bytes.indexOf(COMMA, at)
    const second = bytes.indexOf(COMMA, first + 1)
    const third = bytes.indexOf(COMMA, second + 1)
    if (first === -1 || second === -1 || third === -1 || third > stop) {
      throw new Error(`ASN data, line ${line}: expected start,end,asn,organisation`)
    }
    current.start[0] = at
    current.start[1] = first
    current.end[0] = first + 1
    current.end[1] = second
    current.asn = decimal(bytes, second + 1, third)
    current.organisation = organisation(bytes, third + 1, stop)
    row(current)
    at = stop + 1
  }
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

function organisation(bytes: Buffer, from: number, to: number): string {
  const end = bytes[to - 1] === 13 ? to - 1 : to
  if (bytes[from] !== QUOTE) return bytes.toString('utf8', from, end)
  return bytes.toString('utf8', from + 1, end - 1).replaceAll('""', '"')
}
