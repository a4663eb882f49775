import { hash } from 'node:crypto'
import { isObject } from '../../../connectors/feeds/parse/document.ts'
import {
  type PagePlace,
  type TaxiiCollection,
  TaxiiFault,
  TaxiiGap,
  type TaxiiPage,
} from '../../../connectors/feeds/taxii/port.ts'
import type { TaxiiState } from './state.ts'

/** Compares two timestamps in UTC, which may have different numbers of digits. */
const isLater = (a: string, b: string): boolean => comparable(a) > comparable(b)

const comparable = (date: string): string => {
  const [seconds, fraction = ''] = date.replace('Z', '').split('.')
  return `${seconds}.${fraction.padEnd(9, '0')}`
}

/**
 * The date after which a server is asked that answers one date added again and again: later by one of its last digit, as
 * servers drop digits that they do not have (ADR 256).
 */
function justAfter(date: string): string {
  const [seconds, fraction = ''] = date.replace('Z', '').split('.') as [string, string?]
  const next = String(Number(fraction) + 1).padStart(fraction.length, '0')
  if (fraction !== '' && next.length === fraction.length) return `${seconds}.${next}Z`
  return `${new Date(Date.parse(`${seconds}Z`) + 1_000).toISOString().slice(0, 19)}Z`
}

/** The date one minute before another one. */
const aMinuteBefore = (date: string): string => new Date(Date.parse(date) - 60_000).toISOString()

type PageBounds = {
  /** Pages of one poll, and those one after another that have nothing. */
  pages: number
  empty: number
}

/** `gap`: the date of which the server repeats the same page, so that what else was added then cannot be read. */
type ReadPage = TaxiiPage & { gap: { at: string; after: string } | null }

/**
 * The pages of a collection after a date added, until it has no more. They are asked for by what the server names next, and
 * by the date of the last object where it names nothing or does not act on it. A server that understands `added_after` as
 * "from" may give the same page for ever, where more objects have one date than a page: they are passed, and the page says
 * so.
 * @throws TaxiiFault when the server goes round in a circle, or does not say how to go on
 */
async function* pagesAfter(
  collection: TaxiiCollection,
  addedAfter: string | null,
  signal: AbortSignal,
  bounds: PageBounds,
): AsyncGenerator<ReadPage> {
  const faulty = (why: string) => new TaxiiFault(`${collection.name}: ${why}`)
  let place: PagePlace = { addedAfter, next: null }
  let last = addedAfter
  let byNext = true
  let empty = 0
  let gaps = 0
  const seen = new Set<string>()
  for (let pages = 0; pages < bounds.pages; pages++) {
    const page = await collection.page(place, signal)
    const mark = markOf(place, page)
    const isRepeated = page.more && seen.has(mark)
    if (isRepeated && (!byNext || last === null)) throw faulty(REPEATED)
    seen.add(mark)
    empty = page.objects.length === 0 ? empty + 1 : 0
    if (page.more && empty > bounds.empty)
      throw faulty(`the server sent ${empty} empty pages in a row, although it announces more objects`)
    if (page.last !== null && (last === null || isLater(page.last, last))) last = page.last
    byNext = byNext && !isRepeated
    const isNamed = byNext && page.next !== null
    const isStuck = page.more && !isNamed && last !== null && last === place.addedAfter
    const gap = isStuck && last !== null && last === page.last ? { at: last, after: justAfter(last) } : null
    yield { ...page, gap }
    if (!page.more) return
    if (gap !== null && ++gaps <= bounds.empty) last = gap.after
    else if (isStuck && page.objects.length > 0) throw faulty(REPEATED)
    if (!isNamed && (last === null || page.objects.length === 0))
      throw faulty('the server announces more objects, but not where they are')
    place = isNamed ? { addedAfter: place.addedAfter, next: page.next } : { addedAfter: last, next: null }
  }
  throw faulty(`the collection has more than ${bounds.pages} pages`)
}

const REPEATED = 'the server returned the same page twice'

const markOf = ({ addedAfter }: PagePlace, { next, first, last, objects }: TaxiiPage): string =>
  hash('sha256', JSON.stringify([addedAfter, next, first, last, objects]), 'hex')

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
 * missed (ADR 273). Where a server writes no dates, the place is its own clock when the poll began (ADR 256). What was read
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
