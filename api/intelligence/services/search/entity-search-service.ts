import type { History } from '../../../../connectors/history/port.ts'
import { type EntityHit, entitySurface } from '../../../../connectors/history/sql/queries/entity-search-queries.ts'
import {
  countedByTag,
  type FoldedRow,
  foldedByTag,
  foldedPage,
  type MatchesRow,
  matchesByTag,
  type PageByTag,
  pageByTag,
  pageSearch,
} from '../../../../connectors/history/sql/queries/tagged-search.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Search } from '../../../../schemas/intelligence/search/read-search.ts'
import { type SimpleTerm, simpleClause } from '../../../../schemas/intelligence/search/simple.ts'
import { aroundQuery, type Covering, type Coverings } from '../entity/covering.ts'
import { entityRecord, viewOf } from '../entity/entity-record.ts'
import type { Reader } from '../readers.ts'
import type { Source } from './record-fields.ts'
import { type FoundPage, type Paging, recordSearch, type SearchResult } from './record-search.ts'

/** Matches that one statement keeps in memory. */
const FEW = 200_000

type Store = Pick<History, 'query'>

/**
 * A page of entities that their rows by tag find (ADR 266). They and the entities are read side by side while reports come
 * in: null where they disagree, and then the entities decide alone.
 */
export async function foundByTag<Row extends { id: string }>(
  history: Store,
  page: PageByTag,
  few = FEW,
): Promise<FoundPage<Row> | null> {
  // Nearly no match stands in several audiences of the reader, so both begin as if none did.
  const [[counted], current] = await Promise.all([
    history.query<MatchesRow>(matchesByTag(page)),
    history.query<Row>(pageByTag(page)),
  ])
  const { rows, shown } =
    Number(counted!.several) === 0
      ? { rows: current, shown: Number(counted!.matches) }
      : await folded<Row>(history, page, few)
  const due = Math.max(0, Math.min(page.at.limit, shown - page.at.offset))
  return rows.length === due && new Set(rows.map(({ id }) => id)).size === due ? { rows, shown } : null
}

async function folded<Row>(history: Store, page: PageByTag, few: number): Promise<FoundPage<Row>> {
  const first = (await history.query<FoldedRow>(foldedByTag(page, few)))[0]!
  const all = Number(first.matches) > few ? (await history.query<FoldedRow>(foldedByTag(page, null)))[0]! : first
  const shown = Number(all.matches)
  return { rows: page.at.offset >= shown ? [] : await history.query<Row>(foldedPage(page, all)), shown }
}

/** Advanced search of what a reader is shown of each entity today (docs/use/search.md). */
export const advancedEntities = async (
  history: Pick<History, 'query'>,
  reader: Reader,
  search: Search,
  paging: Paging,
  scoring: Scoring = builtIn,
): Promise<SearchResult> => {
  const rules = await scoring()
  return recordSearch<EntityHit>(
    history,
    {
      surface: entitySurface(reader, rules),
      show: (row) => entityRecord(viewOf(row)),
      counted: (clause, aggs) => (aggs.size === 0 ? countedByTag(reader, clause, rules) : null),
      found: (asked, at) => {
        const page = pageSearch(reader, asked, at, rules)
        return page && foundByTag(history, page)
      },
    },
    search,
    paging,
  )
}

/** The same by a term (decisions 5.4), with the networks around an address; nothing is counted but the records. */
export async function simpleEntities(
  history: Pick<History, 'query'>,
  networks: Coverings,
  reader: Reader,
  { query, accuracy, reputation, source }: SimpleTerm & { source: Source },
  paging: Paging,
  scoring: Scoring = builtIn,
): Promise<Omit<SearchResult, 'aggregations'> & { aggregations: null; coveredBy?: Covering[] }> {
  const search = {
    clause: simpleClause({ query, accuracy, reputation }),
    aggs: new Map(),
    source,
    after: null,
    collapse: null,
  }
  const [found, coveredBy] = await Promise.all([
    advancedEntities(history, reader, search, paging, scoring),
    aroundQuery(networks, reader, query),
  ])
  return { ...found, aggregations: null, ...(coveredBy !== null && { coveredBy }) }
}
