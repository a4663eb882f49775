import { BUILT_IN, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import type { Query } from '../../port.ts'
import { type Binder, binder } from '../search/binder.ts'
import { condition } from '../search/condition.ts'
import { entitySurface, type ViewReader } from '../search/entity-surface.ts'
import { orderBy } from '../search/order.ts'
import { isTagged, type TagSearch, tagSearch } from '../search/tagged/conjunction.ts'
import { isSeveralTagged, type TaggedScope, taggedScope } from '../search/tagged/surface.ts'
import { type RecordSearch, searchPage } from './search.ts'

/** Where the matches of a search can be counted by tag, as exactly as on the entities themselves (ADR 194); null: nowhere. */
export function countedByTag(reader: ViewReader, clause: Clause, rules: ScoringRules = BUILT_IN): TaggedScope | null {
  const search = tagSearch(clause)
  return search && taggedScope(reader, search, rules)
}

/** Places up to which a page is found by tag: the rows of all of them are read, which lie all over the table. */
const MAX_PLACES = 1_000

type Asked = Omit<RecordSearch, 'surface'>
type Places = { limit: number; offset: number }

/** A search whose first places are found by tag. */
export type PageByTag = { reader: ViewReader; search: Asked; at: Places; rules: ScoringRules; byTag: TagSearch }

/** null where the rows by tag do not know the matches or their order, behind a given place, and far back. */
export function pageSearch(reader: ViewReader, search: Asked, at: Places, rules = BUILT_IN): PageByTag | null {
  const { clause, sort, after, collapse } = search
  if (after !== null || collapse !== null || at.offset + at.limit > MAX_PLACES || !isTagged(sort.field)) return null
  const byTag = tagSearch(clause)
  return byTag && { reader, search, at, rules, byTag }
}

/** @property several '1' where some of the matches may stand in several audiences of the reader, which are to be folded */
export type MatchesRow = { matches: string; several: string }

/** How many entities match, each audience for itself. */
export function matchesByTag({ reader, rules, byTag }: PageByTag): Query {
  const { surface, query } = taggedScope(unfolded(reader), byTag, rules)
  const b = binder()
  const { source, readable } = surface.from(b)
  const several = reader.own.length === 0 ? 'toUInt64(0)' : isSeveralTagged(reader, byTag, b)
  const sql = `SELECT count() AS matches, ${several} AS several
    FROM ${source} WHERE ${readable} AND ${condition(query, surface, b)}`
  return { sql, params: b.params }
}

/** The page of them: their rows by tag find the entities, whose current rows decide and are shown. */
export function pageByTag({ reader, search, at, rules, byTag }: PageByTag): Query {
  const { surface, query } = taggedScope(unfolded(reader), byTag, rules)
  const keys = (b: Binder): string => {
    const { source, readable } = surface.from(b)
    return `(SELECT key FROM ${source} WHERE ${readable} AND ${condition(query, surface, b)}
      ORDER BY ${orderBy(search.sort, surface, b)} LIMIT ${b.bind(at.offset + at.limit, 'UInt32')})`
  }
  return searchPage({ ...search, surface: entitySurface(unfolded(reader), rules, keys) }, at.limit, at.offset)
}

export type FoldedRow = { keys: string[]; matches: string }

/**
 * Keys of the first matches, those in several audiences folded, and how many there are.
 * @param few one pass counts the matches, too; it keeps them in memory, some 50 bytes each, and ends after so many + 1.
 * null: a pass of its own counts them
 */
export function foldedByTag({ reader, search, at, rules, byTag }: PageByTag, few: number | null): Query {
  const { surface, query } = taggedScope(reader, byTag, rules)
  const b = binder()
  const { source, readable } = surface.from(b)
  const from = `FROM ${source} WHERE ${readable} AND ${condition(query, surface, b)}`
  const all = few === null ? from : `FROM (SELECT * ${from} LIMIT ${b.bind(few + 1, 'UInt32')})`
  const sql = `SELECT groupArray(key) AS keys, any(matches) AS matches FROM (
      SELECT key, ${few === null ? `ifNull((SELECT count() ${from}), 0)` : 'count() OVER ()'} AS matches ${all}
      ORDER BY ${orderBy(search.sort, surface, b)} LIMIT ${b.bind(at.offset + at.limit, 'UInt32')})`
  return { sql, params: b.params }
}

/** The page among the entities with these keys, folded. */
export function foldedPage({ reader, search, at, rules }: PageByTag, { keys }: FoldedRow): Query {
  const known = (b: Binder): string => b.bind(keys.map(BigInt), 'Array(UInt64)')
  return searchPage({ ...search, surface: entitySurface(reader, rules, known) }, at.limit, at.offset)
}

/** The same audiences, of which no entity is in two. */
const unfolded = ({ audiences }: ViewReader): ViewReader => ({ audiences, own: [] })
