import type { Buckets } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { AnswerPart, Bucket, Inside } from './found.ts'
import { compare, histogramAnswer } from './histogram-answer.ts'
import type { AnswerRow } from './metric-answer.ts'
import { decimal, iso } from './scalars.ts'

/** Where in the answer something stands: names and keys on the way, and the row that its metrics are in. */
export type AnswerPosition = {
  names: readonly string[]
  keys: Bucket['keys']
  count: number
  row: AnswerRow | null
  prefix: 'm' | 'r'
}

/** `values` of a field around a `terms`; `take` counts buckets before they are made. */
type Room = { values: number; take(buckets: number): void }

/** The answer of one aggregation with buckets, in one bucket around it. */
export function bucketsAnswer(buckets: Buckets, rows: readonly Bucket[], room: Room, inside: Inside): AnswerPart {
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
