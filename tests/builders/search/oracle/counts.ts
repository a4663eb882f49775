import { type At, holds, type Json } from './clauses.ts'
import { compare, distinct, fieldOf, type Shown, type Value } from './fields.ts'
import { inOrder } from './order.ts'
import { kept } from './source.ts'
import { span, start } from './values/dates.ts'

/** The answer would have more buckets than one may have. */
export class OverTheBound extends Error {}
const BOUND = 10_000

type Answer = Record<string, unknown>
type Bucket = { bucket: Json; group: readonly Shown[] }
type Fields = Readonly<Record<string, Json>>

const NOT_KINDS = ['aggs', 'aggregations']

/** Aggregations of docs/use/search-aggregations.md over plain records, read from the request itself. */
export function countsOf(aggs: Json, records: readonly Shown[], now: number): Answer {
  let left = BOUND
  return level(aggs, records)

  function level(aggs: Json, group: readonly Shown[]): Answer {
    return Object.fromEntries(
      Object.entries(aggs as Fields).map(([name, given]) => {
        const kind = Object.keys(given).find((one) => !NOT_KINDS.includes(one))!
        const own = given[kind]
        const below = given.aggs ?? given.aggregations ?? own.aggs ?? own.aggregations ?? {}
        return [name, answer(kind, own, below, group)]
      }),
    )
  }

  function take(buckets: number): void {
    left -= buckets
    if (left < 0) throw new OverTheBound()
  }

  function answer(kind: string, given: Json, below: Json, group: readonly Shown[]): Answer {
    const values = (record: Shown): Value[] => valuesOf(given.field, record)
    const inside = ({ bucket, group }: Bucket): Answer => ({ ...bucket, ...level(below, group) })
    const holding = (clause: Json) => (record: Shown) => holds(clause, { record, now } satisfies At)
    switch (kind) {
      case 'terms': {
        const all = grouped(group, values)
        const made = [...all]
          .filter(([, of]) => of.length >= (given.min_doc_count ?? 1))
          .map(([key, of]) => ({ bucket: { ...keyOf(given.field, key), doc_count: of.length }, group: of }))
        const shown = sorted(made, given.order ?? { _count: 'desc' }, below).slice(0, given.size ?? 10)
        take(shown.length)
        const pairs = [...all.values()].reduce((sum, of) => sum + of.length, 0)
        return {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: pairs - shown.reduce((sum, { group }) => sum + group.length, 0),
          buckets: shown.map(inside),
        }
      }
      case 'histogram': {
        const [interval, offset] = [Number(given.interval), Number(given.offset ?? 0)]
        const ordinal = (value: Value): number => Math.floor((Number(value) - offset) / interval)
        return histogram(given, below, group, {
          of: (record) => values(record).map(ordinal),
          next: (n) => n + 1,
          bucket: (n) => ({ key: n * interval + offset }),
        })
      }
      case 'date_histogram': {
        const every = stepOf(given.interval ?? given.calendar_interval ?? given.fixed_interval)
        return histogram(given, below, group, {
          of: (record) => values(record).map((value) => every.start(Number(value))),
          next: every.next,
          bucket: (key) => ({ key_as_string: new Date(key).toISOString(), key }),
        })
      }
      case 'range':
      case 'date_range':
        return ranges(kind === 'date_range', given, group, inside)
      case 'filter': {
        take(1)
        const of = group.filter(holding(given))
        return inside({ bucket: { doc_count: of.length }, group: of })
      }
      case 'filters': {
        const tests = Object.values(given.filters as Fields).map(holding)
        const names = Array.isArray(given.filters) ? null : Object.keys(given.filters)
        const groups = tests.map((test) => group.filter(test))
        if (given.other_bucket ?? given.other_bucket_key !== undefined) {
          groups.push(group.filter((record) => !tests.some((test) => test(record))))
          names?.push(given.other_bucket_key ?? '_other_')
        }
        take(groups.length)
        const buckets = groups.map((of) => inside({ bucket: { doc_count: of.length }, group: of }))
        return { buckets: names === null ? buckets : Object.fromEntries(buckets.map((one, i) => [names[i], one])) }
      }
      case 'top_hits': {
        const [[name, order]] = Object.entries((given.sort?.[0] ?? { '@timestamp': 'desc' }) as Fields) as [
          [string, Json],
        ]
        const from = given.from ?? 0
        const first = inOrder(group, { field: fieldOf(name), order: order.order ?? order })
        const hits = first
          .slice(from, from + (given.size ?? 3))
          .map((record) => kept(Array.isArray(given._source) ? { includes: given._source } : given._source, record))
        return { hits: { total: { value: group.length, relation: 'eq' }, hits } }
      }
      default:
        return metric(kind, given, group)
    }
  }

  type Steps = { of(record: Shown): number[]; next(key: number): number; bucket(key: number): Answer }

  function histogram(given: Json, below: Json, group: readonly Shown[], steps: Steps): Answer {
    const all = grouped(group, steps.of)
    const least = given.min_doc_count ?? 0
    const there = [...all].filter(([, of]) => of.length >= least).map(([key]) => Number(key))
    const keys = there.sort((a, b) => a - b)
    if (least === 0) {
      const last = keys.at(-1)
      for (let key = keys[0]; key !== undefined && key < last!; key = steps.next(key)) {
        if (!all.has(key)) keys.push(key)
        if (keys.length > BOUND) throw new OverTheBound()
      }
      keys.sort((a, b) => a - b)
    }
    take(keys.length)
    const made = keys.map((key) => {
      const of = all.get(key) ?? []
      return { bucket: { ...steps.bucket(key), doc_count: of.length }, group: of }
    })
    const buckets = sorted(made, given.order ?? { _key: 'asc' }, below).map(({ bucket, group }) => ({
      ...bucket,
      ...level(below, group),
    }))
    if (given.keyed !== true) return { buckets }
    return { buckets: Object.fromEntries(buckets.map((one) => [one.key_as_string ?? decimal(one.key), one])) }
  }

  function ranges(isDate: boolean, given: Json, group: readonly Shown[], inside: (bucket: Bucket) => Answer): Answer {
    const bound = (x: Json): number => (isDate ? span(x, now).first : Number(x))
    const text = (x: number): string => (isDate ? new Date(x).toISOString() : decimal(x))
    const read = (given.ranges as Json[]).map(({ key, from, to }) => ({
      key,
      from: from === undefined ? null : bound(from),
      to: to === undefined ? null : bound(to),
    }))
    read.sort(
      (a, b) => compare(a.from ?? -Infinity, b.from ?? -Infinity) || compare(a.to ?? Infinity, b.to ?? Infinity),
    )
    take(read.length)
    const made = read.map(({ key, from, to }) => {
      const of = group.filter((record) =>
        valuesOf(given.field, record).some((x) => Number(x) >= (from ?? -Infinity) && Number(x) < (to ?? Infinity)),
      )
      const bucket = {
        key: key ?? `${from === null ? '*' : text(from)}-${to === null ? '*' : text(to)}`,
        ...(from !== null && { from, ...(isDate && { from_as_string: text(from) }) }),
        ...(to !== null && { to, ...(isDate && { to_as_string: text(to) }) }),
        doc_count: of.length,
      }
      return inside({ bucket, group: of }) as Json
    })
    if (given.keyed !== true) return { buckets: made }
    return { buckets: Object.fromEntries(made.map(({ key, ...bucket }) => [key, bucket])) }
  }

  /** In the order asked for, then by key; buckets without the value last. */
  function sorted(buckets: Bucket[], order: Json, below: Json): Bucket[] {
    const rules = (Array.isArray(order) ? order : [order]).map((one) => Object.entries(one)[0] as [string, string])
    const shownValue = ({ bucket, group }: Bucket, name: string): Value | null => {
      if (name === '_count') return bucket.doc_count
      if (name === '_key') return bucket.key
      const [metric, part] = name.split('.') as [string, string?]
      const [[kind, given]] = Object.entries(below[metric]) as [[string, Json]]
      const told = answer(kind, given, {}, group) as Json
      if (told.values === undefined) return told[part ?? 'value']
      return Array.isArray(told.values)
        ? told.values.find(({ key }: Json) => key === Number(part)).value
        : told.values[decimal(Number(part))]
    }
    return [...buckets].sort((a, b) => {
      for (const [name, direction] of rules) {
        const [x, y] = [shownValue(a, name), shownValue(b, name)]
        if (x === y) continue
        if (x === null || y === null) return x === null ? 1 : -1
        const by = compare(x, y)
        if (by !== 0) return direction === 'asc' ? by : -by
      }
      return compare(a.bucket.key, b.bucket.key)
    })
  }
}

/** Values as they are counted: booleans as 1 and 0, each tag once. */
const valuesOf = (name: string, record: Shown): Value[] =>
  distinct(
    fieldOf(name)
      .values(record)
      .map((value) => (typeof value === 'boolean' ? Number(value) : value)),
  )

function keyOf(name: string, key: Value): Answer {
  const { kind } = fieldOf(name)
  if (kind === 'boolean') return { key, key_as_string: key === 1 ? 'true' : 'false' }
  return kind === 'date' ? { key, key_as_string: new Date(Number(key)).toISOString() } : { key }
}

function grouped<K extends Value>(records: readonly Shown[], keys: (record: Shown) => K[]): Map<K, Shown[]> {
  const groups = new Map<K, Shown[]>()
  for (const record of records)
    for (const key of keys(record)) {
      // A negative zero is a zero.
      const group = groups.get(key) ?? []
      group.push(record)
      groups.set(key === 0 ? (0 as K) : key, group)
    }
  return groups
}

type Steps = { start(time: number): number; next(start: number): number }

const UNITS: Readonly<Record<string, 'm' | 'h' | 'd' | 'w' | 'M' | 'q' | 'y'>> = {
  minute: 'm',
  hour: 'h',
  day: 'd',
  week: 'w',
  month: 'M',
  quarter: 'q',
  year: 'y',
}
const MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function stepOf(interval: string): Steps {
  const fixed = /^(\d+)([mhd])$/.exec(interval)
  if (fixed !== null) {
    const length = Number(fixed[1]) * MS[fixed[2] as 'm']
    return { start: (time) => Math.floor(time / length) * length, next: (at) => at + length }
  }
  const unit = UNITS[interval] ?? (interval.slice(1) as 'w')
  const begin = (time: number): number => start(new Date(time), unit).getTime()
  // Long enough to be in the next one, too short to pass it.
  const length = { m: 1, h: 61, d: 1441, w: 7 * 1440, M: 32 * 1440, q: 93 * 1440, y: 367 * 1440 }[unit] * 60_000
  return { start: begin, next: (at) => begin(at + length) }
}

const decimal = (x: number): string => (Number.isInteger(x) ? `${x}.0` : `${x}`)

function metric(kind: string, given: Json, group: readonly Shown[]): Answer {
  const values = group.flatMap((record) => valuesOf(given.field, record))
  if (kind === 'value_count') return { value: values.length }
  if (kind === 'cardinality') return { value: new Set(values).size }
  const numbers = values.map(Number).sort((a, b) => a - b)
  const n = numbers.length
  const sum = numbers.reduce((total, x) => total + x, 0)
  const of = (x: number): number | null => (n === 0 ? null : x)
  const [avg, min, max] = [of(sum / n), of(numbers[0]!), of(numbers.at(-1)!)]
  const dated = fieldOf(given.field).kind === 'date'
  switch (kind) {
    case 'avg':
      return { value: avg }
    case 'sum':
      return { value: sum }
    case 'min':
    case 'max': {
      const value = kind === 'min' ? min : max
      return { value, ...(dated && value !== null && { value_as_string: new Date(value).toISOString() }) }
    }
    case 'stats':
      return { count: n, min, max, avg, sum }
    case 'extended_stats': {
      const squares = numbers.reduce((total, x) => total + (x - sum / n) ** 2, 0)
      const population = of(squares / n)
      const sampling = n < 2 ? null : squares / (n - 1)
      const root = (x: number | null) => (x === null ? null : Math.sqrt(x))
      const off = (x: number | null, times: number) => (x === null ? null : sum / n + times * Math.sqrt(x))
      const sigma = Number(given.sigma ?? 2)
      return {
        count: n,
        min,
        max,
        avg,
        sum,
        sum_of_squares: of(numbers.reduce((total, x) => total + x * x, 0)),
        variance: population,
        variance_population: population,
        variance_sampling: sampling,
        std_deviation: root(population),
        std_deviation_population: root(population),
        std_deviation_sampling: root(sampling),
        std_deviation_bounds: {
          upper: off(population, sigma),
          lower: off(population, -sigma),
          upper_population: off(population, sigma),
          lower_population: off(population, -sigma),
          upper_sampling: off(sampling, sigma),
          lower_sampling: off(sampling, -sigma),
        },
      }
    }
    case 'percentiles': {
      const percents: number[] = distinct(given.percents ?? [1, 5, 25, 50, 75, 95, 99])
      const pairs = percents.map((percent) => [percent, of(percentile(numbers, percent))] as const)
      return {
        values:
          given.keyed === false
            ? pairs.map(([key, value]) => ({ key, value }))
            : Object.fromEntries(pairs.map(([key, value]) => [decimal(key), value])),
      }
    }
    default:
      throw new Error(`the oracle counts no ${kind}`)
  }
}

function percentile(numbers: readonly number[], percent: number): number {
  const at = (percent / 100) * (numbers.length - 1)
  const low = Math.floor(at)
  const [below, above] = [numbers[low]!, numbers[Math.min(low + 1, numbers.length - 1)]!]
  return below + (at - low) * (above - below)
}
