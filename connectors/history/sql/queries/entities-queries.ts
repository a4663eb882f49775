import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState, HeldVerdict } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Query } from '../../port.ts'
import { amongst, BY_KEY_ALONE, readable } from './entity-keys.ts'

/** A row of `entities` as the store gives it: 64-bit integers as text, times as unix milliseconds. */
export type EntityRow = {
  entity_id: string
  type: string
  value: string
  audience: string
  partition: number
  version: string
  reputation: number
  accuracy: number
  best: number
  worst: number
  sources: number
  /** `MARK` bits. */
  well_known: number
  /** 3 or -3; 0: none. */
  verdict: number
  decided: string
  until: string
  tags: string[]
  lost_tags: string[]
  attributes: Record<string, string>
  attribute_times: Record<string, string>
  country: string
  asn: number
  aso: string
  first: string
  last: string
  scored: string
  /** When it is due; 0 for never. */
  next: string
  'claims.source': string[]
  'claims.kind': SourceKind[]
  'claims.trust': number[]
  'claims.reputation': (number | null)[]
  'claims.claimed_at': string[]
  'claims.at': string[]
  'claims.kept_at': string[]
  'claims.kept_hash': string[]
  'claims.first_seen': string[]
}

export const COLUMNS = `entity_id, type, value, audience, partition, version, reputation, accuracy, best, worst, sources,
  well_known, verdict, toUnixTimestamp64Milli(verdict_at) AS decided, toUnixTimestamp64Milli(verdict_until) AS until,
  tags, lost_tags, attributes, attribute_times, country, asn, aso,
  toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last,
  toUnixTimestamp64Milli(scored_at) AS scored, toUnixTimestamp64Milli(due) AS next,
  claims.source, claims.kind, claims.trust, claims.reputation, claims.claimed_at, claims.at, claims.kept_at,
  claims.kept_hash, claims.first_seen`

/**
 * Every audience's row of the entities with these keys (first 8 bytes of the digest; at least one), outdated versions
 * among them: `currentRows` keeps the last. Cheaper than FINAL, which would merge whole granules to answer for a few.
 * Keys stand in the text: they are numbers by type, and 50,000 of them do not fit into bound parameters.
 */
export const rowsByKey = (keys: readonly bigint[] | Buffer): Query => ({
  sql: `SELECT ${COLUMNS} FROM entities PREWHERE ${amongst(keys)}`,
  params: {},
})

/** The same as `rowsByKey` in the audiences of one reader; with `maxBytes`, an error (396) past so many of them. */
export const readableRowsByKey = (
  keys: readonly bigint[] | Buffer,
  audiences: readonly bigint[],
  maxBytes?: number,
): Query => readable(COLUMNS, keys, audiences, maxBytes === undefined ? {} : { always: [atMost(maxBytes)] })

const atMost = (bytes: number): string => `max_result_bytes = ${bytes}`

/**
 * What the feed of recent entities shows of a row; a third of its columns, and of the time to read them. Its id follows from
 * type and value, so the digest is not read.
 */
export type RecentRow = Pick<
  EntityRow,
  'type' | 'value' | 'audience' | 'version' | 'reputation' | 'accuracy' | 'well_known' | 'tags' | 'first' | 'last'
>

/** The same rows as `readableRowsByKey`, as far as the feed shows them. */
export const recentRows = (keys: readonly bigint[], audiences: readonly bigint[]): Query => ({
  sql: `SELECT type, value, audience, version, reputation, accuracy, well_known, tags,
      toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last
    FROM entities PREWHERE ${amongst(keys)}
    WHERE audience IN {audiences:Array(UInt64)}
    ${BY_KEY_ALONE}`,
  params: { audiences },
})

/** What a record of an entity shows of a row: all but its claims and what stands in the place of attributes. */
export type ShownRow = LookedUpRow & Pick<EntityRow, 'entity_id'>

/** The same without its id, which follows from its value. */
export type LookedUpRow = RecentRow & Pick<EntityRow, 'best' | 'worst' | 'well_known' | 'attributes'>

const SHOWN = `type, value, audience, version, reputation, accuracy, best, worst, well_known, tags, attributes,
      toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last`

/**
 * What is read at once, in bytes, by what the average row takes. Thousands of keys lie in every granule: in blocks of 1 MB,
 * as the store reads by itself, few rows of each are left, and each is filtered and written on its own (ADR 266).
 */
const READ_AT_ONCE = 16 * 1024 * 1024
export const MANY_AT_ONCE = `preferred_block_size_bytes = ${READ_AT_ONCE}`

/**
 * The same rows as `readableRowsByKey`, as far as a record shows them; an error (396) past `maxBytes` of them. Without the
 * digest, which nothing compresses: the caller tells rows by their value.
 */
export const shownRows = (keys: readonly bigint[] | Buffer, audiences: readonly bigint[], maxBytes: number): Query =>
  readable(SHOWN, keys, audiences, {
    always: [atMost(maxBytes)],
    many: [MANY_AT_ONCE],
  })

/** The row with the id of its entity, which follows from type and value. */
export const withId = <Row extends Pick<EntityRow, 'type' | 'value'>>(row: Row): Row & { entity_id: string } => ({
  ...row,
  entity_id: entityId(row.type, row.value),
})

/** @property distinct names every entity once, and reads on past one that is seen again and again */
export type RecentQuestion = { audiences: readonly bigint[]; since: number; maliciousOnly: boolean; distinct: boolean }

export type RecentKeyRow = { key: string; last: string }

/**
 * Keys of entities that were seen lately, newest first (ADR 265). Rows may be outdated: the caller reads the current rows of
 * these keys and judges them again. Without `distinct` the query ends with the first blocks of rows.
 */
export const recentKeys = (q: RecentQuestion, limit: number): Query => ({
  sql: `SELECT key, toUnixTimestamp64Milli(last_seen) AS last FROM recency
    WHERE audience IN {audiences:Array(UInt64)} AND last_seen >= fromUnixTimestamp64Milli({since:Int64})
      ${q.maliciousOnly ? 'AND reputation < 0' : ''}
    ORDER BY last_seen DESC ${q.distinct ? 'LIMIT 1 BY key' : ''} LIMIT {limit:UInt32}`,
  params: { audiences: q.audiences, since: q.since, limit },
})

/** Of each (entity, audience) the row with the highest version. */
export const currentRows = (rows: readonly EntityRow[]): EntityState[] => latestRows(rows).map(stateOf)

/** The same, of rows as they are. */
export function latestRows<Row extends Pick<EntityRow, 'entity_id' | 'audience' | 'version'>>(
  rows: readonly Row[],
): Row[] {
  const current = new Map<string, Row>()
  for (const row of rows) {
    const id = `${row.entity_id} ${row.audience}`
    const known = current.get(id)
    if (known === undefined || Number(row.version) > Number(known.version)) current.set(id, row)
  }
  return [...current.values()]
}

/** What the column `well_known` is made of: 1 was all of it before there were others, and means the same. */
export const MARK = { own: 1, covered: 2, covers: 4, retracted: 8, cleared: 16, met: 32 } as const

type Marks = Pick<EntityState, 'wellKnown' | 'covered' | 'covers' | 'cleared' | 'retracted' | 'met'>

/** The marks that a stored row carries. */
export const marksIn = (bits: number): Marks => ({
  wellKnown: (bits & MARK.own) !== 0,
  covered: (bits & MARK.covered) !== 0,
  covers: (bits & MARK.covers) !== 0,
  cleared: (bits & MARK.cleared) !== 0,
  retracted: (bits & MARK.retracted) !== 0,
  met: (bits & MARK.met) !== 0,
})

export const marksOf = (row: Marks): number =>
  (row.wellKnown ? MARK.own : 0) |
  (row.covered ? MARK.covered : 0) |
  (row.covers ? MARK.covers : 0) |
  (row.cleared ? MARK.cleared : 0) |
  (row.retracted ? MARK.retracted : 0) |
  (row.met ? MARK.met : 0)

/** The verdict that a stored row carries. */
export const verdictOf = (row: Pick<EntityRow, 'verdict' | 'decided' | 'until'>): HeldVerdict | null =>
  row.verdict === 0 ? null : { reputation: row.verdict, at: Number(row.decided), until: Number(row.until) }

/** Rows that readers are shown among others: those of which something counts (ADR 270). */
export const IN_VIEWS = `bitAnd(well_known, ${MARK.retracted}) = 0`

/** Those and rows that say when a match saw the entity: what the fold of several follows from (ADR 219). */
export const IN_FOLDS = `(${IN_VIEWS} OR bitAnd(well_known, ${MARK.met}) != 0)`

type Marked = Pick<EntityRow, 'well_known'>

/** The same of a row as it is. */
export const isInViews = ({ well_known }: Marked): boolean => (well_known & MARK.retracted) === 0
export const isInFolds = (row: Marked): boolean => isInViews(row) || (row.well_known & MARK.met) !== 0

/** The stored row as the rules know it. */
export function stateOf(row: EntityRow): EntityState {
  return {
    entityId: row.entity_id,
    type: row.type,
    value: row.value,
    audience: BigInt(row.audience),
    partition: row.partition,
    version: Number(row.version),
    reputation: row.reputation,
    accuracy: row.accuracy,
    best: row.best,
    worst: row.worst,
    sources: row.sources,
    ...marksIn(row.well_known),
    verdict: verdictOf(row),
    tags: row.tags,
    lostTags: row.lost_tags,
    attributes: row.attributes,
    attributeTimes: Object.fromEntries(Object.entries(row.attribute_times).map(([k, v]) => [k, Number(v)])),
    country: row.country,
    asn: row.asn,
    aso: row.aso,
    firstSeen: Number(row.first),
    lastSeen: Number(row.last),
    scoredAt: Number(row.scored),
    due: Number(row.next),
    claims: row['claims.source'].map((source, i) => ({
      source,
      kind: row['claims.kind'][i]!,
      trust: row['claims.trust'][i]!,
      reputation: row['claims.reputation'][i]!,
      claimedAt: Number(row['claims.claimed_at'][i]),
      at: Number(row['claims.at'][i]),
      keptAt: Number(row['claims.kept_at'][i]),
      keptHash: BigInt(row['claims.kept_hash'][i]!),
      firstSeen: Number(row['claims.first_seen'][i]),
    })),
  }
}
