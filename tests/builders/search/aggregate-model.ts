import type {
  Aggregation,
  Aggregations,
  BucketOrder,
  Interval,
  Metric,
} from '../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Bound, Clause, Field } from '../../../schemas/intelligence/search/clause.ts'

/** A record as the model of aggregations reads it. */
export type Counted = {
  id: string
  entityID: string
  type: string
  value: string
  userID: string
  time: number
  reputation: number
  accuracy: number
  wellKnown: boolean
  tags: string[]
  attributes: Record<string, string>
}

type Answer = Record<string, unknown>
type Value = string | number

/** Thrown by the model where the answer would have too many buckets. */
export class OverTheBound extends Error {}

const LIMIT = 10_000

/** The values of a field, as the page on searching says, one by one. */
export function valuesOf(field: Field, record: Counted): Value[] {
  switch (field.name) {
    case 'id':
    case 'entityID':
    case 'type':
    case 'userID':
      return [record[field.name]]
    case '@timestamp':
    case 'lastSeen':
      return [record.time]
    case 'reputation':
    case 'accuracy':
      return [record[field.name]]
    case 'wellKnown':
      return [record.wellKnown ? 1 : 0]
    case 'tags':
      return [...new Set(record.tags)]
    case 'attribute': {
      const text = field.attribute === record.type ? record.value : record.attributes[field.attribute]
      if (text === undefined) return []
      if (field.kind === 'keyword' || field.kind === 'text') return [text]
      const number = field.kind === 'number' ? Number(text) : Date.parse(text)
      return Number.isFinite(number) ? [number] : []
    }
    default:
      throw new Error(`the model does not know ${field.name}`)
  }
}

/** The two clauses that the model is asked about. */
export function meets(clause: Clause, record: Counted): boolean {
  if (clause.is === 'all') return true
  if (clause.is === 'bool')
    return (
      clause.must.every((each) => meets(each, record)) &&
      !clause.mustNot.some((each) => meets(each, record)) &&
      clause.should.filter((each) => meets(each, record)).length >= clause.atLeast
    )
  if (clause.is === 'range') {
    const { from, to } = clause
    return valuesOf(clause.field, record).some(
      (value) => (from === null || above(value, from)) && (to === null || below(value, to)),
    )
  }
  if (clause.is !== 'equals') throw new Error(`the model does not know ${clause.is}`)
  return valuesOf(clause.field, record).some((value) => clause.values.includes(value))
}

const above = (value: unknown, { value: bound, inclusive }: Bound): boolean =>
  inclusive ? Number(value) >= Number(bound) : Number(value) > Number(bound)
const below = (value: unknown, { value: bound, inclusive }: Bound): boolean =>
  inclusive ? Number(value) <= Number(bound) : Number(value) < Number(bound)

/** As the table keeps ids, and a page breaks ties: the second half of a UUID before the first. */
const placed = (id: string): string => id.slice(19) + id.slice(0, 19)

/** Every aggregation record by record, without a thought for cost. */
export function evaluate(aggs: Aggregations, records: readonly Counted[]): Answer {
  let left = LIMIT
  const count = (buckets: number): void => {
    left -= buckets
    if (left < 0) throw new OverTheBound()
  }
  const all = (level: Aggregations, inside: readonly Counted[]): Answer =>
    Object.fromEntries([...level].map(([name, each]) => [name, one(each, inside)]))

  const one = (aggregation: Aggregation, inside: readonly Counted[]): Answer => {
    switch (aggregation.kind) {
      case 'terms': {
        const groups = groupBy(inside, (record) => valuesOf(aggregation.field, record))
        const pairs = [...groups.values()].reduce((sum, group) => sum + group.length, 0)
        const made = [...groups].filter(([, group]) => group.length >= aggregation.minDocCount)
        const buckets = made.map(([key, group]) => {
          const text =
            aggregation.field.kind === 'boolean'
              ? { key_as_string: key === 1 ? 'true' : 'false' }
              : aggregation.field.kind === 'date' && { key_as_string: new Date(key).toISOString() }
          return { bucket: { key, ...text, doc_count: group.length, ...metrics(aggregation.aggs, group) }, group }
        })
        buckets.sort((a, b) => ordered(aggregation.order, a.bucket, b.bucket))
        const shown = buckets.slice(0, aggregation.size)
        count(shown.length)
        return {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: pairs - shown.reduce((sum, { group }) => sum + group.length, 0),
          buckets: shown.map(({ bucket, group }) => ({ ...bucket, ...all(aggregation.aggs, group) })),
        }
      }
      case 'date_histogram':
      case 'histogram': {
        const { minDocCount } = aggregation
        const step: Step =
          aggregation.kind === 'histogram' ? evenSteps(aggregation) : calendarSteps(aggregation.interval)
        const groups = groupBy(inside, (record) =>
          valuesOf(aggregation.field, record).map((value) => step.start(Number(value))),
        )
        const keys = [...groups].filter(([, group]) => group.length >= minDocCount).map(([key]) => key)
        keys.sort((a, b) => a - b)
        if (minDocCount === 0) {
          const last = keys.at(-1)
          for (let key = keys[0]; key !== undefined && key < last!; key = step.next(key)) {
            if (!groups.has(key)) keys.push(key)
            if (keys.length > LIMIT) throw new OverTheBound()
          }
        }
        count(keys.length)
        const buckets = keys.map((key) => {
          const text = aggregation.kind === 'date_histogram' && { key_as_string: new Date(key).toISOString() }
          const group = groups.get(key) ?? []
          return { ...text, key, doc_count: group.length, ...all(aggregation.aggs, group) }
        })
        return { buckets: buckets.sort((a, b) => ordered(aggregation.order, a, b)) }
      }
      case 'range':
      case 'date_range': {
        count(aggregation.ranges.length)
        const iso = aggregation.kind === 'date_range'
        const text = (n: number): string => (iso ? new Date(n).toISOString() : `${n}${Number.isInteger(n) ? '.0' : ''}`)
        const sorted = [...aggregation.ranges].sort(
          (a, b) => Math.sign((a.from ?? -1e20) - (b.from ?? -1e20)) || Math.sign((a.to ?? 1e20) - (b.to ?? 1e20)),
        )
        const buckets = sorted.map(({ key, from, to }) => {
          const group = inside.filter((record) =>
            valuesOf(aggregation.field, record).some(
              (v) => Number(v) >= (from ?? -Infinity) && Number(v) < (to ?? Infinity),
            ),
          )
          return {
            key: key ?? `${from === null ? '*' : text(from)}-${to === null ? '*' : text(to)}`,
            ...(from !== null && { from, ...(iso && { from_as_string: text(from) }) }),
            ...(to !== null && { to, ...(iso && { to_as_string: text(to) }) }),
            doc_count: group.length,
            ...all(aggregation.aggs, group),
          }
        })
        return { buckets }
      }
      case 'filter': {
        count(1)
        const group = inside.filter((record) => meets(aggregation.clause, record))
        return { doc_count: group.length, ...all(aggregation.aggs, group) }
      }
      case 'filters': {
        const groups = aggregation.clauses.map((clause) => inside.filter((record) => meets(clause, record)))
        if (aggregation.other !== null) {
          groups.push(inside.filter((record) => !aggregation.clauses.some((clause) => meets(clause, record))))
        }
        count(groups.length)
        const buckets = groups.map((group) => ({ doc_count: group.length, ...all(aggregation.aggs, group) }))
        if (aggregation.names === null) return { buckets }
        const names = [...aggregation.names, aggregation.other ?? '']
        return { buckets: Object.fromEntries(buckets.map((bucket, i) => [names[i], bucket])) }
      }
      case 'top_hits': {
        const { field, order } = aggregation.sort
        const sorted = [...inside].sort((a, b) => {
          const [x, y] = [valuesOf(field, a)[0], valuesOf(field, b)[0]]
          if (x !== y && (x === undefined || y === undefined)) return x === undefined ? 1 : -1
          const by = x === y ? compare(placed(a.id), placed(b.id)) : compare(x!, y!)
          return order === 'asc' ? by : -by
        })
        const hits = sorted.slice(aggregation.from, aggregation.from + aggregation.size).map(({ id }) => ({ id }))
        return { hits: { total: { value: inside.length, relation: 'eq' }, hits } }
      }
      default:
        return metric(aggregation, inside)
    }
  }
  return all(aggs, records)
}

const metrics = (aggs: Aggregations, group: readonly Counted[]): Answer =>
  Object.fromEntries(
    [...aggs].flatMap(([name, each]) =>
      each.kind !== 'top_hits' && !('aggs' in each) ? [[name, metric(each, group)]] : [],
    ),
  )

function metric(aggregation: Metric, group: readonly Counted[]): Answer {
  const values = group.flatMap((record) => valuesOf(aggregation.field, record))
  if (aggregation.kind === 'value_count') return { value: values.length }
  if (aggregation.kind === 'cardinality') return { value: new Set(values).size }
  const numbers = values.map(Number).sort((a, b) => a - b)
  const n = numbers.length
  const sum = numbers.reduce((total, each) => total + each, 0)
  const avg = n === 0 ? null : sum / n
  const [min, max] = [numbers[0] ?? null, numbers.at(-1) ?? null]
  if (aggregation.kind === 'avg') return { value: avg }
  if (aggregation.kind === 'sum') return { value: sum }
  if (aggregation.kind === 'min' || aggregation.kind === 'max') {
    const value = aggregation.kind === 'min' ? min : max
    const text = aggregation.field.kind === 'date' && value !== null
    return { value, ...(text && { value_as_string: new Date(value).toISOString() }) }
  }
  if (aggregation.kind === 'percentiles') {
    const pairs = aggregation.percents.map((percent) => [percent, percentile(numbers, percent)] as const)
    if (!aggregation.keyed) return { values: pairs.map(([key, value]) => ({ key, value })) }
    return {
      values: Object.fromEntries(pairs.map(([key, value]) => [Number.isInteger(key) ? `${key}.0` : `${key}`, value])),
    }
  }
  const stats = { count: n, min, max, avg, sum }
  if (aggregation.kind === 'stats') return stats
  const square = numbers.reduce((total, each) => total + (each - (avg ?? 0)) ** 2, 0)
  const [population, sampling] = [n === 0 ? null : square / n, n < 2 ? null : square / (n - 1)]
  const root = (variance: number | null): number | null => (variance === null ? null : Math.sqrt(variance))
  const { sigma } = aggregation as Extract<Metric, { kind: 'extended_stats' }>
  const bound = (variance: number | null, side: number): number | null =>
    variance === null ? null : avg! + side * sigma * Math.sqrt(variance)
  return {
    ...stats,
    sum_of_squares: n === 0 ? null : numbers.reduce((total, each) => total + each * each, 0),
    variance: population,
    variance_population: population,
    variance_sampling: sampling,
    std_deviation: root(population),
    std_deviation_population: root(population),
    std_deviation_sampling: root(sampling),
    std_deviation_bounds: {
      upper: bound(population, 1),
      lower: bound(population, -1),
      upper_population: bound(population, 1),
      lower_population: bound(population, -1),
      upper_sampling: bound(sampling, 1),
      lower_sampling: bound(sampling, -1),
    },
  }
}

function percentile(sorted: readonly number[], percent: number): number | null {
  if (sorted.length === 0) return null
  const at = (percent / 100) * (sorted.length - 1)
  const below = Math.floor(at)
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!]
  return low + (at - below) * (high - low)
}

const compare = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0)

function ordered(order: readonly BucketOrder[], a: Answer, b: Answer): number {
  for (const { by, order: direction } of order) {
    const of = (bucket: Answer): Value | null =>
      by === 'key'
        ? (bucket.key as Value)
        : by === 'count'
          ? (bucket.doc_count as number)
          : ((bucket[by.metric] as Answer)[by.of ?? 'value'] as number | null)
    const [x, y] = [of(a), of(b)]
    if (x !== y && (x === null || y === null)) return x === null ? 1 : -1
    if (x !== y) return (direction === 'asc' ? 1 : -1) * compare(x!, y!)
  }
  return compare(a.key as Value, b.key as Value)
}

function groupBy<K extends Value>(records: readonly Counted[], keysOf: (record: Counted) => K[]): Map<K, Counted[]> {
  const groups = new Map<K, Counted[]>()
  for (const record of records) {
    for (const key of keysOf(record)) groups.set(key, [...(groups.get(key) ?? []), record])
  }
  return groups
}

type Step = { start(value: number): number; next(start: number): number }

const evenSteps = ({ interval, offset }: { interval: number; offset: number }): Step => ({
  start: (value) => Math.floor((value - offset) / interval) * interval + offset,
  next: (start) => start + interval,
})

/** By the calendar of the language, unlike the ordinals of the real thing. */
function calendarSteps(interval: Interval): Step {
  if (interval.unit === 'ms') return evenSteps({ interval: interval.n, offset: 0 })
  const move = (ms: number, months: number): number => {
    const date = new Date(ms)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  }
  const month = (ms: number): number => new Date(ms).getUTCMonth()
  const MINUTE = 60_000
  const even = { minute: MINUTE, hour: 60 * MINUTE, day: 1440 * MINUTE }
  switch (interval.unit) {
    case 'month':
      return { start: (ms) => move(ms, 0), next: (ms) => move(ms, 1) }
    case 'quarter':
      return { start: (ms) => move(ms, -(month(ms) % 3)), next: (ms) => move(ms, 3) }
    case 'year':
      return { start: (ms) => move(ms, -month(ms)), next: (ms) => move(ms, 12) }
    case 'week': {
      const day = evenSteps({ interval: even.day, offset: 0 })
      const start = (ms: number): number => day.start(ms) - ((new Date(ms).getUTCDay() + 6) % 7) * even.day
      return { start, next: (ms) => ms + 7 * even.day }
    }
    default:
      return evenSteps({ interval: even[interval.unit], offset: 0 })
  }
}
