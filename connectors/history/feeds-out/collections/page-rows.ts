/** Rows of a page as the store sends them: the texts are JSON, and are not written as texts of JSON once more. */

import { text } from 'node:stream/consumers'
import { StoreSlow } from '../../../availability/port.ts'
import type { History } from '../../port.ts'
import { type PageQuestion, type PageRow, pageOf } from '../../sql/feeds-out/collections.ts'

/** A page is read in some milliseconds; a store that takes so long is lost. */
const LONGEST_MS = 15_000

/**
 * Reads rows of a collection. No column has a tab or the end of a line in it: texts are JSON without space, types and ids are
 * those of STIX.
 * @throws StoreSlow after 15 s
 */
export async function pageRows(home: Pick<History, 'stream'>, question: PageQuestion): Promise<PageRow[]> {
  const late = new AbortController()
  const slow = () => late.abort(new StoreSlow('the history store', 'does not complete a page'))
  const timer = setTimeout(slow, LONGEST_MS)
  try {
    const lines = await text(await home.stream(pageOf(question), 'TabSeparatedRaw', late.signal))
    return lines === '' ? [] : lines.slice(0, -1).split('\n').map(rowOf)
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

function rowOf(line: string): PageRow {
  const [place, superseded, version, first, id, type, text] = line.split('\t')
  if (text === undefined) throw new Error('a row of a collection is cut off')
  return { place: place!, superseded: superseded!, version: version!, first: Number(first), id: id!, type: type!, text }
}
