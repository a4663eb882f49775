import { LRUCache } from 'lru-cache'
import type { History } from '../../../../connectors/history/port.ts'
import {
  type HistoryRow,
  isValueOnly,
  type SimpleSearch,
  simplePage,
  simplePages,
} from '../../../../connectors/history/sql/queries/history-queries.ts'
import { waitingLines } from '../../../../platform/waiting-lines.ts'
import { terms } from '../../../../schemas/intelligence/state/terms.ts'

/** Statements of one audience list that run at once; searches that come meanwhile wait for one of them. */
const AT_ONCE = 2
/** Searches of one statement, and records that it reads for them: a statement that finds as many did not find all. */
const MOST = 32
const RECORDS = 1_000
/** Searches that wait for one audience list; more are asked alone. */
const MAX_WAITING = 1_000
/** Searches with a full page are asked alone for so long: they would fill the statement for all others. */
const FREQUENT_MS = 60_000
const MAX_FREQUENT = 1_000

const NEWEST = { by: { column: 'time' }, order: 'desc' } as const

/** @property items how many records match, where it is known */
export type FirstPage = { rows: HistoryRow[]; items: number | null }

/** @property has its terms */
type Found = { row: HistoryRow; has: ReadonlySet<string> }

type Wanted = { terms: ReadonlySet<string>; tags: ReadonlySet<string> }

const meets = ({ row, has }: Found, { terms, tags }: Wanted): boolean =>
  [...terms].some((term) => has.has(term)) || row.tags.some((tag) => tags.has(tag))

const wantedBy = (searches: readonly SimpleSearch[]): Wanted => ({
  terms: new Set(searches.flatMap(({ anyOf }) => anyOf)),
  tags: new Set(searches.flatMap(({ tags }) => tags)),
})

type Waiting = { search: SimpleSearch; limit: number; answer: (page: Promise<FirstPage>) => void }

/**
 * First pages of simple searches, newest first. A search that finds a statement of the same readers running waits for it
 * to end, and then shares one statement with all others that wait: most of its cost is the same for one value and for
 * thirty (ADR 272).
 */
export function sharedStatements(
  history: Pick<History, 'query'>,
  { atOnce = AT_ONCE, most = MOST, records = RECORDS } = {},
) {
  const join = waitingLines(atOnceFor, { atOnce, most, maxWaiting: MAX_WAITING })
  const frequent = new LRUCache<string, true>({ max: MAX_FREQUENT, ttl: FREQUENT_MS })

  async function alone(search: SimpleSearch, limit: number): Promise<FirstPage> {
    const rows = await history.query<HistoryRow>(simplePage(search, NEWEST, limit, 0))
    if (rows.length < limit) return { rows, items: rows.length }
    frequent.set(search.anyOf.join('\n'), true)
    return { rows, items: null }
  }

  /** Each search gets its part of the answer; alone where that may be missing records. */
  async function atOnceFor(group: readonly Waiting[]): Promise<void> {
    if (group.length === 1) return settle(group[0]!, () => alone(group[0]!.search, group[0]!.limit))
    const sought = wantedBy(group.map(({ search }) => search))
    const reading = found(group[0]!.search.audiences, sought)
    const settled = group.map((one) =>
      settle(one, async () => {
        const all = await reading
        if (all === null) return alone(one.search, one.limit)
        const wanted = wantedBy([one.search])
        const rows = all.filter((each) => meets(each, wanted)).map(({ row }) => row)
        return { rows: rows.slice(0, one.limit), items: rows.length }
      }),
    )
    await Promise.all(settled)
  }

  /** All records with one of these terms or tags, newest first; null where that is not sure. */
  async function found(audiences: readonly bigint[], sought: Wanted): Promise<Found[] | null> {
    const asked = { audiences, terms: [...sought.terms], tags: [...sought.tags] }
    const rows = await history.query<HistoryRow>(simplePages(asked, records))
    if (rows.length === records) return null
    // The terms are computed as they were for the index, which takes less than reading them. A record that was found by
    // none of them was stored by other rules.
    const all = rows.map((row) => ({ row, has: new Set(terms(row.type, row.value, row.attributes)) }))
    return all.every((each) => meets(each, sought)) ? all : null
  }

  return (search: SimpleSearch, limit: number): Promise<FirstPage> => {
    if (!isValueOnly(search) || frequent.has(search.anyOf.join('\n'))) return alone(search, limit)
    return new Promise((answer) => {
      if (!join(search.audiences.join(), { search, limit, answer })) answer(alone(search, limit))
    })
  }
}

/** Answers with what `read` gives, or fails with; resolves when that is known. */
async function settle({ answer }: Waiting, read: () => Promise<FirstPage>): Promise<void> {
  const page = read()
  answer(page)
  await page.catch(() => undefined)
}
