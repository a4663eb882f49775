import type { History } from '../../../../connectors/history/port.ts'
import {
  type HistoryRow,
  type SimpleSearch,
  type Sort,
  simpleCount,
  simplePage,
} from '../../../../connectors/history/sql/queries/history-queries.ts'
import { dailyScope } from '../../../../connectors/history/sql/search/daily-scope.ts'
import { historySurface } from '../../../../connectors/history/sql/search/surface.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { searchForms } from '../../../../schemas/intelligence/ingest/search-forms.ts'
import { tagOf } from '../../../../schemas/intelligence/ingest/tags.ts'
import { isKeptMatch, keptTerms, verdictOf } from '../../../../schemas/intelligence/observations/verdict.ts'
import type { Reporter } from '../../../../schemas/intelligence/reporter.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import type { Search } from '../../../../schemas/intelligence/search/read-search.ts'
import { tokens } from '../../../../schemas/intelligence/state/terms.ts'
import { aroundQuery, type Covering, type Coverings } from '../entity/covering.ts'
import { MAX_PAGE_DEPTH, PageTooDeep } from '../page-depth.ts'
import type { Reader } from '../readers.ts'
import { type MadeBy, type NameReporters, nameFeeds } from '../reporters.ts'
import { type HistoryMemory, NO_MEMORY } from './history-memory.ts'
import { type Source, sourceFilter } from './record-fields.ts'
import { type Paging, recordSearch } from './record-search.ts'
import { retractedRecords } from './retracted-records.ts'
import { type FirstPage, sharedStatements } from './shared-statements.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
/** What is known of the records of a page beside their rows. */
type AboutRecords = {
  /** Ids of records that do not count any more. */
  retracted: ReadonlySet<string>
  reporterOf: (made: MadeBy) => Reporter
}

const madeBy = ({ user_id, source }: Pick<HistoryRow, 'user_id' | 'source'>): MadeBy => [user_id, source]

/** The history record of specification 2.6 and decisions 5.6. `about`: left out where a record is shown for itself. */
export function historyRecord(
  row: Omit<HistoryRow, 'sorted'>,
  reader: Reader,
  about?: AboutRecords,
): Record<string, unknown> {
  const time = iso(Number(row.time))
  const terms = keptTerms(row.attributes)
  const match = isKeptMatch(row.attributes)
  return {
    id: row.id,
    entityID: entityId(row.type, row.value),
    type: row.type,
    userID: row.user_id,
    ...(about !== undefined && { reporter: about.reporterOf(madeBy(row)) }),
    attributes: { [row.type]: row.value, ...(terms === null && !match ? row.attributes : {}) },
    reputation: row.reputation,
    accuracy: row.accuracy,
    tags: row.tags,
    visibleBy: reader.visibleBy(BigInt(row.audience)),
    wellKnown: row.well_known === 1,
    '@timestamp': time,
    lastSeen: time,
    ...(about?.retracted.has(row.id) && { retracted: true }),
    ...(match && { match }),
    ...(terms !== null && { verdict: verdictIn(row.reputation, terms) }),
  }
}

/** Which verdict a record gives, or null: it takes the one before back. No verdict has the reputation 0. */
const verdictIn = (reputation: number, { reason, until }: NonNullable<ReturnType<typeof keptTerms>>) => ({
  verdict: reputation === 0 ? null : verdictOf(reputation),
  reason,
  ...(until > 0 && { until: iso(until) }),
})

export type SimpleQuestion = {
  query: string
  accuracy: number | null
  reputation: number | null
  source: Source
  sort: Sort
  limit: number
  page: number
}

export type Page = {
  items: number
  pages: number
  results: object[]
  aggregations: null
  /** The networks that the address lies in; only of a query that is an address. */
  coveredBy?: Covering[]
}

const ENTITY_ID = /^([a-z0-9-]+)-([0-9a-f]{64})$/

/** Advanced history search (specification 4.2, decisions 5.5): docs/use/search.md over every kept report. */
export const advancedHistory = async (
  history: Pick<History, 'query'>,
  reader: Reader,
  search: Search,
  paging: Paging,
  name: NameReporters = nameFeeds,
  memory: HistoryMemory = NO_MEMORY,
) =>
  recordSearch<HistoryRow, AboutRecords>(
    history,
    {
      surface: historySurface(reader.audiences, needsTypes(search) ? await memory.types() : null),
      show: (row, about) => historyRecord(row, reader, about),
      about: aboutRecords(history, memory, reader, name),
      counted: (clause, aggs) => dailyScope(reader.audiences, clause, aggs),
    },
    search,
    paging,
  )

/** Whether main values may be read for nothing: they have the names of attributes, too. */
const needsTypes = ({ clause, aggs }: Search): boolean => aggs.size > 0 || namesAttribute(clause)

const namesAttribute = (clause: Clause): boolean =>
  clause.is === 'bool'
    ? [clause.must, clause.mustNot, clause.should].some((list) => list.some(namesAttribute))
    : 'field' in clause && clause.field.name === 'attribute'

const aboutRecords =
  (history: Pick<History, 'query'>, memory: HistoryMemory, reader: Reader, name: NameReporters) =>
  async (rows: readonly HistoryRow[]): Promise<AboutRecords> => {
    const retracted = retractedRecords(history, memory, rows, reader)
    const [ids, reporterOf] = await Promise.all([retracted, name(rows.map(madeBy))])
    return { retracted: ids, reporterOf }
  }

/**
 * Simple history search (specification 4.2, decisions 5.4): finds records with the normal form of the query as main value,
 * entity id, attribute value or tag, and records with every word of the query as a word of a text value.
 */
export function historySearch(history: Pick<History, 'query'>, networks: Coverings, memory: HistoryMemory = NO_MEMORY) {
  const together = sharedStatements(history)

  return {
    /** A page past the last one is empty with the totals. Throws PageTooDeep for pages beyond MAX_PAGE_DEPTH records. */
    async simple(reader: Reader, q: SimpleQuestion, name: NameReporters = nameFeeds): Promise<Page> {
      const search = searchOf(reader, q)
      const offset = (q.page - 1) * q.limit
      const [[items, first], coveredBy] = await Promise.all([
        countedWithFirst(search, q, offset),
        aroundQuery(networks, reader, q.query),
      ])
      const past = q.limit === 0 || offset >= items
      if (!past && offset + q.limit > MAX_PAGE_DEPTH) throw new PageTooDeep()
      const rows = first ?? (past ? [] : await pageOf(search, q, offset))
      const about = await aboutRecords(history, memory, reader, name)(rows)
      const keep = sourceFilter(q.source)
      return {
        items,
        pages: q.limit === 0 ? 0 : Math.ceil(items / q.limit),
        results: rows.map((row) => ({
          ...keep(historyRecord(row, reader, about)),
          sort: [isByTime(q.sort) ? Number(row.time) : row.sorted, row.id],
        })),
        aggregations: null,
        ...(coveredBy !== null && { coveredBy }),
      }
    },
  }

  /** Number of records, with the first page when it is requested. */
  async function countedWithFirst(
    search: SimpleSearch,
    q: SimpleQuestion,
    offset: number,
  ): Promise<[number, HistoryRow[] | null]> {
    const first = offset === 0 && q.limit > 0 ? await firstPage(search, q) : null
    if (first !== null && first.items !== null) return [first.items, first.rows]
    const [count] = await history.query<{ items: string }>(simpleCount(search))
    return [Number(count!.items), first?.rows ?? null]
  }

  /** A page that is not full has all records. */
  async function firstPage(search: SimpleSearch, q: SimpleQuestion): Promise<FirstPage> {
    if (isByTime(q.sort) && q.sort.order === 'desc') return together(search, q.limit)
    const rows = await pageOf(search, q, 0)
    return { rows, items: rows.length < q.limit ? rows.length : null }
  }

  function pageOf(search: SimpleSearch, q: SimpleQuestion, offset: number): Promise<HistoryRow[]> {
    return history.query<HistoryRow>(simplePage(search, q.sort, q.limit, offset))
  }
}

const isByTime = ({ by }: Sort): boolean => 'column' in by && by.column === 'time'

export type HistorySearch = ReturnType<typeof historySearch>

function searchOf(reader: Reader, q: SimpleQuestion): SimpleSearch {
  const words = tokens(q.query)
  const tag = tagOf(q.query)
  const id = ENTITY_ID.exec(q.query.trim().toLowerCase())
  return {
    audiences: reader.audiences,
    anyOf: searchForms(q.query),
    // A single word is among the forms already, unless it carried punctuation of its own.
    allOf: /\s/.test(q.query.trim()) ? words : [],
    tags: tag === null ? [] : [tag],
    entity: id === null ? null : { type: id[1]!, digest: id[2]! },
    accuracy: q.accuracy,
    reputation: q.reputation,
  }
}
