import {
  COVERED_BY_DOMAINS,
  COVERED_BY_NETWORKS,
  type TypedValue,
} from '../../../../schemas/intelligence/propagation/coverage.ts'
import { rangeOf } from '../../../../schemas/intelligence/propagation/range.ts'
import type { Query } from '../../port.ts'
import { MARK } from './entities-queries.ts'

/** Queries of the job that floors the entities under covering marks; they run for no caller, so all audiences count. */

/** A covering mark, or one that was cleared. */
export type MarkRow = TypedValue & { time: string; version: string; holds: number }

/** Covering marks that were stored at or after `since` (unix milliseconds), at most `limit`, and when each was. */
export const coveringMarks = (since: number, limit: number): Query => ({
  sql: `SELECT type, value, toUnixTimestamp64Milli(added) AS time, version, holds FROM covering_marks
    WHERE added >= fromUnixTimestamp64Milli({since:Int64}) ORDER BY added, version LIMIT {limit:UInt32}`,
  params: { since, limit },
})

/** Of which rows an entity is asked for. */
const ROWS = {
  uncovered: {
    some: `bitAnd(well_known, ${MARK.covered}) = 0`,
    now: `bitAnd(argMax(well_known, version), ${MARK.covered}) = 0`,
  },
  covered: {
    some: `bitAnd(well_known, ${MARK.covered}) != 0`,
    now: `bitAnd(argMax(well_known, version), ${MARK.covered}) != 0`,
  },
} as const

const NETWORK = `arrayExists(length -> (length, IPv6CIDRToRange(toIPv6OrDefault(splitByChar('/', value)[1]), length).1) IN (
      SELECT mark.1, mark.2 FROM (SELECT arrayJoin(arrayZip({bits:Array(UInt8)}, {starts:Array(IPv6)})) AS mark)),
      {lengths:Array(UInt8)})`

/**
 * A page of entities that may lie under one of the marks, all cidr or all domain, and had no floor, or had one, in some
 * version, in order of their keys, after the key `after`. A superset: what they are now, and the rule of what lies
 * under what, are for whoever asks.
 */
export function candidatesUnder(
  which: keyof typeof ROWS,
  marks: readonly TypedValue[],
  after: bigint,
  limit: number,
): Query {
  const networks = marks[0]?.type === 'cidr'
  return {
    sql: `SELECT key FROM entities
    WHERE key > {after:UInt64} AND ${ROWS[which].some} AND type IN {types:Array(String)}
      AND ${networks ? NETWORK : 'multiSearchAny(value, {domains:Array(String)})'}
    ORDER BY key LIMIT 1 BY key LIMIT {limit:UInt32}`,
    params: {
      after,
      limit,
      ...(networks
        ? { types: COVERED_BY_NETWORKS, ...places(marks) }
        : { types: COVERED_BY_DOMAINS, domains: marks.map((mark) => mark.value) }),
    },
  }
}

/** Networks as the table of networks has them: IPv4 among IPv6. */
function places(marks: readonly TypedValue[]) {
  const bits = marks.map(({ type, value }) => {
    const length = Number(value.slice(value.lastIndexOf('/') + 1))
    return rangeOf(type, value)!.family === 4 ? length + 96 : length
  })
  const starts = marks.map(({ value }) => value.slice(0, value.lastIndexOf('/')))
  return { bits, starts, lengths: [...new Set(bits)] }
}

/** Of these keys the entities of which some row is not covered, or is covered, now. */
export const currentAmong = (which: keyof typeof ROWS, keys: readonly bigint[]): Query => ({
  sql: `SELECT DISTINCT type, value FROM (
      SELECT type, value FROM entities WHERE key IN {keys:Array(UInt64)}
      GROUP BY key, digest, type, value, audience HAVING ${ROWS[which].now})`,
  params: { keys },
})
