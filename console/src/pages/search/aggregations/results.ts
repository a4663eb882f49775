import type { Json } from '../question/json.ts'

/** One bucket: its name, its number of records, and the clause that matches exactly these records. */
export type Bucket = {
  name: string
  count: number
  clause: Json | null
  /** Numbers computed of its records, by name. */
  numbers: Map<string, string>
  /** Buckets inside of it, by the name of their aggregation. */
  inside: Map<string, Bucket[]>
}

/** Adds clauses to the search, all of which have to match. */
export type AddClauses = (...clauses: Json[]) => void

/** The result of one aggregation. */
export type AggregationResult =
  | { is: 'buckets'; name: string; kind: string; field: string; buckets: Bucket[]; otherCount: number }
  | { is: 'numbers'; name: string; kind: string; field: string; numbers: [name: string, value: string][] }
  | { is: 'raw'; name: string; json: string }

const MAX_RAW = 20_000
const CALENDAR: Readonly<Record<string, string>> = {
  minute: '1m',
  hour: '1h',
  day: '1d',
  week: '1w',
  month: '1M',
  quarter: '3M',
  year: '1y',
  '1q': '3M',
}
const BUCKETS = new Set(['terms', 'date_histogram', 'histogram', 'range', 'date_range', 'filter', 'filters'])

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })
/** `1,234.5`; a dash for null. */
export const formatNumber = (value: unknown): string => (typeof value === 'number' ? NUMBER.format(value) : '–')

/** The aggregations of an answer, read with the request that they answer (docs/use/search-aggregations.md). */
export function readAggregations(body: Json, answer: Json | null): AggregationResult[] {
  const request = (body.aggs ?? body.aggregations ?? {}) as Json
  return Object.entries(answer ?? {}).map(([name, answer]) =>
    readAggregation(name, (request[name] ?? {}) as Json, answer as Json),
  )
}

const nestedAggregations = (request: Json): Json => {
  const { aggs, aggregations } = request
  return (aggs ?? aggregations ?? {}) as Json
}

function kindOf(request: Json): [kind: string, given: Json] {
  const kind = Object.keys(request).find((key) => key !== 'aggs' && key !== 'aggregations') ?? ''
  return [kind, (request[kind] ?? {}) as Json]
}

function readAggregation(name: string, request: Json, answer: Json): AggregationResult {
  const [kind, given] = kindOf(request)
  const field = String(given.field ?? '')
  if (BUCKETS.has(kind)) {
    const others = typeof answer.sum_other_doc_count === 'number' ? answer.sum_other_doc_count : 0
    return {
      is: 'buckets',
      name,
      kind,
      field,
      buckets: readBuckets(kind, given, nestedAggregations(request), answer),
      otherCount: others,
    }
  }
  const numbers = numbersOf(answer)
  if (numbers !== null) return { is: 'numbers', name, kind, field, numbers }
  return { is: 'raw', name, json: JSON.stringify(answer, null, 2).slice(0, MAX_RAW) }
}

function numbersOf(answer: Json): [string, string][] | null {
  if ('value' in answer) return [['', String(answer.value_as_string ?? formatNumber(answer.value))]]
  const values = 'values' in answer ? answer.values : answer
  if (typeof values !== 'object' || values === null) return null
  const entries: [string, unknown][] = Array.isArray(values)
    ? values.map(({ key, value }) => [String(key), value])
    : Object.entries(values)
  const plain = entries.filter(([, value]) => typeof value === 'number' || value === null)
  return plain.length === 0 ? null : plain.map(([name, value]) => [name, formatNumber(value)])
}

function readBuckets(kind: string, given: Json, inside: Json, answer: Json): Bucket[] {
  if (kind === 'filter') return [readBucket('Matching records', given, inside, answer)]
  const { buckets } = answer
  const listed: [string | undefined, Json][] = Array.isArray(buckets)
    ? buckets.map((one) => [undefined, one])
    : Object.entries((buckets ?? {}) as Json).map(([key, one]) => [key, one as Json])
  return listed.map(([key, one], i) => {
    const clause = kind === 'filters' ? filterAt(given.filters, key ?? i) : clauseOf(kind, given, one)
    return readBucket(key ?? nameOf(kind, given, one, i), clause, inside, one)
  })
}

function readBucket(name: string, clause: Json | null, inside: Json, answer: Json): Bucket {
  const made: Bucket = { name, count: Number(answer.doc_count ?? 0), clause, numbers: new Map(), inside: new Map() }
  for (const [below, request] of Object.entries(inside)) {
    const result = readAggregation(below, request as Json, (answer[below] ?? {}) as Json)
    if (result.is === 'buckets') made.inside.set(below, result.buckets)
    if (result.is === 'numbers')
      for (const [name, value] of result.numbers) made.numbers.set(name === '' ? below : `${below} ${name}`, value)
  }
  return made
}

const filterAt = (filters: unknown, key: string | number): Json | null =>
  ((filters as Json | undefined)?.[key] as Json | undefined) ?? null

function nameOf(kind: string, given: Json, { key, key_as_string }: Json, i: number): string {
  if (kind === 'date_histogram') return dateName(String(key_as_string), String(stepOf(given)))
  return String(key_as_string ?? key ?? i + 1)
}

/** Whole days without their midnight. */
const dateName = (iso: string, step: string): string => {
  const day = /day|week|month|quarter|year|[dwMqy]$/.test(step)
  return day ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}

const stepOf = ({ interval, calendar_interval, fixed_interval }: Json): unknown =>
  interval ?? calendar_interval ?? fixed_interval

function clauseOf(
  kind: string,
  given: Json,
  { key, key_as_string, from, to, from_as_string, to_as_string }: Json,
): Json | null {
  const field = String(given.field)
  if (kind === 'terms') {
    const value =
      key_as_string === 'true' || key_as_string === 'false' ? key_as_string === 'true' : (key_as_string ?? key)
    return { term: { [field]: value } }
  }
  if (kind === 'date_histogram') {
    const step = String(stepOf(given))
    return { range: { [field]: { gte: key_as_string, lt: `${key_as_string}||+${CALENDAR[step] ?? step}` } } }
  }
  if (kind === 'histogram') return { range: { [field]: { gte: key, lt: Number(key) + Number(given.interval) } } }
  const low = from_as_string ?? from
  const high = to_as_string ?? to
  if (low === undefined && high === undefined) return null
  return {
    range: { [field]: { ...(low === undefined ? {} : { gte: low }), ...(high === undefined ? {} : { lt: high }) } },
  }
}
