import { BUILT_IN, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Clause, Field } from '../../../../schemas/intelligence/search/clause.ts'
import type { Query } from '../../port.ts'
import { type Binder, binder } from '../search/binder.ts'
import { condition } from '../search/condition.ts'
import { ID, readable, severalOf, type ViewReader } from '../search/entity-surface.ts'
import { foldedRows } from '../search/fold.ts'
import { orderBy } from '../search/order.ts'
import type { Surface } from '../search/surface.ts'
import type { RecordSearch } from './search-queries.ts'

/** What a search by tag asks: entities with one of these tags that meet the rest. */
type TagSearch = { tags: readonly string[]; rest: readonly Clause[] }

/** Fields of which the rows by tag say what the rows of the entities say (migration 0006). */
const FIELDS = ['type', 'entityID', 'id', 'reputation', 'accuracy', '@timestamp', 'lastSeen']

/** Whether the rows by tag have the field. */
const isTagged = ({ name }: Field): boolean => FIELDS.includes(name)

/**
 * The clause as a search by tag (docs/use/search-reference.md, Clauses): it holds for no entity without one of the tags, and asks of the
 * others for fields of the rows by tag alone. null where it is no such search.
 */
export function tagSearch(clause: Clause): TagSearch | null {
  const all = conjunction(clause)
  const [of, ...more] = all.filter(namesTags)
  if (of === undefined || more.length > 0) return null
  const rest = all.filter((each) => each !== of)
  return rest.every(isTested) ? { tags: of.values.map(String), rest } : null
}

/** Clauses that hold together exactly where the one does. */
function conjunction(clause: Clause): Clause[] {
  if (clause.is !== 'bool') return clause.is === 'all' ? [] : [clause]
  const { must, mustNot, should, atLeast } = clause
  const left: Clause = { is: 'bool', must: [], mustNot, should, atLeast }
  const only = should.length === 1 && atLeast === 1 ? should : []
  const others: Clause[] = only.length === 1 ? [{ ...left, should: [], atLeast: 0 }] : [left]
  const empty = mustNot.length === 0 && (atLeast < 1 || only.length === 1)
  return [...[...must, ...only].flatMap(conjunction), ...(empty ? [] : others)]
}

const namesTags = (clause: Clause): clause is Extract<Clause, { is: 'equals' }> =>
  clause.is === 'equals' && clause.field.name === 'tags' && !clause.caseless && clause.values.some((tag) => tag !== '')

/** Whether the clause asks for fields of the rows by tag alone. */
function isTested(clause: Clause): boolean {
  if (clause.is === 'all' || clause.is === 'none') return true
  if (clause.is === 'bool') return [clause.must, clause.mustNot, clause.should].every((list) => list.every(isTested))
  return isTagged(clause.field)
}

/** A search of entities over their rows by tag. */
type TaggedScope = { surface: Surface; query: Clause }

const COLUMNS = 'key, digest, type, reputation, accuracy, first_seen, last_seen'

/**
 * Entities with one of the tags, one row each, as one reader is shown them (ADR 266). Their rows by tag say it of those
 * that stand in one audience of the reader. The few in several are folded, from their current rows.
 */
const taggedScope = (reader: ViewReader, search: TagSearch, rules: ScoringRules): TaggedScope => ({
  query: { is: 'bool', must: search.rest, mustNot: [], should: [], atLeast: 0 },
  surface: {
    from: (b: Binder) => ({ source: `(${shown(reader, search, rules, b)})`, readable: '1' }),
    columns: {
      ...NONE,
      id: ID,
      entityID: ID,
      type: 'type',
      '@timestamp': 'first_seen',
      lastSeen: 'last_seen',
      reputation: 'reputation',
      accuracy: 'accuracy',
    },
    record: 'key',
  },
})

const named = ({ audiences }: ViewReader, tags: readonly string[], b: Binder): string =>
  `audience IN ${b.bind(audiences, 'Array(UInt64)')} AND tag IN ${b.bind([...new Set(tags)], 'Array(String)')}`

/** Keys of entities with one of the tags that stand in several audiences of the reader, in brackets. */
const severalTagged = (reader: ViewReader, { tags }: TagSearch, b: Binder): string =>
  `(SELECT key FROM tagged WHERE ${named(reader, tags, b)} AND key IN ${severalOf(reader, readable(reader, b), b)})`

/**
 * Whether there is one of these, 0 or 1. The rows by tag of entities in the own audiences lead to them, as there are none
 * nearly always.
 */
const isSeveralTagged = (reader: ViewReader, { tags }: TagSearch, b: Binder): string => {
  const own = `(SELECT digest FROM entities WHERE audience IN ${b.bind(reader.own, 'Array(UInt64)')})`
  const tagged = `(SELECT key FROM tagged WHERE ${named(reader, tags, b)} AND digest IN ${own})`
  return `ifNull((SELECT count() FROM (SELECT 1 FROM ${severalOf(reader, readable(reader, b), b, tagged)} LIMIT 1)), 0)`
}

function shown(reader: ViewReader, search: TagSearch, rules: ScoringRules, b: Binder): string {
  // A row has as many rows by tag as it has of the tags, which say the same.
  const once = new Set(search.tags).size === 1 ? '' : ' LIMIT 1 BY digest, type'
  const rows = `SELECT ${COLUMNS} FROM tagged FINAL WHERE ${named(reader, search.tags, b)} AND lost = 0`
  if (reader.own.length === 0) return rows + once
  const mine = readable(reader, b)
  const several = severalOf(reader, mine, b)
  const folds = foldedRows(`WHERE ${mine} AND key IN ${severalTagged(reader, search, b)}`, rules, b)
  return `${rows} AND key NOT IN ${several}${once}
    UNION ALL SELECT ${COLUMNS} FROM (${folds}) WHERE hasAny(tags, ${b.bind(search.tags, 'Array(String)')})`
}

/** Reading a search by tag never makes a field of these. */
const NONE = {
  value: "''",
  userID: "''",
  attributes: 'map()',
  tags: 'emptyArrayString()',
  bestReputation: '0',
  worstReputation: '0',
  wellKnown: '0',
  covered: '0',
  country: "''",
  asn: "''",
  aso: "''",
} as const

/** Where the matches of a search can be counted by tag, as exactly as on the entities themselves (ADR 266); null: nowhere. */
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

/** Matches and page are read side by side: with two threads each, FINAL alone costs half as much again. */
const BESIDE = 'max_threads = 1'

/** @property several '1' where some of the matches may stand in several audiences of the reader, which are to be folded */
export type MatchesRow = { matches: string; several: string }

/** How many entities match, each audience for itself. */
export function matchesByTag({ reader, rules, byTag }: PageByTag): Query {
  const { surface, query } = taggedScope(unfolded(reader), byTag, rules)
  const b = binder()
  const { source, readable } = surface.from(b)
  const several = reader.own.length === 0 ? 'toUInt64(0)' : isSeveralTagged(reader, byTag, b)
  const sql = `SELECT count() AS matches, ${several} AS several
    FROM ${source} WHERE ${readable} AND ${condition(query, surface, b)}
    SETTINGS optimize_use_projections = 0, ${BESIDE}`
  return { sql, params: b.params }
}

/** An entity that its rows by tag find, and what they say of it. Times are unix milliseconds. */
export type PlaceRow = { id: string; reputation: number; accuracy: number; first: string; last: string }

const PLACE = `${ID} AS id, reputation, accuracy,
  toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last`

/** The page of them, in its order. */
export function placesByTag({ reader, search, at, rules, byTag }: PageByTag): Query {
  const { surface, query } = taggedScope(unfolded(reader), byTag, rules)
  const b = binder()
  const { source, readable } = surface.from(b)
  const sql = `SELECT ${PLACE} FROM ${source} WHERE ${readable} AND ${condition(query, surface, b)}
    ORDER BY ${orderBy(search.sort, surface, b)}
    LIMIT ${b.bind(at.limit, 'UInt32')} OFFSET ${b.bind(at.offset, 'UInt32')}
    SETTINGS optimize_use_projections = 0, ${BESIDE}`
  return { sql, params: b.params }
}

/** @property matches how many there are in all, in each row */
export type FoldedRow = PlaceRow & { matches: string }

/**
 * The first matches, up to the end of the page, those in several audiences folded; no row without a match.
 * @param few one pass counts the matches, too; it keeps them in memory, some 50 bytes each, and ends after so many + 1.
 * null: a pass of its own counts them
 */
export function foldedByTag({ reader, search, at, rules, byTag }: PageByTag, few: number | null): Query {
  const { surface, query } = taggedScope(reader, byTag, rules)
  const b = binder()
  const { source, readable } = surface.from(b)
  const from = `FROM ${source} WHERE ${readable} AND ${condition(query, surface, b)}`
  const all = few === null ? from : `FROM (SELECT * ${from} LIMIT ${b.bind(few + 1, 'UInt32')})`
  const matches = few === null ? `ifNull((SELECT count() ${from}), 0)` : 'count() OVER ()'
  const sql = `SELECT ${PLACE}, ${matches} AS matches ${all}
    ORDER BY ${orderBy(search.sort, surface, b)} LIMIT ${b.bind(at.offset + at.limit, 'UInt32')}`
  return { sql, params: b.params }
}

/** The same audiences, of which no entity is in two. */
const unfolded = ({ audiences }: ViewReader): ViewReader => ({ audiences, own: [] })
