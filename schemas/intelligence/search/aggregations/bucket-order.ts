import { at, fault } from '../fault.ts'
import { list, single } from '../shape.ts'
import type { Aggregation, Aggregations, BucketOrder, Metric } from './aggregation.ts'
import { direction } from './metric-aggregations.ts'

/** An order as the request states it, before the sub-aggregations are known. */
export type UnresolvedOrder = { name: string; order: 'asc' | 'desc'; path: string }

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
export function readOrder(value: unknown, path: string): UnresolvedOrder[] {
  return Array.isArray(value) ? list(MAX_ORDERS, one)(value, path) : [one(value, path)]
}

function one(value: unknown, path: string): UnresolvedOrder {
  const [name, given] = single(value, path, '_count, _key or a metric')
  return { name, order: direction(given, at(path, name)), path: at(path, name) }
}

/** The order of buckets; what it leaves open is by key. */
export function bucketOrder(
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
