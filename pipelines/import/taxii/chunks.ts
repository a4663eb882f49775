import { hash } from 'node:crypto'
import { type TaxiiCollection, TaxiiFault, type TaxiiPage } from '../../../connectors/feeds/taxii/port.ts'

/** Pages that are imported together, so that most of what refers to each other is. */
export type Chunk = {
  objects: unknown[]
  /** Of all pages, as they came. */
  bytes: number
  /** After this date added nothing of what was read so far is left out; null: from the beginning. */
  cursor: string | null
}

export type ChunkBounds = {
  bytes: number
  objects: number
  /** Pages of one poll, and those one after another that have nothing. */
  pages: number
  empty: number
}

export const CHUNK_BOUNDS: ChunkBounds = { bytes: 16 * 1024 ** 2, objects: 20_000, pages: 1_000_000, empty: 100 }

/**
 * What a collection has after a date added, until it has no more. Objects of one date added may stand on two pages: the
 * cursor passes a date only when a page begins after it, or nothing follows. What the server adds later with the last date
 * is missed (ADR 223).
 * @throws TaxiiFault when the server goes round in a circle, or does not say how to go on
 */
export async function* chunksAfter(
  collection: TaxiiCollection,
  addedAfter: string | null,
  signal: AbortSignal,
  bounds = CHUNK_BOUNDS,
): AsyncGenerator<Chunk> {
  const faulty = (why: string) => new TaxiiFault(`${collection.name}: ${why}`)
  let place: { addedAfter: string | null; next: string | null } = { addedAfter, next: null }
  let cursor = addedAfter
  let last = addedAfter
  let empty = 0
  const seen = new Set<string>()
  let chunk: Chunk = { objects: [], bytes: 0, cursor }
  for (let pages = 0; pages < bounds.pages; pages++) {
    const page = await collection.page(place, signal)
    const mark = markOf(place, page)
    if (page.more && seen.has(mark)) throw faulty('the server returned the same page twice')
    seen.add(mark)
    empty = page.objects.length === 0 ? empty + 1 : 0
    if (page.more && empty > bounds.empty)
      throw faulty(`the server sent ${empty} empty pages in a row, although it says that more objects follow`)
    if (page.objects.length > 0 && page.last === null)
      throw faulty('the server does not say when objects were added (X-TAXII-Date-Added-Last)')
    if (page.first !== null && last !== null && isLater(page.first, last)) cursor = last
    if (chunk.objects.length > 0 && isFull(chunk, page, bounds)) {
      yield { ...chunk, cursor }
      chunk = { objects: [], bytes: 0, cursor }
    }
    for (const object of page.objects) chunk.objects.push(object)
    chunk.bytes += page.bytes
    if (page.last !== null && (last === null || isLater(page.last, last))) last = page.last
    if (!page.more) {
      if (chunk.objects.length > 0 || last !== addedAfter) yield { ...chunk, cursor: last }
      return
    }
    place = placeAfter(place, page, last, faulty)
  }
  throw faulty(`the collection has more than ${bounds.pages} pages`)
}

const isFull = (chunk: Chunk, page: TaxiiPage, bounds: ChunkBounds): boolean =>
  chunk.bytes + page.bytes > bounds.bytes || chunk.objects.length + page.objects.length > bounds.objects

/** By what the server names next; a server that names nothing is asked for what was added later. */
function placeAfter(
  place: { addedAfter: string | null; next: string | null },
  page: TaxiiPage,
  last: string | null,
  faulty: (why: string) => TaxiiFault,
) {
  if (page.next !== null) return { addedAfter: place.addedAfter, next: page.next }
  if (last === null || last === place.addedAfter)
    throw faulty('the server says that more objects follow, but not where')
  return { addedAfter: last, next: null }
}

/** Timestamps may have different numbers of digits. */
const isLater = (a: string, b: string): boolean => comparable(a) > comparable(b)
const comparable = (date: string): string => {
  const [seconds, fraction = ''] = date.replace('Z', '').split('.')
  return `${seconds}.${fraction.padEnd(9, '0')}`
}

const markOf = (place: { addedAfter: string | null }, { next, first, last, objects }: TaxiiPage): string =>
  hash('sha256', JSON.stringify([place.addedAfter, next, first, last, objects]), 'hex')

/** Names a chunk: the same objects after the same date have the same name. */
export const chunkName = (addedAfter: string | null, { objects }: Chunk): string =>
  hash('sha256', JSON.stringify([addedAfter, objects]), 'hex').slice(0, 32)
