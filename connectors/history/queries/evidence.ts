import { entityKey } from '../../../schemas/entity-state.ts'
import type { SourceKind } from '../../../schemas/observation.ts'
import type { Query } from '../port.ts'

/** What one source had said to one audience, by the records up to a time. Times are unix milliseconds as text. */
export type StatementRow = {
  audience: string
  source: string
  kind: SourceKind
  /** null: sightings alone. */
  reputation: number | null
  /** When that was stated; 0 without. */
  claimed: string
  first: string
  last: string
  /** Those that count; 0: all of them were retracted. */
  records: string
  /** 1: among them was a well-known mark, which a retraction leaves. */
  marked: number
}

type Question = {
  entityId: string
  type: string
  until: number
  audiences: readonly bigint[]
  /** Default: `until`. */
  retractedUntil?: number
  /** One source alone; default: all. */
  source?: string
}

/**
 * The latest statement of each source to each audience about one entity, by the records up to `until` (unix
 * milliseconds, inclusive) that were not retracted by then or by `retractedUntil`, at most `limit`. Of records of one millisecond the later in
 * the log counts.
 */
export const statementsUntil = (q: Question, limit: number): Query => ({
  sql: `SELECT audience, source, countIf(counts) AS records,
      if(countIf(says) = 0, argMinIf(source_kind, log_offset, counts),
        argMaxIf(source_kind, (ts, log_offset), says)) AS kind,
      if(countIf(says) = 0, NULL, argMaxIf(reputation, (ts, log_offset), says)) AS reputation,
      if(countIf(says) = 0, 0, toUnixTimestamp64Milli(maxIf(ts, says))) AS claimed,
      toUnixTimestamp64Milli(minIf(ts, counts)) AS first, toUnixTimestamp64Milli(maxIf(ts, counts)) AS last,
      max(mark) AS marked
    FROM (
      SELECT audience, source, source_kind, reputation, ts, log_offset, kind = 'well_known' AS mark,
        NOT arrayExists(r -> r.1 = audience AND r.2 = source AND ts >= r.3 AND ts <= r.4 AND log_offset < r.5, (
          SELECT groupArray((audience, source, first, last, log_offset)) FROM retractions
          WHERE key = {key:UInt64} AND entity_id = {entityId:String} AND at <= fromUnixTimestamp64Milli({retracted:Int64})
            AND audience IN {audiences:Array(UInt64)})) AS counts,
        counts AND stated = 1 AS says
      FROM history
      WHERE digest = unhex({digest:String}) AND type = {entityType:String}
        AND ts <= fromUnixTimestamp64Milli({until:Int64}) AND audience IN {audiences:Array(UInt64)}
        ${q.source === undefined ? '' : 'AND source = {source:String}'})
    GROUP BY audience, source ORDER BY audience, source LIMIT {limit:UInt32}`,
  params: {
    digest: q.entityId.slice(-64),
    key: entityKey(q.entityId),
    entityId: q.entityId,
    entityType: q.type,
    until: q.until,
    retracted: q.retractedUntil ?? q.until,
    ...(q.source === undefined ? {} : { source: q.source }),
    audiences: q.audiences,
    limit,
  },
})

/** What was taken back of one source in one audience: when, as unix milliseconds, and what its claim weighed until then. */
export type RetractionRow = { audience: string; source: string; made: string; trust: number }

/** What was taken back about one entity after `since` (unix milliseconds), the last first, at most `limit`. */
export const retractionsSince = (
  q: { entityId: string; since: number; audiences: readonly bigint[] },
  limit: number,
): Query => ({
  sql: `SELECT audience, source, toUnixTimestamp64Milli(at) AS made, trust FROM retractions
    WHERE key = {key:UInt64} AND entity_id = {entityId:String} AND at > fromUnixTimestamp64Milli({since:Int64})
      AND audience IN {audiences:Array(UInt64)}
    ORDER BY log_offset DESC LIMIT {limit:UInt32}`,
  params: { key: entityKey(q.entityId), entityId: q.entityId, since: q.since, audiences: q.audiences, limit },
})
