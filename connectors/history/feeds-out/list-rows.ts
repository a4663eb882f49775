/** A list as the store sends it: a row with its head, then a row for each item, in lines of JSON. */

import type { StixItem } from '../../../schemas/exchange/stix/item.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import type { DetailedRow } from '../sql/feeds-out/list-details.ts'
import type { ListRow } from '../sql/feeds-out/lists.ts'
import { jsonLines } from './json-lines.ts'

const LINE_END = 0x0a
/** Longest head, in bytes: its feed has at most a million. */
const MAX_HEAD = 8 * 1024 * 1024

/**
 * The head of a list, and its items as they come: not read here, as a reader of all of them has a thread of its own.
 * null: nothing came.
 * @throws Error for an answer that was cut off within the head
 */
export async function begun(
  answer: AsyncIterable<Uint8Array>,
): Promise<{ head: FeedHead; rows: AsyncIterable<Uint8Array> } | null> {
  const pieces = answer[Symbol.asyncIterator]()
  let bytes: Buffer = Buffer.alloc(0)
  for (;;) {
    const { done, value } = await pieces.next()
    if (done && bytes.length === 0) return null
    if (done || bytes.length > MAX_HEAD)
      throw new Error('the answer of the history store ended within the head of a list')
    bytes = Buffer.concat([bytes, value])
    const end = bytes.indexOf(LINE_END)
    if (end === -1) continue
    const [head] = JSON.parse(bytes.toString('utf8', 0, end)) as ListRow
    return { head: JSON.parse(head) as FeedHead, rows: rest(bytes.subarray(end + 1), pieces) }
  }
}

async function* rest(first: Uint8Array, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first
    for (;;) {
      const { done, value } = await pieces.next()
      if (done) return
      yield value
    }
  } finally {
    await pieces.return?.()
  }
}

/**
 * The items of a list, some at a time, `items` of them; with what the list does not show where it was asked for.
 * @throws Error when there are others: the answer was cut off, or the store is wrong
 */
export async function* itemsIn(rows: AsyncIterable<Uint8Array>, items: number): AsyncGenerator<readonly FeedItem[]> {
  let seen = 0
  for await (const some of jsonLines<ListRow | DetailedRow>(rows)) {
    seen += some.length
    yield some.map((row) => (row.length > SHOWN ? toldOf(row as DetailedRow) : itemOf(row)))
  }
  if (seen !== items) throw new Error(`a list of ${items} items was read as ${seen}`)
}

/** Columns of a row that shows what the list has. */
const SHOWN = 9

const itemOf = ([, entityId, type, value, reputation, accuracy, tags, first, last]:
  | ListRow
  | DetailedRow): FeedItem => ({
  entityId,
  type,
  value,
  reputation,
  accuracy,
  tags,
  firstSeen: Number(first),
  lastSeen: Number(last),
})

function toldOf(row: DetailedRow): FeedItem & StixItem {
  const [records, relations, attributes] = [
    row[SHOWN],
    row[SHOWN + 1] as DetailedRow[10],
    row[SHOWN + 2] as DetailedRow[11],
  ]
  return Object.assign(itemOf(row), {
    count: Number(records),
    attributes: Object.fromEntries(attributes),
    relations: relations.map(([, entityId, relationship, type, value, digests]) => ({
      other: { entityId, type, value, ...(digests.length > 0 && { attributes: Object.fromEntries(digests) }) },
      relationship: relationship === '' ? null : relationship,
    })),
  })
}
