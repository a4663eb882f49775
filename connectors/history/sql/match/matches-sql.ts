import type { Query } from '../../port.ts'

/** A match as the store gives it; times are unix milliseconds as text, 0 for none. */
export type MatchRow = {
  entity_id: string
  uuid: string
  direction: string
  summary: number
  groups: string[]
  at_ms: string
  matched: string
  event_id: string
  event_ms: string
  last_ms: string
  count: string
  kind: string
  host: string
  user: string
  field: string
  value: string
  refs: string[]
  type: string
  entity_value: string
  reputation: number
  accuracy: number
  tags: string[]
}

const COLUMNS = `entity_id, toString(id) AS uuid, direction, summary, groups, toUnixTimestamp64Milli(at) AS at_ms,
  toUnixTimestamp64Milli(matched_at) AS matched, event_id, toUnixTimestamp64Milli(event_at) AS event_ms,
  toUnixTimestamp64Milli(last_at) AS last_ms, count, kind, host, user, field, value, refs, type, entity_value,
  reputation, accuracy, tags`

/** A page of the matches of an owner, newest first: their ids. */
export type PageRow = { uuid: string; entity_id: string; told: string }

type PageQuestion = {
  owner: string
  groups: readonly string[]
  since: number | null
  direction: string | null
  entityId: string | null
  after: { matchedAt: number; id: string } | null
  limit: number
}

export function matchPage({ owner, groups, since, direction, entityId, after, limit }: PageQuestion): Query {
  const parts = ['owner = {owner:String}', 'hasAll({groups:Array(String)}, groups)']
  const params: Record<string, unknown> = { owner, groups, limit }
  const only = (sql: string, name: string, value: unknown): void => {
    parts.push(sql)
    params[name] = value
  }
  if (since !== null) only("matched_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')", 'since', since)
  if (direction !== null) only('direction = {direction:String}', 'direction', direction)
  if (entityId !== null) only('entity_id = {entity:String}', 'entity', entityId)
  if (after !== null) {
    only("(matched_at, id) < (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {id:UUID})", 'at', after.matchedAt)
    params.id = after.id
  }
  return {
    sql: `SELECT toString(id) AS uuid, entity_id, toUnixTimestamp64Milli(matched_at) AS told FROM matches_by_time WHERE ${parts.join(' AND ')}
      ORDER BY owner DESC, matched_at DESC, id DESC LIMIT 1 BY matched_at, id LIMIT {limit:UInt32}`,
    params,
  }
}

/** These matches of an owner, which are of these entities; outdated versions are left out. */
export const matchesById = (owner: string, entityIds: readonly string[], ids: readonly string[]): Query => ({
  sql: `SELECT ${COLUMNS} FROM matches FINAL
    WHERE owner = {owner:String} AND entity_id IN {entities:Array(String)} AND id IN {ids:Array(UUID)}`,
  params: { owner, entities: entityIds, ids },
})

/** Matches of one entity in the order of their ids. */
export const matchesOfEntity = (owner: string, entityId: string, after: string | null, limit: number): Query => ({
  sql: `SELECT ${COLUMNS} FROM matches FINAL
    WHERE owner = {owner:String} AND entity_id = {entity:String} ${after === null ? '' : 'AND id > {after:UUID}'}
    ORDER BY owner, entity_id, id LIMIT {limit:UInt32}`,
  params: { owner, entity: entityId, limit, ...(after === null ? {} : { after }) },
})

export const entitiesMatched = (owners: readonly string[], entityIds: readonly string[], since: number): Query => ({
  sql: `SELECT DISTINCT owner, entity_id FROM matches
    WHERE owner IN {owners:Array(String)} AND entity_id IN {entities:Array(String)}
      AND matched_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')`,
  params: { owners, entities: entityIds, since },
})

/** The same, whenever it was, and those whose matches are decided and not yet stored. */
export const entitiesDecided = (owners: readonly string[], entityIds: readonly string[]): Query => {
  const where = 'WHERE owner IN {owners:Array(String)} AND entity_id IN {entities:Array(String)}'
  return {
    sql: `SELECT owner, entity_id FROM matches ${where} UNION DISTINCT SELECT owner, entity_id FROM match_tallies ${where}`,
    params: { owners, entities: entityIds },
  }
}

/** Entities of matches that are stored or decided. */
export const entitiesAfter = (owner: string, after: string, limit: number): Query => ({
  sql: `SELECT DISTINCT entity_id FROM (
      SELECT DISTINCT entity_id FROM matches WHERE owner = {owner:String} AND entity_id > {after:String}
        ORDER BY entity_id LIMIT {limit:UInt32}
      UNION ALL
      SELECT DISTINCT entity_id FROM match_tallies WHERE owner = {owner:String} AND entity_id > {after:String}
        ORDER BY entity_id LIMIT {limit:UInt32})
    ORDER BY entity_id LIMIT {limit:UInt32}`,
  params: { owner, after, limit },
})

export type TallyRow = { entity_id: string; row: string; n: string }

/** Events that forward matches were told for, by entity and row of the ledger. */
export const talliesOf = (owner: string, entityIds: readonly string[]): Query => ({
  sql: `SELECT entity_id, row, sum(n) AS n FROM match_tallies
    WHERE owner = {owner:String} AND entity_id IN {entities:Array(String)} GROUP BY entity_id, row`,
  params: { owner, entities: entityIds },
})

export type DecidedRow = { owner: string; entity_id: string; row: string; n: number; at: string; ends: number }

export const decidedOf = (batch: bigint): Query => ({
  sql: `SELECT owner, entity_id, row, n, toUnixTimestamp64Milli(decided) AS at, toUnixTimestamp(expires) AS ends
    FROM match_tallies WHERE batch = {batch:UInt64}`,
  params: { batch },
})

export type RetroRow = {
  uuid: string
  entity_id: string
  field: string
  summary: number
  count: string
  matched: string
}

/** Retro matches that were told, without outdated versions. */
export const retroOf = (owner: string, entityIds: readonly string[]): Query => ({
  sql: `SELECT toString(id) AS uuid, entity_id, field, summary, count, toUnixTimestamp64Milli(matched_at) AS matched
    FROM matches FINAL WHERE owner = {owner:String} AND entity_id IN {entities:Array(String)} AND direction = 'retro'`,
  params: { owner, entities: entityIds },
})

export type StateRow = { entity_id: string; version: string; withdrawn: string; reason: string }

export const statesOf = (owner: string, entityIds: readonly string[]): Query => ({
  sql: `SELECT entity_id, version, toUnixTimestamp64Milli(withdrawn_at) AS withdrawn, reason FROM match_states FINAL
    WHERE owner = {owner:String} AND entity_id IN {entities:Array(String)}`,
  params: { owner, entities: entityIds },
})

/** The rows without an owner: what was noted, by its name. */
export const allNotes: Query = {
  sql: `SELECT entity_id AS name, reason FROM match_states FINAL WHERE owner = ''`,
  params: {},
}

export const lastStateVersion: Query = { sql: 'SELECT max(version) AS last FROM match_states', params: {} }

/** Ids of events that are known of these. */
export const knownIds = (digests: readonly string[]): Query => ({
  sql: `SELECT lower(hex(id)) AS digest, batch FROM telemetry_ids PREWHERE id IN (
    SELECT toFixedString(substring(bytes, n * 16 + 1, 16), 16) FROM (
      SELECT base64Decode('${Buffer.from(digests.join(''), 'hex').toString('base64')}') AS bytes,
        arrayJoin(range(${digests.length})) AS n))`,
  params: {},
})

/** Ids whose first byte is this one, as base64. */
export const idsBeginning = (byte: number): Query => ({
  sql: `SELECT base64Encode(unhex(arrayStringConcat(groupArray(hex(id))))) AS ids FROM telemetry_ids
    WHERE id >= toFixedString(unhex({first:String}), 16) AND id <= toFixedString(unhex({last:String}), 16)`,
  params: {
    first: byte.toString(16).padStart(2, '0') + '00'.repeat(15),
    last: byte.toString(16).padStart(2, '0') + 'ff'.repeat(15),
  },
})
