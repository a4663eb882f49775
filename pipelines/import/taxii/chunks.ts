import { hash } from 'node:crypto'
import { isObject } from '../../../connectors/feeds/parse/document.ts'
import { type TaxiiCollection, TaxiiGap, type TaxiiPage } from '../../../connectors/feeds/taxii/port.ts'
import { aMinuteBefore, isLater } from './added.ts'
import { type PageBounds, pagesAfter } from './pages.ts'
import type { TaxiiState } from './state.ts'

/** Objects that are remembered: those of one import at most. */
const MOST = 20_000

/**
 * Remembers which objects were read with the dates around the place that is kept. Servers may answer them again: those that
 * understand `added_after` as "from", write dates without all of their digits, or write none. What is read again is not
 * imported again, which would renew its claims (ADR 256).
 * @param before what `all` gave at the end of the last poll
 */
function readObjects(before: readonly string[], most = MOST) {
  let older = new Set<string>()
  let newer = new Set(before)
  function turn(): void {
    older = newer
    newer = new Set()
  }
  return {
    /** Those of a page that are new. Definitions of markings always are: what comes later refers to them. */
    fresh(objects: readonly unknown[]): unknown[] {
      return objects.filter((object) => {
        if (isObject(object) && object.type === 'marking-definition') return true
        const name = hash('sha256', JSON.stringify(object) ?? '', 'base64url').slice(0, 22)
        if (older.has(name) || newer.has(name)) return false
        if (newer.size >= most) turn()
        newer.add(name)
        return true
      })
    },
    /** A later date has begun: what is of earlier ones than the last does not come again. */
    turn,
    /** The latest ones. */
    all: (): string[] => [...older, ...newer].slice(-most),
  }
}

/** Pages that are imported together, so that most of what refers to each other is. */
export type Chunk = {
  /** What was not read before. */
  objects: unknown[]
  /** Of all pages, as they came. */
  bytes: number
  /** Where one stands once it is imported. */
  state: TaxiiState
  /** What a server does that makes the place less than exact; null: nothing. */
  note: string | null
}

export type ChunkBounds = PageBounds & { bytes: number; objects: number }

export const CHUNK_BOUNDS: ChunkBounds = { bytes: 16 * 1024 ** 2, objects: 20_000, pages: 1_000_000, empty: 100 }

/**
 * What a collection has after a place, until it has no more. Objects of one date added may stand on two pages: the place
 * passes a date only when a page begins after it, or nothing follows. What the server adds later with the last date is
 * missed (ADR 223). Where a server writes no dates, the place is its own clock when the poll began (ADR 256). What was read
 * before a fault comes before it.
 * @throws TaxiiFault as `pagesAfter`, and TaxiiGap at the end when a page was repeated
 */
export async function* chunksAfter(
  collection: TaxiiCollection,
  { addedAfter, read }: TaxiiState,
  signal: AbortSignal,
  bounds = CHUNK_BOUNDS,
): AsyncGenerator<Chunk> {
  const known = readObjects(read)
  let cursor = addedAfter
  let last = addedAfter
  let clock: string | null | undefined
  let note: string | null = null
  const gaps: string[] = []
  let gathered: { objects: unknown[]; bytes: number } = { objects: [], bytes: 0 }
  const chunk = (at: string | null): Chunk => ({ ...gathered, state: { addedAfter: at, read: known.all() }, note })
  try {
    for await (const page of pagesAfter(collection, addedAfter, signal, bounds)) {
      // Of the first page: what is added while the others are read is for the next poll.
      if (clock === undefined) clock = page.servedAt
      if (page.first !== null && last !== null && isLater(page.first, last)) {
        cursor = last
        known.turn()
      }
      if (gathered.objects.length > 0 && isFull(gathered, page, bounds)) {
        yield chunk(cursor)
        gathered = { objects: [], bytes: 0 }
      }
      for (const object of known.fresh(page.objects)) gathered.objects.push(object)
      gathered.bytes += page.bytes
      if (page.last !== null && (last === null || isLater(page.last, last))) last = page.last
      if (page.undated !== null && page.objects.length > 0) note ??= noteOf(page.undated, clock)
      if (page.gap !== null) {
        gaps.push(page.gap.at)
        last = page.gap.after
      }
    }
  } catch (error) {
    if (!signal.aborted && gathered.objects.length > 0) yield chunk(cursor)
    throw error
  }
  const end = note === null ? last : laterOf(cursor, clock == null ? null : aMinuteBefore(clock))
  if (gathered.objects.length > 0 || end !== addedAfter) yield chunk(end)
  if (gaps.length > 0) throw new TaxiiGap(`${collection.name}: ${gapText(gaps)}`)
}

const isFull = (chunk: { objects: unknown[]; bytes: number }, page: TaxiiPage, bounds: ChunkBounds): boolean =>
  chunk.bytes + page.bytes > bounds.bytes || chunk.objects.length + page.objects.length > bounds.objects

const noteOf = (why: string, clock: string | null | undefined): string =>
  clock == null
    ? `${why}, and has no clock (Date): each poll reads the whole collection`
    : `${why}: the next poll asks for what was added since this one began, by the clock of the server`

const laterOf = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? (a ?? b) : isLater(a, b) ? a : b

const gapText = (dates: readonly string[]): string =>
  `the server repeats the same page of objects that were added at ${dates.slice(0, 5).join(', ')}` +
  `${dates.length > 5 ? ` and ${dates.length - 5} more dates` : ''}: objects of that date beyond the page were not read, all others were imported`

/** Names a chunk: the same objects after the same date have the same name. */
export const chunkName = (addedAfter: string | null, { objects }: Chunk): string =>
  hash('sha256', JSON.stringify([addedAfter, objects]), 'hex').slice(0, 32)
