import type { Reach } from '../../../../schemas/match/place.ts'
import type { Query } from '../../port.ts'

/** A place of the ledger after which a question goes on. */
export type LedgerPlace = { owner: string; anchor: string; key: string; value: string; field: string; hour: number }

/** A row of the ledger as the store gives it; times are unix milliseconds as text. */
export type LedgerAnswer = {
  owner: string
  anchor: string
  key: string
  value: string
  field: string
  at: string
  n: string
  since: string
  until: string
  where: string[]
  of: string[]
}

const ROW = `owner, anchor, key, value, field, toUnixTimestamp(hour) * 1000 AS at, sum(count) AS n,
  toUnixTimestamp64Milli(min(first)) AS since, toUnixTimestamp64Milli(max(last)) AS until,
  groupUniqArrayArray(100)(hosts) AS where, groupUniqArrayArray(5)(refs) AS of`

const GROUPED = 'GROUP BY owner, anchor, key, value, field, hour'

/** The names that a key is below, itself among them: keys are names with their labels in reverse. */
const PARENTS = `arrayMap(n -> arrayStringConcat(arraySlice(splitByChar('.', key), 1, n), '.'),
  range(1, length(splitByChar('.', key)) + 1))`

/** `placed`: which anchors, looked up by the order of the table; `named`: what is told from others by its key. */
type Condition = { placed: string; named: string; params: Record<string, unknown> }

/** Rows within reach of some indicators. Under an anchor the names below an indicator are told from others by their key. */
export function withinReach({ anchors, below, ranges }: Reach): Condition {
  const params: Record<string, unknown> = {}
  const parts: string[] = []
  if (anchors.length > 0) {
    parts.push('anchor IN {anchors:Array(String)}')
    params.anchors = anchors
  }
  for (const [n, [first, last]] of ranges.entries()) {
    parts.push(`(anchor >= {first${n}:String} AND anchor <= {last${n}:String})`)
    params[`first${n}`] = first
    params[`last${n}`] = last
  }
  if (parts.length === 0) return { placed: '0', named: '1', params }
  const placed = `(${parts.join(' OR ')})`
  if (below.length === 0) return { placed, named: '1', params }
  params.below = below
  return { placed, named: `(key = '' OR arrayExists(name -> name IN {below:Array(String)}, ${PARENTS}))`, params }
}

const OWN = "owner = {owner:String} AND hour >= toDateTime({since:UInt32}, 'UTC')"

/**
 * Rows of these owners within reach, in the order of their place, at most `limit` after a place. What does not depend on
 * the names is asked first: the list of the names above each is made for rows that are within reach, and no others. The
 * anchor of the place stands by itself, as no index follows from the comparison of places.
 */
export function ledgerWithin(
  owners: readonly string[],
  reach: Reach,
  since: number,
  after: LedgerPlace | null,
  limit: number,
): Query {
  const { placed, named, params } = withinReach(reach)
  const from =
    after === null ? '1' : '(owner > {owner:String} OR (owner = {owner:String} AND anchor >= {anchor:String}))'
  const next =
    after === null
      ? '1'
      : `(owner, anchor, key, value, field, hour) >
          ({owner:String}, {anchor:String}, {key:String}, {value:String}, {field:String}, toDateTime({hour:UInt32}, 'UTC'))`
  return {
    sql: `SELECT ${ROW} FROM telemetry_ledger
      PREWHERE owner IN {owners:Array(String)} AND hour >= toDateTime({since:UInt32}, 'UTC') AND ${placed} AND ${from}
      WHERE ${named} AND ${next}
      ${GROUPED} ORDER BY owner, anchor, key, value, field, hour LIMIT {limit:UInt32}
      SETTINGS optimize_aggregation_in_order = 1`,
    params: {
      owners,
      since: Math.floor(since / 1000),
      limit,
      ...params,
      ...(after === null ? {} : { ...after, hour: after.hour / 1000 }),
    },
  }
}

/** Rows of one value within reach, newest hour first; `exact`: of this value alone. */
export function seenRows(owner: string, reach: Reach, exact: string | null, since: number, limit: number): Query {
  const { placed, named, params } = withinReach(reach)
  return {
    sql: `SELECT ${ROW} FROM telemetry_ledger
      PREWHERE ${OWN} AND ${placed} WHERE ${named} ${exact === null ? '' : 'AND value = {exact:String}'}
      ${GROUPED} ORDER BY hour DESC, n DESC, value, field LIMIT {limit:UInt32}`,
    params: { owner, since: Math.floor(since / 1000), limit, ...params, ...(exact === null ? {} : { exact }) },
  }
}

/** What all of these rows are together. */
export function seenTotal(owner: string, reach: Reach, exact: string | null, since: number): Query {
  const { placed, named, params } = withinReach(reach)
  return {
    sql: `SELECT uniqExact(value, field, hour) AS rows, sum(count) AS n,
        toUnixTimestamp64Milli(min(first)) AS since, toUnixTimestamp64Milli(max(last)) AS until
      FROM telemetry_ledger PREWHERE ${OWN} AND ${placed} WHERE ${named} ${exact === null ? '' : 'AND value = {exact:String}'}`,
    params: { owner, since: Math.floor(since / 1000), ...params, ...(exact === null ? {} : { exact }) },
  }
}

/** Values of an owner in the order of their place, whatever the hour, at most `limit` after one of them. */
export function valuesOf(
  owner: string,
  since: number,
  after: Omit<LedgerPlace, 'owner' | 'hour'> | null,
  limit: number,
): Query {
  const next =
    after === null
      ? ''
      : 'AND (anchor, key, value, field) > ({anchor:String}, {key:String}, {value:String}, {field:String})'
  return {
    sql: `SELECT anchor, key, value, field FROM telemetry_ledger WHERE ${OWN} ${next}
      GROUP BY anchor, key, value, field ORDER BY anchor, key, value, field LIMIT {limit:UInt32}
      SETTINGS optimize_aggregation_in_order = 1`,
    params: { owner, since: Math.floor(since / 1000), limit, ...(after ?? {}) },
  }
}
