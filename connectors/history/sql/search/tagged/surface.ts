import type { ScoringRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { Clause } from '../../../../../schemas/intelligence/search/clause.ts'
import type { Binder } from '../binder.ts'
import { ID, readable, severalOf, type ViewReader } from '../entity-surface.ts'
import { foldedRows } from '../fold.ts'
import type { Surface } from '../surface.ts'
import type { TagSearch } from './conjunction.ts'

/** A search of entities over their rows by tag. */
export type TaggedScope = { surface: Surface; query: Clause }

const COLUMNS = 'key, digest, type, reputation, accuracy, first_seen, last_seen'

/**
 * Entities with one of the tags, one row each, as one reader is shown them (ADR 194). Their rows by tag say it of those
 * that stand in one audience of the reader. The few in several are folded, from their current rows.
 */
export const taggedScope = (reader: ViewReader, search: TagSearch, rules: ScoringRules): TaggedScope => ({
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
export const severalTagged = (reader: ViewReader, { tags }: TagSearch, b: Binder): string =>
  `(SELECT key FROM tagged WHERE ${named(reader, tags, b)} AND key IN ${severalOf(reader, readable(reader, b), b)})`

/**
 * Whether there is one of these, 0 or 1. The rows by tag of entities in the own audiences lead to them, as there are none
 * nearly always.
 */
export const isSeveralTagged = (reader: ViewReader, { tags }: TagSearch, b: Binder): string => {
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
