import type { SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Query } from '../../port.ts'

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

type EvidenceQuestion = {
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
export const statementsUntil = (q: EvidenceQuestion, limit: number): Query => ({
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

/** What one source said to one audience between two points; times are unix milliseconds as text, points count from 1. */
export type StepRow = {
  audience: string
  source: string
  kind: SourceKind
  /** null: sightings alone. */
  reputation: number | null
  said: string
  said_offset: string
  last: string
  /** The first point that has these records behind it. */
  point: number
  /** The first point at which they are taken back; 0: none. */
  gone: number
  /** 1: among them was a well-known mark, which a retraction leaves. */
  marked: number
}

/**
 * All that `statementsUntil` needs at each of these times (unix milliseconds, ascending) in one read: the records about
 * an entity, summed up by the first time behind them and the first at which they are taken back; at most `limit` rows.
 */
export const statementsAlong = (
  q: { entityId: string; type: string; at: readonly number[]; audiences: readonly bigint[] },
  limit: number,
): Query => ({
  sql: `SELECT audience, source, point, gone, max(mark) AS marked,
      if(countIf(stated = 1) = 0, any(source_kind), argMaxIf(source_kind, (ts, log_offset), stated = 1)) AS kind,
      if(countIf(stated = 1) = 0, NULL, argMaxIf(reputation, (ts, log_offset), stated = 1)) AS reputation,
      toUnixTimestamp64Milli(maxIf(ts, stated = 1)) AS said,
      argMaxIf(log_offset, (ts, log_offset), stated = 1) AS said_offset, toUnixTimestamp64Milli(max(ts)) AS last
    FROM (
      SELECT audience, source, source_kind, reputation, ts, log_offset, stated, kind = 'well_known' AS mark,
        arrayFirstIndex(p -> p >= toUnixTimestamp64Milli(ts), {points:Array(Int64)}) AS point,
        arrayMap(r -> r.6, arrayFilter(r -> r.1 = audience AND r.2 = source AND ts >= r.3 AND ts <= r.4
            AND log_offset < r.5, (
          SELECT groupArray((audience, source, first, last, log_offset, toUnixTimestamp64Milli(at))) FROM retractions
          WHERE key = {key:UInt64} AND entity_id = {entityId:String} AND audience IN {audiences:Array(UInt64)}
        ))) AS taken,
        if(empty(taken), 0, arrayFirstIndex(p -> p >= arrayMin(taken), {points:Array(Int64)})) AS gone
      FROM history
      WHERE digest = unhex({digest:String}) AND type = {entityType:String}
        AND ts <= fromUnixTimestamp64Milli({until:Int64}) AND audience IN {audiences:Array(UInt64)})
    GROUP BY source, audience, point, gone LIMIT {limit:UInt32}`,
  params: {
    digest: q.entityId.slice(-64),
    key: entityKey(q.entityId),
    entityId: q.entityId,
    entityType: q.type,
    until: q.at.at(-1)!,
    points: q.at,
    audiences: q.audiences,
    limit,
  },
})
