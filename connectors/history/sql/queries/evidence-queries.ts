import type { SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import { MARK_SOURCE } from '../../../../schemas/intelligence/state/stored.ts'
import type { Query } from '../../port.ts'
import { IS_REPORT } from './history-queries.ts'

/** What one source had claimed to one audience, by the records up to a time. Times are unix milliseconds as text. */
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
  /** 1: among them was a well-known mark, which a retraction leaves, and that was not cleared by then. */
  marked: number
}

/** Whether what is retracted, `r`, is the mark of a record: one that was cleared later in the log (ADR 270). */
const CLEARED = `r.2 = '${MARK_SOURCE}' AND log_offset < r.5`

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
      WITH (SELECT groupArray((audience, source, first, last, log_offset)) FROM retractions
          WHERE key = {key:UInt64} AND entity_id = {entityId:String} AND at <= fromUnixTimestamp64Milli({retracted:Int64})
            AND audience IN {audiences:Array(UInt64)}) AS gone
      SELECT audience, source, source_kind, reputation, ts, log_offset,
        kind = 'well_known' AND NOT arrayExists(r -> ${CLEARED}, gone) AS mark,
        NOT arrayExists(r -> r.1 = audience AND r.2 = source AND ts >= r.3 AND ts <= r.4 AND log_offset < r.5, gone) AS counts,
        counts AND stated = 1 AS says
      FROM history
      WHERE digest = unhex({digest:String}) AND type = {entityType:String} AND ${IS_REPORT}
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

/**
 * What one source claimed to one audience between two points; times are unix milliseconds as text, points count from
 * 1.
 */
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
  /** The first point at which all of these are cleared; 0: none. */
  unmarked: number
}

/** The first point at or after the first of these times; 0: none. */
const pointAfter = (times: string): string =>
  `if(empty(${times}), 0, arrayFirstIndex(p -> p >= arrayMin(${times}), {points:Array(Int64)}))`

/**
 * All that `statementsUntil` needs at each of these times (unix milliseconds, ascending) in one read: the records about
 * an entity, summed up by the first time behind them and the first at which they are taken back; at most `limit` rows.
 */
export const statementsAlong = (
  q: { entityId: string; type: string; at: readonly number[]; audiences: readonly bigint[] },
  limit: number,
): Query => ({
  sql: `SELECT audience, source, point, gone, max(mark) AS marked,
      if(countIf(mark AND cleared = 0) > 0, 0, maxIf(cleared, mark)) AS unmarked,
      if(countIf(stated = 1) = 0, any(source_kind), argMaxIf(source_kind, (ts, log_offset), stated = 1)) AS kind,
      if(countIf(stated = 1) = 0, NULL, argMaxIf(reputation, (ts, log_offset), stated = 1)) AS reputation,
      toUnixTimestamp64Milli(maxIf(ts, stated = 1)) AS said,
      argMaxIf(log_offset, (ts, log_offset), stated = 1) AS said_offset, toUnixTimestamp64Milli(max(ts)) AS last
    FROM (
      WITH (SELECT groupArray((audience, source, first, last, log_offset, toUnixTimestamp64Milli(at))) FROM retractions
          WHERE key = {key:UInt64} AND entity_id = {entityId:String} AND audience IN {audiences:Array(UInt64)}) AS all_gone
      SELECT audience, source, source_kind, reputation, ts, log_offset, stated, kind = 'well_known' AS mark,
        arrayFirstIndex(p -> p >= toUnixTimestamp64Milli(ts), {points:Array(Int64)}) AS point,
        arrayMap(r -> r.6, arrayFilter(r -> r.1 = audience AND r.2 = source AND ts >= r.3 AND ts <= r.4
            AND log_offset < r.5, all_gone)) AS taken,
        arrayMap(r -> r.6, arrayFilter(r -> ${CLEARED}, all_gone)) AS clearings,
        ${pointAfter('clearings')} AS cleared,
        ${pointAfter('taken')} AS gone
      FROM history
      WHERE digest = unhex({digest:String}) AND type = {entityType:String} AND ${IS_REPORT}
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
