import type { BucketOrder, Buckets } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { AnswerPart, Bucket, Inside } from './found.ts'
import { startOf } from './intervals.ts'
import { decimal, iso } from './scalars.ts'

type Histogram = Extract<Buckets, { kind: 'date_histogram' | 'histogram' }>

/** @param take counts buckets before they are made */
export function histogramAnswer(
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

/** The buckets by ordinal, with the empty ones between the first and the last where they are asked for. */
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

/** In the order asked for, then by key; buckets without a value of the metric last. */
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

export const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
