import type { History } from '../../connectors/history/port.ts'
import {
  type HistoryRow,
  type SimpleSearch,
  type Sort,
  simpleCount,
  simplePage,
} from '../../connectors/history/queries/history.ts'
import { searchForms } from '../../schemas/ingest/search-forms.ts'
import { tokens } from '../../schemas/terms.ts'
import type { Reader } from './readers.ts'
import { type Source, sourceFilter } from './record-fields.ts'

/** How far pages reach: beyond it the sort of one page would hold every record before it in memory. */
export const MAX_REACH = 1_000_000

export type SimpleQuestion = {
  query: string
  accuracy: number | null
  reputation: number | null
  source: Source
  sort: Sort
  limit: number
  page: number
}

export type Page = { items: number; pages: number; results: object[]; aggregations: null }

export class ReachExceeded extends Error {}

const ENTITY_ID = /^([a-z0-9-]+)-([0-9a-f]{64})$/

/**
 * Simple history search (specification 4.2, decisions 5.4): records whose main value, entity id or attribute value is
 * the query in its normal form, or that have every word of it as a word of a text value.
 */
export function historySearch(history: Pick<History, 'query'>) {
  return {
    /** A page past the last one is empty with the totals. Throws ReachExceeded for pages beyond MAX_REACH records. */
    async simple(reader: Reader, q: SimpleQuestion): Promise<Page> {
      const search = searchOf(reader, q)
      const offset = (q.page - 1) * q.limit
      const [[count], first] = await Promise.all([
        history.query<{ items: string }>(simpleCount(search)),
        offset === 0 ? pageOf(search, q, 0) : null,
      ])
      const items = Number(count!.items)
      const past = q.limit === 0 || offset >= items
      if (!past && offset + q.limit > MAX_REACH)
        throw new ReachExceeded(`only the first ${MAX_REACH} records can be paged`)
      const rows = first ?? (past ? [] : await pageOf(search, q, offset))
      const keep = sourceFilter(q.source)
      const byTime = 'column' in q.sort.by && q.sort.by.column === 'time'
      return {
        items,
        pages: q.limit === 0 ? 0 : Math.ceil(items / q.limit),
        results: rows.map((row) => ({
          ...keep(recordOf(row, reader)),
          sort: [byTime ? Number(row.time) : row.sorted, row.id],
        })),
        aggregations: null,
      }
    },
  }

  function pageOf(search: SimpleSearch, q: SimpleQuestion, offset: number): Promise<HistoryRow[]> {
    return q.limit === 0 ? Promise.resolve([]) : history.query<HistoryRow>(simplePage(search, q.sort, q.limit, offset))
  }
}

export type HistorySearch = ReturnType<typeof historySearch>

function searchOf(reader: Reader, q: SimpleQuestion): SimpleSearch {
  const words = tokens(q.query)
  const id = ENTITY_ID.exec(q.query.trim().toLowerCase())
  return {
    audiences: reader.audiences,
    anyOf: searchForms(q.query),
    // A single word is among the forms already, unless it carried punctuation of its own.
    allOf: /\s/.test(q.query.trim()) ? words : [],
    entity: id === null ? null : { type: id[1]!, digest: id[2]! },
    accuracy: q.accuracy,
    reputation: q.reputation,
  }
}

/** The history record of specification 2.6 and decisions 5.6. */
function recordOf(row: HistoryRow, reader: Reader): Record<string, unknown> {
  const time = new Date(Number(row.time)).toISOString()
  return {
    id: row.id,
    entityID: row.entity_id,
    type: row.type,
    userID: row.user_id,
    attributes: { [row.type]: row.value, ...row.attributes },
    reputation: row.reputation,
    accuracy: row.accuracy,
    tags: row.tags,
    visibleBy: reader.visibleBy(BigInt(row.audience)),
    wellKnown: row.well_known === 1,
    '@timestamp': time,
    lastSeen: time,
  }
}
