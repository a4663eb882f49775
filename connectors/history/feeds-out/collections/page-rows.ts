/**
 * Rows of a page as the store sends them. A page has a million bytes and more, and all but some of them are JSON that goes
 * out as it is: it stays in the bytes that came, since texts of it would be made, put together and written out again.
 */

import { free } from '../../../../platform/free.ts'
import { StoreSlow } from '../../../availability/port.ts'
import type { History } from '../../port.ts'
import { type PageQuestion, pageOf } from '../../sql/feeds-out/collections-sql.ts'

/** A version of an object, or what says only that the one at its place was superseded: that has no version. */
export type PageRow = {
  place: number
  isSuperseded: boolean
  /** Unix microseconds; 0: none. */
  version: number
  isFirst: boolean
  /** The text, or the id. */
  said: Buffer
}

/** A page is read in some milliseconds; a store that takes so long is lost. */
const LONGEST_MS = 15_000
const TAB = 0x09
const END = 0x0a

/**
 * Reads rows of a collection. No column has a tab or the end of a line in it: texts are JSON without space, ids are those of
 * STIX.
 * @returns the rows, and the bytes that they lie in
 * @throws StoreSlow after 15 s
 */
export async function pageRows(
  home: Pick<History, 'stream'>,
  question: PageQuestion,
): Promise<{ rows: PageRow[]; bytes: Buffer }> {
  const late = new AbortController()
  const slow = () => late.abort(new StoreSlow('the history store', 'does not complete a page'))
  const timer = setTimeout(slow, LONGEST_MS)
  try {
    const parts: Uint8Array[] = []
    for await (const part of await home.stream(pageOf(question), 'TabSeparatedRaw', late.signal)) parts.push(part)
    const bytes = Buffer.concat(parts)
    parts.forEach(free)
    return { rows: rowsIn(bytes), bytes }
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** The rows of a whole answer. What they say are parts of `bytes`. */
export function rowsIn(bytes: Buffer): PageRow[] {
  const rows: PageRow[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(END, at)
    if (end < 0) throw new Error('an answer with rows of a collection is cut off')
    rows.push(rowOf(bytes, at, end))
    at = end + 1
  }
  return rows
}

const ZERO = 0x30

/** Digits of a row as a number. A text of each would be most of what a page leaves to be collected. */
function numberIn(bytes: Buffer, from: number, end: number): number {
  let number = 0
  for (let at = from; at < end; at++) number = number * 10 + (bytes[at]! - ZERO)
  return number
}

/** Numbers before what a row says. */
const NUMBERS = 4

function rowOf(bytes: Buffer, from: number, end: number): PageRow {
  const numbers = [0, 0, 0, 0]
  let at = from
  for (let n = 0; n < NUMBERS; n++) {
    const tab = bytes.indexOf(TAB, at)
    if (tab < 0 || tab > end) throw new Error('a row of a collection is cut off')
    numbers[n] = numberIn(bytes, at, tab)
    at = tab + 1
  }
  const [place, superseded, version, first] = numbers as [number, number, number, number]
  return { place, isSuperseded: superseded > 0, version, isFirst: first === 1, said: bytes.subarray(at, end) }
}
