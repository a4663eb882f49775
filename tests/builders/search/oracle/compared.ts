import { isDeepStrictEqual } from 'node:util'
import type { Reader } from '../../../../api/intelligence/services/readers.ts'
import { readAdvanced } from '../../../../api/intelligence/services/search/advanced.ts'
import type { Paging, SearchResult } from '../../../../api/intelligence/services/search/record-search.ts'
import { type Ask, boundedSearches } from '../../../../api/intelligence/services/search/search-bounds.ts'
import type { History } from '../../../../connectors/history/port.ts'
import type { Search } from '../../../../schemas/intelligence/search/read-search.ts'
import { ALONE, UNHURRIED } from '../unhurried.ts'
import { type Answered, type Asked, answerOf } from './answer.ts'
import { OverTheBound } from './counts.ts'
import type { Shown } from './fields.ts'
import type { Request } from './generated/requests.ts'

/** One of the two routes, as one reader has it, and the records that it is about. */
export type Surface = {
  name: 'history' | 'entities'
  /** Names the reader too. */
  called: string
  search: (ask: Ask, reader: Reader, search: Search, paging: Paging) => Promise<SearchResult>
  reader: Reader
  records: readonly Shown[]
  /** What each result has beside its record. */
  beside: object
  now: number
}

const TOO_MUCH = 'too much'

const json = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer))

/** The store adds numbers up in another order: those that are as good as equal become equal. */
function aligned(told: unknown, should: unknown): unknown {
  if (typeof told === 'number' && typeof should === 'number')
    return Math.abs(told - should) <= 1e-10 * Math.max(1, Math.abs(told), Math.abs(should)) ? should : told
  if (Array.isArray(told) && Array.isArray(should)) return told.map((one, i) => aligned(one, should[i]))
  if (typeof told !== 'object' || typeof should !== 'object' || told === null || should === null) return told
  const others = should as Record<string, unknown>
  return Object.fromEntries(Object.entries(told).map(([name, one]) => [name, aligned(one, others[name])]))
}

/** What the platform answers and what it should, for the request and, if it is walked, each of its pages. */
export async function compared(
  history: Pick<History, 'query'>,
  surface: Surface,
  request: Request,
): Promise<{ told: unknown; should: unknown }> {
  const { walk, ...asked } = request
  const one = await both(history, surface, asked)
  if (walk === 0 || asked.body.collapse !== undefined) return one
  const { aggs: _, aggregations: __, ...plain } = asked.body
  const told: unknown[] = [one.told]
  const should: unknown[] = [one.should]
  let after: unknown
  do {
    const body = { ...plain, ...(after !== undefined && { search_after: after }) }
    const page = await both(history, surface, { ...asked, body, limit: walk, page: 1 })
    told.push(page.told)
    should.push(page.should)
    // A page that is wrong leads nowhere.
    if (!isDeepStrictEqual(page.told, page.should)) break
    after = ((page.should as Answered).results.at(-1) as { sort: unknown } | undefined)?.sort
  } while (after !== undefined)
  return { told, should }
}

async function both(
  history: Pick<History, 'query'>,
  surface: Surface,
  { body, ...query }: Asked,
): Promise<{ told: unknown; should: unknown }> {
  const { name, search, reader, now } = surface
  const run = boundedSearches(history, UNHURRIED)
  const read = readAdvanced(query, JSON.parse(JSON.stringify(body)), { surface: name, now })
  const told = run((ask) => search(ask, reader, read.search, read.paging), ALONE)
  const answer = await told.then(json, (error) =>
    error.code === 'query_too_expensive' ? TOO_MUCH : Promise.reject(error),
  )
  const right = should({ body, ...query }, surface)
  return { told: aligned(answer, right), should: right }
}

function should(asked: Asked, surface: Surface): unknown {
  try {
    return json(answerOf(asked, surface))
  } catch (error) {
    if (error instanceof OverTheBound) return TOO_MUCH
    throw error
  }
}
