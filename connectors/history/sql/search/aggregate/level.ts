import type {
  Aggregation,
  Aggregations,
  Metric,
} from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Field } from '../../../../../schemas/intelligence/search/clause.ts'
import type { Query } from '../../../port.ts'
import { type Binder, binder } from '../binder.ts'
import { condition } from '../condition.ts'
import { MAX_BUCKETS } from './aggregation-bounds.ts'
import { type AggregationScope, countedValue, type Path, type Step } from './aggregation-scope.ts'
import { bucketKey, type Key } from './key.ts'
import { metricColumns, metricOrder } from './metric.ts'

/** Rows that show that there are too many, with the one that is carried and that of no bucket. */
const ENOUGH = MAX_BUCKETS + 3

export type KeyValue = string | number

/** The buckets that the query below them is about: their keys, outermost first. */
export type Chosen = readonly (readonly KeyValue[])[]

export const isMetric = (aggregation: { kind: string }): aggregation is Metric =>
  aggregation.kind !== 'top_hits' && !('aggs' in aggregation)

/** There are only a few distinct ones, so adding up the buckets of all of them is cheap. */
const FEW: ReadonlySet<Field['name']> = new Set([
  'type',
  'reputation',
  'accuracy',
  'bestReputation',
  'worstReputation',
  'wellKnown',
  'covered',
])

/**
 * Whether the query of this aggregation can count what is around it too, in the same pass over the table: every record
 * is in one group, if only that of no bucket, and there are not too many groups.
 */
export function carries(aggregation: Aggregation, scope: AggregationScope): boolean {
  if (!('aggs' in aggregation) || aggregation.kind === 'filter') return false
  if (aggregation.kind === 'terms') return FEW.has(aggregation.field.name)
  return bucketKey(aggregation, scope, binder()).each !== 'several'
}

/** How many records the rows stand for. */
const countOf = ({ surface }: AggregationScope): string => (surface.sums === undefined ? 'count()' : 'sum(n)')

/** How many records there are, with the metrics at the root: one row. */
export function rootQuery(aggs: Aggregations, scope: AggregationScope): Query {
  const b = binder()
  const records = source([], aggs, 'r', scope, b)
  return {
    sql: `SELECT ${[`${countOf(scope)} AS c`, ...records.columns].join(', ')} FROM ${records.from}`,
    params: b.params,
  }
}

/**
 * The buckets at the end of a path: a row for each with its keys `k0`, `k1`, ..., its records `c`, the metrics in it, and
 * for a `terms` below it the values that this counts, `m<i>_values`.
 * @param chosen keys of the first steps; null: all of them
 * @param around what stands beside the first step, carried in a row with `g` 1 and the columns `r...` and `c`
 */
export function levelQuery(
  path: Path,
  scope: AggregationScope,
  chosen: Chosen | null,
  around: Aggregations | null,
): Query {
  const b = binder()
  const { buckets } = path.at(-1)!
  const own = source(path, buckets.aggs, 'm', scope, b, around)
  const keys = path.map((_, i) => `k${i}`)
  const select = [...keys, `${countOf(scope)} AS c`, ...own.columns, ...(around === null ? [] : ['grouping(k0) AS g'])]
  const where = [...(around === null ? own.present : []), ...(chosen === null ? [] : [among(own.keys, chosen, b)])]
  const least = buckets.kind === 'terms' || 'minDocCount' in buckets ? buckets.minDocCount : 0
  const parts = [
    `SELECT ${select.join(', ')} FROM ${own.from}`,
    where.length > 0 ? `WHERE ${where.join(' AND ')}` : '',
    `GROUP BY ${keys.join(', ')}${around === null ? '' : ' WITH ROLLUP'}`,
    least > 1 ? `HAVING c >= ${b.bind(least, 'UInt64')}${around === null ? '' : ' OR g = 1'}` : '',
    ...(buckets.kind === 'terms' ? best(buckets, keys, around !== null, b) : [`LIMIT ${ENOUGH}`]),
  ]
  return { sql: parts.filter((part) => part !== '').join('\n'), params: b.params }
}

/** The first buckets of each parent, in the requested order. */
function best(
  { size, order, aggs }: Extract<Step['buckets'], { kind: 'terms' }>,
  keys: string[],
  carrying: boolean,
  b: Binder,
): string[] {
  const key = keys.at(-1)!
  const names = [...aggs.keys()]
  const by = order.map(({ by, order }) => {
    if (by === 'key') return `${key} ${order}`
    if (by === 'count') return `c ${order}`
    const metric = aggs.get(by.metric) as Metric
    return `${metricOrder(metric, by.of, `m${names.indexOf(by.metric)}`)} ${order} NULLS LAST`
  })
  const ordered = `ORDER BY ${[...(carrying ? ['g desc'] : []), ...by, `${key} asc`].join(', ')}`
  const limit = `LIMIT ${b.bind(Math.min(size, ENOUGH) + (carrying ? 1 : 0), 'UInt32')}`
  const parents = keys.slice(0, -1).join(', ')
  return parents === '' ? [ordered, limit] : [ordered, `${limit} BY ${parents}`, `LIMIT ${ENOUGH}`]
}

/** Whether the keys of the first steps are among the chosen; every key is bound. */
export function among(keys: readonly Key[], chosen: Chosen, b: Binder): string {
  const depth = chosen[0]?.length ?? 0
  const lists = keys.slice(0, depth).map(({ type }, i) => {
    const values = chosen.map((path) => path[i]!)
    return b.bind(type === 'Int64' ? values.map(BigInt) : values, `Array(${type})`)
  })
  // A tuple of NULL is no tuple of the set; the records without a key are left out by a condition of their own.
  const names = lists.map((_, i) => (keys[i]!.each === 'maybe' ? `assumeNotNull(k${i})` : `k${i}`))
  if (depth === 1) return `${names[0]} IN ${lists[0]}`
  return `(${names.join(', ')}) IN (SELECT arrayJoin(arrayZip(${lists.join(', ')})))`
}

export type Source = { from: string; keys: readonly Key[]; present: readonly string[]; columns: readonly string[] }

/**
 * The records with their keys, as the FROM of a query; a record is there once for each combination of its buckets.
 * `columns` are the metrics of `aggs` and, with the prefix r, of what stands around; `extra` further columns.
 */
export function source(
  path: Path,
  aggs: Aggregations,
  prefix: 'm' | 'r',
  scope: AggregationScope,
  b: Binder,
  around: Aggregations | null = null,
  extra: readonly string[] = [],
): Source {
  const keys = path.map(({ buckets }) => bucketKey(buckets, scope, b))
  const values = new Map<string, string>()
  const nameOf = (sql: string): string => {
    if (!values.has(sql)) values.set(sql, `v${values.size}`)
    return values.get(sql)!
  }
  const columns = [
    ...columnsOf(aggs, prefix, scope, b, nameOf),
    ...(around === null ? [] : columnsOf(around, 'r', scope, b, nameOf)),
  ]
  const { source: table, readable } = scope.surface.from(b)
  const met = scope.query.is === 'all' ? [] : [condition(scope.query, scope.surface, b)]
  const where = [readable, ...met, ...keys.flatMap((key) => (key.where === undefined ? [] : [key.where]))]
  const selected = [
    ...keys.map(({ sql, each }, i) => `${sql} AS ${each === 'several' ? 'a' : 'k'}${i}`),
    ...[...values].map(([sql, name]) => `${sql} AS ${name}`),
    ...(scope.surface.sums === undefined ? [] : [`${scope.surface.sums.records} AS n`]),
    ...extra,
  ]
  const base = `SELECT ${selected.join(', ') || '1'} FROM ${table} WHERE ${where.map((each) => `(${each})`).join(' AND ')}`
  // One arrayJoin a level: two of the same array in one SELECT would be taken for the same and not be multiplied.
  const from = keys.reduce(
    (inner, { each }, i) => (each === 'several' ? `SELECT *, arrayJoin(a${i}) AS k${i} FROM (${inner})` : inner),
    base,
  )
  const present = keys.flatMap(({ each }, i) => (each === 'maybe' ? [`isNotNull(k${i})`] : []))
  return { from: `(${from})`, keys, present, columns }
}

/** Metrics, and what a `terms` has to know about its parent: how many values there are in all. */
function columnsOf(
  aggs: Aggregations,
  prefix: string,
  scope: AggregationScope,
  b: Binder,
  nameOf: (sql: string) => string,
): string[] {
  return [...aggs.values()].flatMap((aggregation, i) => {
    const name = `${prefix}${i}`
    if (isMetric(aggregation)) {
      const { value, columns } = metricColumns(aggregation, scope, b)
      return columns.map(([suffix, sql]) => `${sql(nameOf(value))} AS ${name}_${suffix}`)
    }
    if (aggregation.kind !== 'terms') return []
    const { sql, each } = countedValue(aggregation.field, scope, b)
    if (each === 'one') return [`${countOf(scope)} AS ${name}_values`]
    const values = nameOf(each === 'several' ? `length(${sql})` : sql)
    if (each === 'several') return [`sum(${values}${scope.surface.sums === undefined ? '' : ' * n'}) AS ${name}_values`]
    return [`count(${values}) AS ${name}_values`]
  })
}
