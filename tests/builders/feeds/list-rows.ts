import type { StixItem } from '../../../schemas/exchange/stix/item.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'

const columnsOf = ({ entityId, type, value, reputation, accuracy, tags, firstSeen, lastSeen }: FeedItem) => [
  ...['', entityId, type, value, reputation, accuracy, tags, String(firstSeen), String(lastSeen)],
]

const lines = (rows: readonly unknown[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

/** Items as the history store sends them after the head of their list, in lines of JSON. */
export const rowsOf = (items: readonly FeedItem[]): Buffer => lines(items.map(columnsOf))

/** The same with what formats are told that say more: reported once and related to nothing, unless the item says so. */
export const toldRowsOf = (
  items: readonly (FeedItem & Pick<StixItem, 'count' | 'relations' | 'attributes'>)[],
): Buffer =>
  lines(
    items.map((item) => {
      const relations = (item.relations ?? []).map(
        ({ other: { entityId, type, value, attributes = {} }, relationship }) => [
          ...['-1', entityId, relationship ?? '', type, value],
          Object.entries(attributes),
        ],
      )
      return [...columnsOf(item), String(item.count ?? 1), relations, Object.entries(item.attributes ?? {})]
    }),
  )

/** Bytes in pieces of `size`, which end anywhere. */
export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
