import { BUILT_IN, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import type { Query } from '../../port.ts'
import type { Binder } from '../search/binder.ts'
import { condition } from '../search/condition.ts'
import { entitySurface, type ViewReader } from '../search/entity-surface.ts'
import { orderBy, type SearchOrder } from '../search/order.ts'
import { isTagged, tagSearch } from '../search/tagged/conjunction.ts'
import { type TaggedScope, taggedScope } from '../search/tagged/surface.ts'
import { type RecordSearch, searchPage } from './search.ts'

/** Where the matches of a search can be counted by tag, as exactly as on the entities themselves (ADR 194); null: nowhere. */
export function countedByTag(reader: ViewReader, clause: Clause): TaggedScope | null {
  const search = tagSearch(clause, reader.own.length > 0)
  return search && taggedScope(reader, search)
}

/** Places up to which a page is found by tag: the rows of all of them are read, which lie all over the table. */
const MAX_PLACES = 1_000

/**
 * One page of entities, whose keys are found by their rows by tag; the current rows of the entities decide, and are shown.
 * null where the page has to be found on the entities: of a reader with several audiences, since times and scores of an
 * entity in two of them are in no row; in the order of a field that the rows by tag lack; and far back.
 */
export function pageByTag(
  reader: ViewReader,
  { clause, sort, after, collapse }: Omit<RecordSearch, 'surface'>,
  { limit, offset }: { limit: number; offset: number },
  rules: ScoringRules = BUILT_IN,
): Query | null {
  const alone = reader.own.length === 0 && reader.audiences.length === 1
  if (!alone || after !== null || collapse !== null || offset + limit > MAX_PLACES || !isTagged(sort.field, false))
    return null
  const scope = countedByTag(reader, clause)
  if (scope === null) return null
  const surface = entitySurface(reader, rules, (b) => firstKeys(scope, sort, offset + limit, b))
  return searchPage({ surface, clause, sort, after, collapse }, limit, offset)
}

/** Keys of the first matches in the order. */
function firstKeys({ surface, query }: TaggedScope, sort: SearchOrder, places: number, b: Binder): string {
  const { source, readable } = surface.from(b)
  return `SELECT key FROM ${source} WHERE ${readable} AND ${condition(query, surface, b)}
    ORDER BY ${orderBy(sort, surface, b)} LIMIT ${b.bind(places, 'UInt32')}`
}
