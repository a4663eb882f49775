import { LRUCache } from 'lru-cache'
import { free } from '../../../../platform/free.ts'
import type { History } from '../../port.ts'
import { firstPlace } from '../../sql/feeds-out/collections-sql.ts'
import { pageRows } from './page-rows.ts'
import type { Collections, ObjectPage, ReadObject } from './port.ts'
import { objectsIn } from './rows.ts'

/** Rows beside those of a page, which say that others were superseded; where there are more, more is read. */
const BESIDE = 50
/**
 * Microseconds in which a page is looked for first. Objects of a step of a list stand a microsecond apart, steps of a list
 * that grows some tenths of a second.
 */
const NEAR_US = 4_000_000
/** Reads of one page, at most: what was superseded, and not yet merged, is skipped. */
const READS = 20
/** Collections whose first date is remembered: it never changes. */
const MAX_FIRSTS = 10_000

/**
 * The collections of feeds, as their readers are given them.
 * @param home the database that belongs to no generation
 */
export function collections(home: Pick<History, 'query' | 'stream'>): Collections {
  const firsts = new LRUCache<string, number>({ max: MAX_FIRSTS })

  /** The date before the first one; 0: there is none yet. */
  async function beginningOf(feed: string): Promise<number> {
    const known = firsts.get(feed)
    if (known !== undefined) return known
    const [row] = await home.query<{ place: string }>(firstPlace(feed))
    if (row === undefined) return 0
    const before = Number(row.place) - 1
    firsts.set(feed, before)
    return before
  }

  return {
    async page({ feed, after, limit, filter, texts }): Promise<ObjectPage> {
      const [objects, read]: [ReadObject[], Buffer[]] = [[], []]
      const pageWith = (next: number | null): ObjectPage => ({
        objects: objects.slice(0, limit),
        next,
        [Symbol.dispose]: () => read.forEach(free),
      })
      if (!filter.speaks21) return pageWith(null)
      const rowsAtOnce = limit + 1 + BESIDE
      let from = Math.max(after, await beginningOf(feed))
      // A read with an end costs the same at any depth.
      let until: number | null = filter.ids === null ? from + NEAR_US : null
      for (let reads = 0; reads < READS && objects.length <= limit; reads++) {
        const { rows, bytes } = await pageRows(home, { feed, after: from, until, filter, texts, limit: rowsAtOnce })
        read.push(bytes)
        const isCut = rows.length === rowsAtOnce
        // What belongs to the last place may be cut off.
        const whole = isCut ? rows.filter(({ place }) => place !== rows.at(-1)!.place) : rows
        objects.push(...objectsIn(whole, filter))
        if (isCut) from = whole.at(-1)!.place
        else if (until !== null) [from, until] = [until, null]
        else if (objects.length <= limit) return pageWith(null)
      }
      return pageWith(objects.length <= limit ? from : objects[limit - 1]!.added)
    },
  }
}
