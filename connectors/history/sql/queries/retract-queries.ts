import type { SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Query } from '../../port.ts'
import { IS_REPORT } from './history-queries.ts'

/** Questions of an operator who takes back what a source said; they are no caller's, so all audiences count. */

const SAME_KEY = 'reinterpretAsUInt64(reverse(substring(digest, 1, 8)))'

export type EntityAudience = { entityId: string; audience: bigint }
export type ReportedRow = { id: string; type: string; value: string; audience: string; inside: number }

/**
 * What a source reported of which entity to which audience between `since` and `to` (unix milliseconds, both included),
 * in order of ids, after `after`; `inside`: some of it at or after `from`. `entityIds`: of these alone.
 */
export const reportedBetween = (
  q: {
    source: string
    since: number
    from: number
    to: number
    after: EntityAudience
    entityIds?: readonly string[]
  },
  limit: number,
): Query => ({
  sql: `SELECT entity_id AS id, type, any(value) AS value, audience, max(ts >= fromUnixTimestamp64Milli({from:Int64})) AS inside
    FROM history
    WHERE ts >= fromUnixTimestamp64Milli({since:Int64}) AND ts <= fromUnixTimestamp64Milli({to:Int64})
      AND source = {source:String} AND ${IS_REPORT} AND (entity_id, audience) > ({id:String}, {audience:UInt64})
      ${q.entityIds === undefined ? '' : `AND ${SAME_KEY} IN {keys:Array(UInt64)}`}
    GROUP BY entity_id, type, audience ORDER BY entity_id, audience LIMIT {limit:UInt32}`,
  params: {
    source: q.source,
    since: q.since,
    from: q.from,
    to: q.to,
    limit,
    id: q.after.entityId,
    audience: q.after.audience,
    ...(q.entityIds === undefined ? {} : { keys: q.entityIds.map(entityKey) }),
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
    WHERE source = {source:String} AND ${IS_REPORT} AND ts < fromUnixTimestamp64Milli({before:Int64})
      AND ${SAME_KEY} IN {keys:Array(UInt64)}
    GROUP BY entity_id, type, audience`,
  params: { source: q.source, before: q.before, keys: q.entityIds.map(entityKey) },
})

export type RetractedRow = { id: string; audience: string; from: string; to: string; made: string }

/** Windows of what was taken back of a source about these entities, and when that was `made`. */
export const retractedOf = (q: { source: string; entityIds: readonly string[] }): Query => ({
  sql: `SELECT DISTINCT entity_id AS id, audience, toUnixTimestamp64Milli(first) AS from, toUnixTimestamp64Milli(last) AS to,
      toUnixTimestamp64Milli(at) AS made
    FROM retractions WHERE key IN {keys:Array(UInt64)} AND source = {source:String}`,
  params: { source: q.source, keys: q.entityIds.map(entityKey) },
})

export const anythingOf = (source: string): Query => ({
  sql: 'SELECT 1 AS one FROM history WHERE source = {source:String} LIMIT 1',
  params: { source },
})

type DescribedQuestion = { source: string; from: number; to: number; entityIds: readonly string[] }

/**
 * Records about these entities, and whether each counts: not if it was retracted, or if it stands in the window of the
 * source while no retraction of all of the window was applied. One that came after such a retraction counts.
 */
const countedRecords = (columns: string): string => `
  SELECT h.id AS id, h.audience AS audience, ${columns},
    NOT (arrayExists(w -> h.ts >= w.1 AND h.ts <= w.2 AND h.log_offset < w.3, r.windows)
      OR (h.source = {source:String} AND h.ts >= begin AND h.ts <= end
        AND NOT arrayExists(w -> w.1 <= begin AND w.2 >= end, r.windows))) AS counts
  FROM (
    SELECT entity_id AS id, audience, source, ts, log_offset, tags, attributes FROM history
    WHERE digest IN (SELECT toFixedString(unhex(arrayJoin({digests:Array(String)})), 32))
      AND entity_id IN {ids:Array(String)} AND (notEmpty(tags) OR notEmpty(attributes)) AND ${IS_REPORT}
  ) AS h
  LEFT JOIN (
    SELECT entity_id, audience, source, groupArray((first, last, log_offset)) AS windows FROM retractions
    WHERE key IN {keys:Array(UInt64)} AND entity_id IN {ids:Array(String)} GROUP BY entity_id, audience, source
  ) AS r ON h.id = r.entity_id AND h.audience = r.audience AND h.source = r.source`

const WINDOW = `WITH fromUnixTimestamp64Milli({from:Int64}, 'UTC') AS begin, fromUnixTimestamp64Milli({to:Int64}, 'UTC') AS end`

const describedParams = ({ source, from, to, entityIds }: DescribedQuestion): Record<string, unknown> => ({
  source,
  from,
  to,
  ids: entityIds,
  keys: entityIds.map(entityKey),
  digests: entityIds.map((id) => id.slice(-64)),
})

/** Tags of an entity as one audience may know it: `gone` of records that do not count, and of no other. */
export type GoneTagsRow = { id: string; audience: string; gone: string[] }

export const goneTags = (q: DescribedQuestion): Query => ({
  sql: `SELECT id, audience, arrayFilter(t -> NOT has(kept, t), taken) AS gone FROM (
      SELECT id, audience, groupUniqArrayArrayIf(tags, counts) AS kept, groupUniqArrayArrayIf(tags, NOT counts) AS taken
      FROM (${WINDOW} ${countedRecords('h.tags AS tags')}) GROUP BY id, audience)
    WHERE notEmpty(gone)`,
  params: describedParams(q),
})

/** The latest value that records which count give, and that others give; times as unix milliseconds, 0: none does. */
export type GoneAttributeRow = {
  id: string
  audience: string
  name: string
  kept: string
  kept_at: string
  gone: string
  gone_at: string
}

export const goneAttributes = (q: DescribedQuestion): Query => ({
  sql: `SELECT id, audience, name,
      argMaxIf(value, (ts, log_offset), counts) AS kept, toUnixTimestamp64Milli(maxIf(ts, counts)) AS kept_at,
      argMaxIf(value, (ts, log_offset), NOT counts) AS gone, toUnixTimestamp64Milli(maxIf(ts, NOT counts)) AS gone_at
    FROM (SELECT id, audience, counts, ts, log_offset, stated.1 AS name, stated.2 AS value
      FROM (${WINDOW} ${countedRecords('h.ts AS ts, h.log_offset AS log_offset, h.attributes AS attributes')})
      ARRAY JOIN CAST(attributes, 'Array(Tuple(String, String))') AS stated)
    GROUP BY id, audience, name HAVING countIf(NOT counts) > 0`,
  params: describedParams(q),
})
