import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'

/** Items as the history store sends them after the head of their list, in lines of JSON. */
export const rowsOf = (items: readonly FeedItem[]): Buffer =>
  Buffer.from(
    items
      .map(({ entityId, type, value, reputation, accuracy, tags, firstSeen, lastSeen }) => {
        const row = ['', entityId, type, value, reputation, accuracy, tags, String(firstSeen), String(lastSeen)]
        return `${JSON.stringify(row)}\n`
      })
      .join(''),
  )

/** Bytes in pieces of `size`, which end anywhere. */
export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
