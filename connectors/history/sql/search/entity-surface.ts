import { BUILT_IN, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import { IN_VIEWS } from '../queries/entities-queries.ts'
import type { Binder } from './binder.ts'
import { foldedRows } from './fold.ts'
import type { Surface } from './surface.ts'

/** The reader of the view: `own` are its audiences other than public. */
export type ViewReader = { audiences: readonly bigint[]; own: readonly bigint[] }

const SHOWN = `key, digest, type, value, reputation, accuracy, best, worst, well_known, tags, attributes,
  country, asn, aso, first_seen, last_seen`
/** The id of an entity as text, of its columns `type` and `digest`. */
export const ID = "concat(type, '-', lower(hex(digest)))"
const ENTITY_ID = /^.+-[0-9a-f]{64}$/s

/**
 * Entities as one reader is shown them: what stands in one of its audiences as it is, what stands in several folded.
 * Private rows are few, and lead to the keys that are looked at again: as `overlappingRows`.
 *
 * No index knows the words of current entities. Whatever an entity carries today was stated in a report that this reader
 * may read too, so the terms of history name candidates, whose views decide (ADR 272). Rows by tag do the same (ADR 266).
 */
export const entitySurface = (reader: ViewReader, rules: ScoringRules = BUILT_IN): Surface => ({
  from: (b) => ({ source: `(${currentViews(reader, rules, b)})`, readable: '1' }),
  columns: {
    id: ID,
    entityID: ID,
    type: 'type',
    value: 'value',
    // Of history records only: reading a search of entities never makes a field of this.
    userID: 'value',
    attributes: 'attributes',
    tags: 'tags',
    '@timestamp': 'first_seen',
    lastSeen: 'last_seen',
    reputation: 'reputation',
    accuracy: 'accuracy',
    bestReputation: 'best',
    worstReputation: 'worst',
    country: 'country',
    asn: "if(asn = 0, '', toString(asn))",
    aso: 'aso',
    wellKnown: 'bitAnd(well_known, 1)',
    covered: 'bitTest(well_known, 1)',
  },
  record: `${ID} AS id, id AS entity_id, type, value, reputation, accuracy, best, worst, well_known, tags, attributes,
    toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last`,
  narrow: {
    terms: (terms, how, b) => `key IN (SELECT reinterpretAsUInt64(reverse(substring(digest, 1, 8))) FROM history
      WHERE ${readable(reader, b)} AND has${how === 'any' ? 'Any' : 'All'}(terms, ${b.bind(terms, 'Array(String)')}))`,
    ids: keysOf,
    entityIDs: keysOf,
    tagged: (tags, b) => taggedKeys(reader, tags, b),
  },
})

/** Entities that have one of the tags and are worth finding first; of a tag of more, rows lie in every granule anyway. */
const MAX_TAGGED = 50_000

function taggedKeys(reader: ViewReader, tags: readonly string[], b: Binder): string {
  const rowsByTag = (what: string): string => `SELECT ${what} FROM tagged
      WHERE ${readable(reader, b)} AND tag IN ${b.bind(tags, 'Array(String)')} LIMIT ${MAX_TAGGED + 1}`
  return `((SELECT count() FROM (${rowsByTag('1')})) > ${MAX_TAGGED} OR key IN (${rowsByTag('key')}))`
}

const keysOf = (ids: readonly string[], b: Binder): string => {
  const keys = [...new Set(ids.filter((id) => ENTITY_ID.test(id)).map(entityKey))]
  return `key IN ${b.bind(keys, 'Array(UInt64)')}`
}

/** Rows of the audiences of the reader. */
export const readable = ({ audiences }: ViewReader, b: Binder): string =>
  `audience IN ${b.bind(audiences, 'Array(UInt64)')}`

/**
 * Keys of which several rows may be read, in brackets: entities whose rows are folded. The few rows of the own audiences
 * lead to them.
 * @param mine rows that may be read, or a part of them
 * @param among keys, in brackets, beside which there are none
 */
export const severalOf = ({ own }: ViewReader, mine: string, b: Binder, among = keysIn(own, b)): string =>
  `(SELECT key FROM entities WHERE ${mine} AND key IN ${among} GROUP BY key HAVING uniqExact(audience) > 1)`

const keysIn = (own: readonly bigint[], b: Binder): string =>
  `(SELECT key FROM entities WHERE audience IN ${b.bind(own, 'Array(UInt64)')})`

function currentViews(reader: ViewReader, rules: ScoringRules, b: Binder): string {
  const mine = readable(reader, b)
  if (reader.own.length === 0) return `SELECT ${SHOWN} FROM entities FINAL WHERE ${mine} AND ${IN_VIEWS}`
  const several = severalOf(reader, mine, b)
  return `SELECT ${SHOWN} FROM entities FINAL WHERE ${mine} AND ${IN_VIEWS} AND key NOT IN ${several}
    UNION ALL SELECT ${SHOWN} FROM (${foldedRows(`WHERE ${mine} AND key IN ${several}`, rules, b)})`
}
