import type { Clause } from '../clause.ts'
import { clause } from '../clauses.ts'
import { at, fault } from '../fault.ts'
import type { Reading } from '../reading.ts'
import { list, members, object, requireMember } from '../shape.ts'
import { boolean, integer, number } from '../values/scalars.ts'
import { orderedField } from '../values/value.ts'
import type { Aggregation, Aggregations, BucketOrder, Buckets } from './aggregation.ts'
import { bucketOrder, readOrder, type UnresolvedOrder } from './bucket-order.ts'
import { calendarInterval, fixedInterval, interval } from './intervals.ts'
import { fieldOfKind } from './metric-aggregations.ts'
import { bucketKey, ranges } from './range-buckets.ts'

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
