import type { Binder } from './binder.ts'

/** Where records come from: the table of kept reports, or what a reader is shown of each entity. */
export type Surface = {
  /** FROM and WHERE of the records that the reader may read, without the words; the predicate is never empty. */
  from(b: Binder): { source: string; readable: string }
  /** Expressions over that source. `id` and `entityID` are String, times DateTime64(3), tags Array(String). */
  columns: Readonly<
    Record<
      | 'id'
      | 'entityID'
      | 'type'
      | 'value'
      | 'userID'
      | 'attributes'
      | 'tags'
      | '@timestamp'
      | 'lastSeen'
      | 'reputation',
      string
    > &
      Record<
        'accuracy' | 'bestReputation' | 'worstReputation' | 'wellKnown' | 'covered' | 'country' | 'asn' | 'aso',
        string
      >
  >
  /** The types that main values are of; null, or left out: any. An attribute of another name is none of them. */
  types?: ReadonlySet<string> | null
  /** What two entities differ in, cheaper than their ids; left out where it is the ids. */
  entity?: string
  /** What breaks ties, where it is not `id` as text: a column that the table is in the order of, and its type. */
  tie?: { column: string; type: string }
  /**
   * Where a row stands for many records: how many, and the sums of their numbers. Fields are then those that the rows
   * were made by, and no other (ADR 266).
   */
  sums?: Readonly<Record<'records' | 'reputation' | 'accuracy', string>>
  /** The columns of an answer: what follows SELECT for the record itself. */
  record: string
  /**
   * What an index can say before a clause is looked at; each is true of every record that the clause holds for, and may
   * be true of others. Left out where there is no index.
   */
  narrow?: {
    /** Records with one or all of these terms (schemas/intelligence/state/terms.ts), `CUT` among them. */
    terms?: (terms: readonly string[], how: 'any' | 'all', b: Binder) => string
    ids?: (ids: readonly string[], b: Binder) => string
    entityIDs?: (ids: readonly string[], b: Binder) => string
    /** Exactly the records with one of these tags. */
    tags?: (tags: readonly string[], b: Binder) => string
    /** Records that have, or had, one of these tags; all records where those are many. */
    tagged?: (tags: readonly string[], b: Binder) => string
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ENTITY_ID = /^.+-([0-9a-f]{64})$/s

/** @param types of the main values of all records, where they are known: main values of no other are read */
export const historySurface = (audiences: readonly bigint[], types: ReadonlySet<string> | null = null): Surface => ({
  types,
  from: (b) => ({ source: 'history', readable: `audience IN ${b.bind(audiences, 'Array(UInt64)')}` }),
  columns: {
    id: 'toString(id)',
    entityID: 'entity_id',
    type: 'type',
    value: 'value',
    userID: 'user_id',
    attributes: 'attributes',
    tags: 'tags',
    '@timestamp': 'ts',
    lastSeen: 'ts',
    reputation: 'reputation',
    accuracy: 'accuracy',
    // Of current entities only: reading a search of history never makes a field of these.
    bestReputation: 'reputation',
    worstReputation: 'reputation',
    country: "''",
    asn: "''",
    aso: "''",
    covered: '0',
    wellKnown: 'well_known',
  },
  entity: '(type, digest)',
  tie: { column: 'id', type: 'UUID' },
  record: `id, type, value, user_id, source, attributes, reputation, accuracy, tags, audience, well_known,
    toUnixTimestamp64Milli(ts) AS time`,
  narrow: {
    terms: (terms, how, b) => `has${how === 'any' ? 'Any' : 'All'}(terms, ${b.bind(terms, 'Array(String)')})`,
    tags: (tags, b) => `hasAny(tags, ${b.bind(tags, 'Array(String)')})`,
    ids: (ids, b) =>
      `id IN ${b.bind(
        ids.filter((id) => UUID.test(id)),
        'Array(UUID)',
      )}`,
    entityIDs: (ids, b) => {
      const digests = ids.flatMap((id) => ENTITY_ID.exec(id)?.[1] ?? [])
      return `has(arrayMap(d -> toFixedString(unhex(d), 32), ${b.bind(digests, 'Array(String)')}), digest)`
    },
  },
})
