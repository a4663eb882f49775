import type { History, Query } from '../../../../connectors/history/port.ts'
import {
  type RecordSearch,
  type SearchTotals,
  searchPage,
  searchTotals,
} from '../../../../connectors/history/sql/queries/search-queries.ts'
import type { AggregationScope } from '../../../../connectors/history/sql/search/aggregate/aggregation-scope.ts'
import { aggregate } from '../../../../connectors/history/sql/search/aggregate/run-aggregations.ts'
import type { SearchOrder } from '../../../../connectors/history/sql/search/order.ts'
import type { Surface } from '../../../../connectors/history/sql/search/surface.ts'
import type { Aggregations } from '../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import type { Search } from '../../../../schemas/intelligence/search/read-search.ts'
import { MAX_PAGE_DEPTH, PageTooDeep } from '../page-depth.ts'
import { type Source, sourceFilter } from './record-fields.ts'

/** Position of a page of results; `limit` 0: totals and aggregations alone. */
export type Paging = { sort: SearchOrder; limit: number; page: number }

/** A result as it is shown, and its place in the order. */
type ShownRow = SortedRow & { record: Record<string, unknown> }

/** A page that was found by an index, and how many results there are in all. */
export type FoundPage = { rows: readonly ShownRow[]; shown: number }

/** The searched records, and how a row becomes a result. */
export type Records<Row, About = never> = {
  surface: Surface
  show: (row: Row, about?: About) => Record<string, unknown>
  /** What is to be known of the rows of a page together; left out where there is nothing. */
  about?: (rows: readonly Row[]) => Promise<About>
  /** Where else they can be counted, more cheaply and as exactly; null where the records have to be read. */
  counted?: (clause: Clause, aggs: Aggregations) => AggregationScope | null
  /** A page of them that an index finds; null where there is none, the promise of null where it proves behind. */
  found?: (
    search: Omit<RecordSearch, 'surface'>,
    at: { limit: number; offset: number },
  ) => Promise<FoundPage | null> | null
}

export type SearchResult = {
  items: number
  pages: number
  results: (Record<string, unknown> & { sort: (string | number | null)[] })[]
  aggregations: Record<string, unknown>
}

type SortedRow = { id: string; sorted: string | number | null }

/**
 * An advanced search over the records of a surface (docs/use/search.md). A page past the last one is empty with the totals.
 * The queries over records run one after the other, so that a search is one thread of work. Throws PageTooDeep for pages beyond
 * MAX_PAGE_DEPTH records.
 */
export async function recordSearch<Row, About = never>(
  history: Pick<History, 'query'>,
  records: Records<Row, About>,
  search: Search,
  { sort, limit, page }: Paging,
): Promise<SearchResult> {
  const { surface, show } = records
  const recordSearch: RecordSearch = {
    surface,
    clause: search.clause,
    sort,
    after: search.after,
    collapse: search.collapse,
  }
  const keep = sourceFilter(search.source)
  const offset = (page - 1) * limit
  const result = (items: number, shown: number, rows: readonly ShownRow[], aggregations: object = {}) => ({
    items,
    pages: limit === 0 ? 0 : Math.ceil(shown / limit),
    results: rows.map(({ record, id, sorted }) => ({ ...keep(record), sort: [placeOf(sorted, sort), id] })),
    aggregations: { ...aggregations },
  })
  /** @param about what is asked of others of them, where it was asked before */
  const shownOf = async (rows: readonly (Row & SortedRow)[], about = records.about?.(rows)): Promise<ShownRow[]> => {
    const told = await about
    return rows.map((row) => ({ id: row.id, sorted: row.sorted, record: show(row, told) }))
  }
  const finding =
    limit > 0 && search.aggs.size === 0 ? (records.found?.(recordSearch, { limit, offset }) ?? null) : null
  const found = await finding
  if (found !== null) return result(found.shown, found.shown, found.rows)
  const exact = finding === null ? records : { surface, show }
  const pageOf = () => history.query<Row & SortedRow>(searchPage(recordSearch, limit, offset))
  const first = limit > 0 && offset === 0 && isPlain(search) ? await pageOf() : null
  if (first !== null && first.length < limit) return result(first.length, first.length, await shownOf(first))
  // What is asked of others about a first page, they are asked while it is counted.
  const about = first === null ? undefined : records.about?.(first)
  const [{ items, shown, aggregations }] = await Promise.all([
    countRecords(history, exact, recordSearch, search.aggs),
    about,
  ])
  const past = limit === 0 || offset >= shown
  if (!past && offset + limit > MAX_PAGE_DEPTH) throw new PageTooDeep()
  const rows = first ?? (past ? [] : await pageOf())
  return result(items, shown, await shownOf(rows, about), aggregations)
}

/** Whether a first page that is not full has all results, so that no count is needed. */
const isPlain = ({ aggs, after, collapse }: Search): boolean => aggs.size === 0 && after === null && collapse === null

/** Counts the matching records and the results that they make, and computes the requested aggregations. */
async function countRecords<Row, About>(
  history: Pick<History, 'query'>,
  { surface, show, counted }: Records<Row, About>,
  { clause, collapse }: RecordSearch,
  aggs: Aggregations,
): Promise<{ items: number; shown: number; aggregations: Record<string, unknown> }> {
  const records = { surface, query: clause }
  const scope = (collapse === null && counted?.(clause, aggs)) || records
  const totals = async () => {
    const asked = { surface: scope.surface, clause: scope.query, collapse }
    return (await history.query<SearchTotals>(searchTotals(asked)))[0]!
  }
  const ask = (query: Query) => history.query<Record<string, unknown>>(query)
  const of = (row: unknown, hits: Source) => sourceFilter(hits)(show(row as Row))
  const counts = aggs.size === 0 ? null : await aggregate(aggs, scope, ask, { of })
  if (counts !== null && collapse === null) return { ...counts, shown: counts.items }
  const { items, groups } = await totals()
  const shown = Number(collapse === null ? items : groups)
  return { items: Number(items), shown, aggregations: counts?.aggregations ?? {} }
}

/** Milliseconds arrive as text. */
const placeOf = (sorted: SortedRow['sorted'], { field }: SearchOrder): SortedRow['sorted'] =>
  field.kind === 'date' && sorted !== null ? Number(sorted) : sorted
