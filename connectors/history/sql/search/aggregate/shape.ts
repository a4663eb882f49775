import type {
  Aggregation,
  Aggregations,
  BucketOrder,
  Buckets,
} from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import { type Budget, budget } from './aggregation-bounds.ts'
import { startOf } from './intervals.ts'
import { isMetric } from './level.ts'
import { type AnswerRow, metricAnswer } from './metric-answer.ts'
import { type AnswerPart, type Bucket, type Inside, pathKey, type QueryResults } from './query-results.ts'
import { decimal, iso } from './scalars.ts'

type Histogram = Extract<Buckets, { kind: 'date_histogram' | 'histogram' }>

/** @param take counts buckets before they are made */
function histogramAnswer(
  buckets: Histogram,
  rows: readonly Bucket[],
  take: (buckets: number) => void,
  inside: Inside,
): AnswerPart {
  const made = fillBuckets(buckets, rows, take).map(({ ordinal, bucket }) => {
    return { ...histogramKey(buckets, ordinal), doc_count: bucket?.count ?? 0, ...inside(bucket) }
  })
  if (buckets.order.length > 0) made.sort(comparison(buckets.order))
  if (!buckets.keyed) return { buckets: made }
  return { buckets: Object.fromEntries(made.map((bucket) => [bucket.key_as_string ?? decimal(bucket.key), bucket])) }
}

function histogramKey(buckets: Histogram, ordinal: number): { key: number; key_as_string?: string } {
  if (buckets.kind === 'histogram') return { key: ordinal * buckets.interval + buckets.offset }
  const key = startOf(buckets.interval, ordinal)
  return { key_as_string: iso(key), key }
}

/** The buckets by ordinal, with the empty ones between the first and the last if requested. */
function fillBuckets(
  { minDocCount }: Histogram,
  rows: readonly Bucket[],
  take: (buckets: number) => void,
): { ordinal: number; bucket: Bucket | null }[] {
  const there = rows
    .filter(({ count }) => count >= minDocCount)
    .map((bucket) => ({ ordinal: Number(bucket.keys.at(-1)), bucket }))
    .sort((a, b) => compare(a.ordinal, b.ordinal))
  const [first, last] = [there[0]?.ordinal ?? 0, there.at(-1)?.ordinal ?? -1]
  // Past this no two ordinals are neighbours any more: there is nothing between them to show.
  const dense = minDocCount === 0 && Number.isSafeInteger(first) && Number.isSafeInteger(last)
  take(dense ? last - first + 1 : there.length)
  if (!dense) return there
  const byOrdinal = new Map(there.map(({ ordinal, bucket }) => [ordinal, bucket]))
  return Array.from({ length: last - first + 1 }, (_, i) => {
    return { ordinal: first + i, bucket: byOrdinal.get(first + i) ?? null }
  })
}

/** In the requested order, then by key; buckets without a value of the metric last. */
function comparison(order: readonly BucketOrder[]): (a: AnswerPart, b: AnswerPart) => number {
  const rules = order.map(({ by, order }) => ({ value: sortValue(by), sign: order === 'asc' ? 1 : -1 }))
  return (a, b) => {
    for (const { value, sign } of rules) {
      const [one, other] = [value(a), value(b)]
      if (one === null || other === null) {
        if (one !== other) return one === null ? 1 : -1
      } else if (one !== other) return sign * compare(one, other)
    }
    return compare(Number(a.key), Number(b.key))
  }
}

function sortValue(by: BucketOrder['by']): (bucket: AnswerPart) => number | null {
  if (by === 'key') return (bucket) => bucket.key as number
  if (by === 'count') return (bucket) => bucket.doc_count as number
  return (bucket) => memberOf(bucket[by.metric], by.of)
}

/** A member of the answer of a metric: `value`, `avg`, or a percentile. */
function memberOf(answer: unknown, of: string | null): number | null {
  const members = answer as AnswerPart
  const { values } = members
  if (values === undefined) return members[of ?? 'value'] as number | null
  if (!Array.isArray(values)) return (values as AnswerPart)[decimal(Number(of))] as number | null
  return (values as { key: number; value: number | null }[]).find(({ key }) => key === Number(of))?.value ?? null
}

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

/** Where in the answer something stands: names and keys on the way, and the row that its metrics are in. */
type AnswerPosition = {
  names: readonly string[]
  keys: Bucket['keys']
  count: number
  row: AnswerRow | null
  prefix: 'm' | 'r'
}

/** `values` of a field around a `terms`; `take` counts buckets before they are made. */
type Room = { values: number; take(buckets: number): void }

/** The answer of one aggregation with buckets, in one bucket around it. */
function bucketsAnswer(buckets: Buckets, rows: readonly Bucket[], room: Room, inside: Inside): AnswerPart {
  const { take } = room
  switch (buckets.kind) {
    case 'terms': {
      take(rows.length)
      const counted = rows.reduce((sum, { count }) => sum + count, 0)
      return {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: room.values - counted,
        buckets: rows.map((row) => ({ ...termKey(buckets, row), doc_count: row.count, ...inside(row) })),
      }
    }
    case 'date_histogram':
    case 'histogram':
      return histogramAnswer(buckets, rows, take, inside)
    case 'range':
    case 'date_range': {
      take(buckets.ranges.length)
      const text = buckets.kind === 'range' ? decimal : iso
      const byKey = new Map(rows.map((row) => [row.keys.at(-1)!, row]))
      const made = buckets.ranges
        .map((range, i) => ({ ...range, bucket: byKey.get(i) ?? null }))
        .sort(
          (a, b) => compare(a.from ?? -Infinity, b.from ?? -Infinity) || compare(a.to ?? Infinity, b.to ?? Infinity),
        )
        .map(({ key, from, to, bucket }) => ({
          key: key ?? `${from === null ? '*' : text(from)}-${to === null ? '*' : text(to)}`,
          ...(from !== null && { from, ...(text === iso && { from_as_string: iso(from) }) }),
          ...(to !== null && { to, ...(text === iso && { to_as_string: iso(to) }) }),
          doc_count: bucket?.count ?? 0,
          ...inside(bucket),
        }))
      if (!buckets.keyed) return { buckets: made }
      return { buckets: Object.fromEntries(made.map(({ key, ...bucket }) => [key, bucket])) }
    }
    case 'filter':
      take(1)
      return { doc_count: rows[0]?.count ?? 0, ...inside(rows[0] ?? null) }
    case 'filters': {
      const names = buckets.names
      const number = buckets.clauses.length + (buckets.other === null ? 0 : 1)
      take(number)
      const byKey = new Map(rows.map((row) => [row.keys.at(-1)!, row]))
      const made = Array.from({ length: number }, (_, i) => {
        const bucket = byKey.get(i) ?? null
        return { doc_count: bucket?.count ?? 0, ...inside(bucket) }
      })
      if (names === null) return { buckets: made }
      return { buckets: Object.fromEntries(made.map((bucket, i) => [names[i] ?? buckets.other, bucket])) }
    }
  }
}

function termKey({ field }: Extract<Buckets, { kind: 'terms' }>, { keys }: Bucket): AnswerPart {
  const key = keys.at(-1)!
  if (field.kind === 'boolean') return { key, key_as_string: key === 1 ? 'true' : 'false' }
  return field.kind === 'date' ? { key, key_as_string: iso(Number(key)) } : { key }
}

/**
 * The answer: by the caller's names, in the caller's order.
 * @throws TooManyBuckets when the empty ones make it too large
 */
export function shape(aggs: Aggregations, found: QueryResults): Record<string, unknown> {
  const { count, row } = found.root
  return answers(aggs, { names: [], keys: [], count, row, prefix: 'r' }, found, budget())
}

function answers(aggs: Aggregations, at: AnswerPosition, found: QueryResults, left: Budget): Record<string, unknown> {
  return Object.fromEntries([...aggs].map(([name, each], i) => [name, answer(name, i, each, at, found, left)]))
}

function answer(
  name: string,
  i: number,
  aggregation: Aggregation,
  at: AnswerPosition,
  found: QueryResults,
  left: Budget,
): unknown {
  const column = `${at.prefix}${i}`
  if (isMetric(aggregation)) return metricAnswer(aggregation, at.row, column)
  const names = [...at.names, name]
  const parent = pathKey(at.keys)
  if (aggregation.kind === 'top_hits') {
    const hits = found.hits.get(pathKey(names))?.get(parent) ?? []
    return { hits: { total: { value: at.count, relation: 'eq' }, hits } }
  }
  const rows = found.buckets.get(pathKey(names))?.get(parent) ?? []
  const values = Number(at.row?.[`${column}_values`] ?? 0)
  return bucketsAnswer(aggregation, rows, { values, take: (buckets) => left.take(name, buckets) }, (bucket) => {
    const inside: AnswerPosition = { names, prefix: 'm', ...(bucket ?? { keys: [], count: 0, row: null }) }
    // What is below an empty bucket is empty: no keys lead there.
    return answers(aggregation.aggs, inside, bucket === null ? NOTHING : found, left)
  })
}

const NOTHING: QueryResults = { root: { count: 0, row: null }, buckets: new Map(), hits: new Map() }
