import type { History } from '../../../../connectors/history/port.ts'
import { type EntityHit, entitySurface } from '../../../../connectors/history/sql/queries/entity-search.ts'
import { countedByTag, pageSearch } from '../../../../connectors/history/sql/queries/tagged-search.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Search } from '../../../../schemas/intelligence/search/read.ts'
import { type SimpleTerm, simpleClause } from '../../../../schemas/intelligence/search/simple.ts'
import { aroundQuery, type Covering, type Coverings } from '../entity/covering.ts'
import { entityRecord, viewOf } from '../entity/entity-record.ts'
import type { Reader } from '../readers.ts'
import { foundByTag } from './found-by-tag.ts'
import type { Source } from './record-fields.ts'
import { type Paging, recordSearch, type SearchResult } from './record-search.ts'

/** Advanced search of what a reader is shown of each entity today (docs/search.md). */
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
