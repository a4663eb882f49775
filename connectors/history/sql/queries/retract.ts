import type { SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Query } from '../../port.ts'

/** Questions of an operator who takes back what a source said; they are no caller's, so all audiences count. */

const SAME_KEY = 'reinterpretAsUInt64(reverse(substring(digest, 1, 8)))'

export type EntityAudience = { entityId: string; audience: bigint }
export type ReportedRow = { id: string; type: string; value: string; audience: string; inside: number }

/**
 * What a source reported of which entity to which audience between `since` and `to` (unix milliseconds, both included),
 * in order of ids, after `after`; `inside`: some of it at or after `from`.
 */
export const reportedBetween = (
  q: { source: string; since: number; from: number; to: number; after: EntityAudience },
  limit: number,
): Query => ({
  sql: `SELECT entity_id AS id, type, any(value) AS value, audience, max(ts >= fromUnixTimestamp64Milli({from:Int64})) AS inside
    FROM history
    WHERE ts >= fromUnixTimestamp64Milli({since:Int64}) AND ts <= fromUnixTimestamp64Milli({to:Int64})
      AND source = {source:String} AND (entity_id, audience) > ({id:String}, {audience:UInt64})
    GROUP BY entity_id, type, audience ORDER BY entity_id, audience LIMIT {limit:UInt32}`,
  params: {
    source: q.source,
    since: q.since,
    from: q.from,
    to: q.to,
    limit,
    id: q.after.entityId,
    audience: q.after.audience,
  },
})

export type HeldRow = {
  id: string
  audience: string
  kind: SourceKind
  reputation: number | null
  claimed: string
  last: string
}

/** What a source had said of these entities, to each audience, by the records before a time; retracted or not. */
export const heldBefore = (q: { source: string; before: number; entityIds: readonly string[] }): Query => ({
  sql: `SELECT entity_id AS id, audience,
      if(countIf(stated = 1) = 0, argMin(source_kind, log_offset),
        argMaxIf(source_kind, (ts, log_offset), stated = 1)) AS kind,
      if(countIf(stated = 1) = 0, NULL, argMaxIf(reputation, (ts, log_offset), stated = 1)) AS reputation,
      if(countIf(stated = 1) = 0, 0, toUnixTimestamp64Milli(maxIf(ts, stated = 1))) AS claimed,
      toUnixTimestamp64Milli(max(ts)) AS last
    FROM history
    WHERE source = {source:String} AND ts < fromUnixTimestamp64Milli({before:Int64})
      AND ${SAME_KEY} IN {keys:Array(UInt64)}
    GROUP BY entity_id, type, audience`,
  params: { source: q.source, before: q.before, keys: q.entityIds.map(entityKey) },
})

export type RetractedRow = { id: string; audience: string; from: string; to: string }

/** Windows of what was taken back of a source about these entities. */
export const retractedOf = (q: { source: string; entityIds: readonly string[] }): Query => ({
  sql: `SELECT DISTINCT entity_id AS id, audience, toUnixTimestamp64Milli(first) AS from, toUnixTimestamp64Milli(last) AS to
    FROM retractions WHERE key IN {keys:Array(UInt64)} AND source = {source:String}`,
  params: { source: q.source, keys: q.entityIds.map(entityKey) },
})

export const anythingOf = (source: string): Query => ({
  sql: 'SELECT 1 AS one FROM history WHERE source = {source:String} LIMIT 1',
  params: { source },
})
