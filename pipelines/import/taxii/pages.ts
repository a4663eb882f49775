import { hash } from 'node:crypto'
import {
  type PagePlace,
  type TaxiiCollection,
  TaxiiFault,
  type TaxiiPage,
} from '../../../connectors/feeds/taxii/port.ts'
import { isLater, justAfter } from './added.ts'

export type PageBounds = {
  /** Pages of one poll, and those one after another that have nothing. */
  pages: number
  empty: number
}

/** `gap`: the date of which the server repeats the same page, so that what else was added then cannot be read. */
export type ReadPage = TaxiiPage & { gap: { at: string; after: string } | null }

/**
 * The pages of a collection after a date added, until it has no more. They are asked for by what the server names next, and
 * by the date of the last object where it names nothing or does not act on it. A server that understands `added_after` as
 * "from" may give the same page for ever, where more objects have one date than a page: they are passed, and the page says
 * so.
 * @throws TaxiiFault when the server goes round in a circle, or does not say how to go on
 */
export async function* pagesAfter(
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
      throw faulty(`the server sent ${empty} empty pages in a row, although it says that more objects follow`)
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
      throw faulty('the server says that more objects follow, but not where')
    place = isNamed ? { addedAfter: place.addedAfter, next: page.next } : { addedAfter: last, next: null }
  }
  throw faulty(`the collection has more than ${bounds.pages} pages`)
}

const REPEATED = 'the server returned the same page twice'

const markOf = ({ addedAfter }: PagePlace, { next, first, last, objects }: TaxiiPage): string =>
  hash('sha256', JSON.stringify([addedAfter, next, first, last, objects]), 'hex')
