import type { Clause } from '../clause.ts'
import { clause } from '../clauses.ts'
import { at, fault } from '../fault.ts'
import type { Reading } from '../reading.ts'
import { list, members, object, type Read, requireMember, single } from '../shape.ts'
import { boolean, integer, number } from '../values/scalars.ts'
import { orderedField } from '../values/value.ts'
import type { Aggregation, Aggregations, BucketOrder, Buckets, Interval, Metric } from './aggregation.ts'
import { direction, fieldOfKind } from './metric-aggregations.ts'
import { bucketKey, ranges } from './range-buckets.ts'

type Calendar = Exclude<Interval['unit'], 'ms'>

const CALENDAR: Readonly<Record<string, Calendar>> = {
  '1m': 'minute',
  '1h': 'hour',
  '1d': 'day',
  '1w': 'week',
  '1M': 'month',
  '1q': 'quarter',
  '1y': 'year',
}
const UNITS = Object.values(CALENDAR)
const LENGTH: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const FIXED = /^([1-9]\d{0,5})([mhd])$/

/** `minute` or `1m`, to `year` or `1y`. */
const calendarInterval: Read<Interval> = (value, path) =>
  calendar(value) ?? fault(path, `must be one of ${[...UNITS, ...Object.keys(CALENDAR)].join(', ')}`)

/** Any number of minutes, hours or days, such as `5m`. */
const fixedInterval: Read<Interval> = (value, path) =>
  fixed(value) ?? fault(path, 'must be a number of minutes, hours or days, such as 5m, 12h or 30d')

/** Either of the two. */
const interval: Read<Interval> = (value, path) =>
  calendar(value) ??
  fixed(value) ??
  fault(path, `must be one of ${UNITS.join(', ')}, or a number of minutes, hours or days, such as 5m, 12h or 30d`)

function calendar(value: unknown): Interval | null {
  if (typeof value !== 'string') return null
  const unit = Object.hasOwn(CALENDAR, value) ? CALENDAR[value] : UNITS.find((one) => one === value)
  return unit === undefined ? null : { unit, n: 1 }
}

function fixed(value: unknown): Interval | null {
  const found = typeof value === 'string' && value.length <= 7 ? FIXED.exec(value) : null
  return found === null ? null : { unit: 'ms', n: Number(found[1]) * LENGTH[found[2]!]! }
}

/** An order as the request states it, before the sub-aggregations are known. */
type UnresolvedOrder = { name: string; order: 'asc' | 'desc'; path: string }

const MAX_ORDERS = 16
const STATS = ['count', 'min', 'max', 'avg', 'sum']
/** Members that buckets can be ordered by; null: the metric has one value. A kind that is left out does not compile. */
const PARTS: Readonly<Record<Exclude<Metric['kind'], 'percentiles'>, readonly string[] | null>> = {
  avg: null,
  sum: null,
  min: null,
  max: null,
  value_count: null,
  cardinality: null,
  stats: STATS,
  extended_stats: [
    ...STATS,
    ...['sum_of_squares', 'variance', 'variance_population', 'variance_sampling'],
    ...['std_deviation', 'std_deviation_population', 'std_deviation_sampling'],
  ],
}

/** `{"_count": "desc"}`, or an array of these. */
function readOrder(value: unknown, path: string): UnresolvedOrder[] {
  return Array.isArray(value) ? list(MAX_ORDERS, one)(value, path) : [one(value, path)]
}

function one(value: unknown, path: string): UnresolvedOrder {
  const [name, given] = single(value, path, '_count, _key or a metric')
  return { name, order: direction(given, at(path, name)), path: at(path, name) }
}

/** The order of buckets; what it leaves open is by key. */
function bucketOrder(
  orders: readonly UnresolvedOrder[],
  usual: readonly BucketOrder[],
  aggs: Aggregations,
): BucketOrder[] {
  const found = orders.length === 0 ? [...usual] : orders.map((each) => resolveOrder(each, aggs))
  return found.some(({ by }) => by === 'key') ? found : [...found, { by: 'key', order: 'asc' }]
}

function resolveOrder({ name, order, path }: UnresolvedOrder, aggs: Aggregations): BucketOrder {
  if (name === '_count') return { by: 'count', order }
  if (name === '_key') return { by: 'key', order }
  const whole = aggs.get(name)
  if (whole !== undefined)
    return parts(whole) === null
      ? { by: { metric: name, of: null }, order }
      : fault(path, `must name a value, such as ${name}.${parts(whole)?.[0] ?? 'avg'}`)
  // The name of an aggregation may have a dot of its own.
  for (const [metric, agg] of aggs) {
    const of = name.slice(metric.length + 1)
    if (name.startsWith(`${metric}.`) && parts(agg)?.includes(of)) return { by: { metric, of }, order }
  }
  return fault(path, 'must be _count, _key or a metric directly below')
}

/** Members of a metric, null for a metric with one value, none for buckets and top hits. */
function parts(agg: Aggregation): readonly string[] | null {
  if (agg.kind === 'percentiles') return agg.percents.map(String)
  return agg.kind === 'top_hits' || 'aggs' in agg ? [] : PARTS[agg.kind]
}

/** Reads the parameters; the sub-aggregations, which an order may name, are known only afterwards. */
export type ReadBuckets = (
  value: unknown,
  path: string,
  reading: Reading,
  depth: number,
) => (aggs: Aggregations) => Aggregation

const MAX_BUCKETS = 10_000
const MAX_COUNT = 1_000_000_000
const OTHER = '_other_'
const BY_KEY: readonly BucketOrder[] = [{ by: 'key', order: 'asc' }]
const BY_COUNT: readonly BucketOrder[] = [{ by: 'count', order: 'desc' }]

const withSubAggregations =
  (buckets: Buckets) =>
  (aggs: Aggregations): Aggregation => ({ ...buckets, aggs })

const withOrder =
  (buckets: Buckets, orders: readonly UnresolvedOrder[] = [], usual: readonly BucketOrder[] = BY_KEY) =>
  (aggs: Aggregations): Aggregation =>
    ({ ...buckets, order: bucketOrder(orders, usual, aggs), aggs }) as Aggregation

const terms: ReadBuckets = (value, path, reading) => {
  const found = members(value, path, {
    field: (one: unknown, where: string) => orderedField(one, where, reading),
    size: integer(1, MAX_BUCKETS),
    order: readOrder,
    min_doc_count: integer(1, MAX_COUNT),
  })
  const field = requireMember(found.field, at(path, 'field'))
  const { size = 10, min_doc_count: minDocCount = 1 } = found
  return withOrder({ kind: 'terms', field, size, minDocCount, order: [] }, found.order, BY_COUNT)
}

const dateHistogram: ReadBuckets = (value, path, reading) => {
  const found = members(value, path, {
    field: fieldOfKind(reading, 'date'),
    interval,
    calendar_interval: calendarInterval,
    fixed_interval: fixedInterval,
    min_doc_count: integer(0, MAX_COUNT),
    order: readOrder,
    keyed: boolean,
  })
  const field = requireMember(found.field, at(path, 'field'))
  const [every, another] = [found.interval, found.calendar_interval, found.fixed_interval].filter((one) => one)
  if (every === undefined || another !== undefined)
    fault(path, 'must have exactly one of interval, calendar_interval, fixed_interval')
  const { min_doc_count: minDocCount = 0, keyed = false } = found
  return withOrder({ kind: 'date_histogram', field, interval: every, minDocCount, order: [], keyed }, found.order)
}

const histogram: ReadBuckets = (value, path, reading) => {
  const found = members(value, path, {
    field: fieldOfKind(reading, 'number'),
    interval: positive,
    offset: number,
    min_doc_count: integer(0, MAX_COUNT),
    order: readOrder,
    keyed: boolean,
  })
  const field = requireMember(found.field, at(path, 'field'))
  const every = requireMember(found.interval, at(path, 'interval'))
  const { offset = 0, min_doc_count: minDocCount = 0, keyed = false } = found
  return withOrder({ kind: 'histogram', field, interval: every, offset, minDocCount, order: [], keyed }, found.order)
}

const filter: ReadBuckets = (value, path, reading, depth) =>
  withSubAggregations({ kind: 'filter', clause: clause(value, path, reading, depth) })

const filters: ReadBuckets = (value, path, reading, depth) => {
  const one = (given: unknown, where: string): Clause => clause(given, where, reading, depth)
  const found = members(value, path, {
    filters: (given: unknown, where: string) => readFilters(given, where, one),
    other_bucket: boolean,
    other_bucket_key: bucketKey,
  })
  const { names, clauses } = requireMember(found.filters, at(path, 'filters'))
  const wanted = found.other_bucket ?? found.other_bucket_key !== undefined
  const other = wanted ? (found.other_bucket_key ?? OTHER) : null
  if (other !== null && names?.includes(other)) fault(path, `must not contain the key ${other} twice`)
  return withSubAggregations({ kind: 'filters', names, clauses, other })
}

function readFilters(value: unknown, path: string, one: (given: unknown, path: string) => Clause) {
  // The bound on clauses ends long lists as they are read.
  if (Array.isArray(value))
    return full({ names: null, clauses: list(Number.POSITIVE_INFINITY, one)(value, path) }, path)
  const given = object(value, path)
  const names = Object.keys(given).map((name) => bucketKey(name, at(path, name)))
  return full({ names, clauses: names.map((name) => one(given[name], at(path, name))) }, path)
}

function full<T extends { clauses: Clause[] }>(found: T, path: string): T {
  return found.clauses.length > 0 ? found : fault(path, 'must not be empty')
}

function positive(value: unknown, path: string): number {
  const found = number(value, path)
  return found > 0 ? found : fault(path, 'must be more than 0')
}

/** By kind. A kind that is left out does not compile. */
export const bucketKinds: Readonly<Record<Buckets['kind'], ReadBuckets>> = {
  terms,
  range: (value, path, reading) => withSubAggregations(ranges('range', value, path, reading)),
  date_range: (value, path, reading) => withSubAggregations(ranges('date_range', value, path, reading)),
  date_histogram: dateHistogram,
  histogram,
  filter,
  filters,
}
