import type { Index } from '../question/address.ts'
import { kindOf } from '../question/fields.ts'
import type { Json } from '../question/json.ts'
import {
  AGGREGATIONS,
  type Aggregation,
  type AggregationKind,
  type BuilderRow,
  type Condition,
  type ConditionGroup,
  makesBuckets,
  newAggregation,
  newCondition,
  newGroup,
  operatorsOf,
  type SearchModel,
} from './model.ts'

/** Something that the builder cannot show; its path. */
class NotShowable extends Error {}

const notShowable = (path: string): never => {
  throw new NotShowable(path)
}

const MAX_DEPTH = 6
const MAX_ROWS = 200

/** The model of a body, or the path of the first part that the builder cannot show. Both mean the same. */
export function readBack(body: unknown, index: Index): SearchModel | { beyond: string } {
  try {
    const reader = { index, left: MAX_ROWS }
    const { query, aggs, aggregations, ...rest } = objectAt(body, 'the whole')
    for (const name of Object.keys(rest)) notShowable(name)
    if (aggs !== undefined && aggregations !== undefined) notShowable('aggregations')
    return {
      query: query === undefined ? newGroup() : groupAt(query, 'query', reader, 0),
      counts: aggregationsAt(aggs ?? aggregations, aggs === undefined ? 'aggregations' : 'aggs', reader, 0),
    }
  } catch (error) {
    if (error instanceof NotShowable) return { beyond: error.message }
    throw error
  }
}

type Reader = { readonly index: Index; left: number }

function objectAt(value: unknown, path: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notShowable(path)
  return value as Json
}

const listAt = (value: unknown, path: string): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : notShowable(path)

/** One list is one group; several lists are groups inside an `all` group. */
function groupAt(value: unknown, path: string, reader: Reader, depth: number): ConditionGroup {
  if (depth > MAX_DEPTH) notShowable(path)
  const { must, filter, should, must_not, minimum_should_match: least, ...rest } = objectAt(value, path)
  for (const name of Object.keys(rest)) notShowable(`${path}.${name}`)
  const rowsOf = (list: unknown, name: string): BuilderRow[] =>
    listAt(list, `${path}.${name}`).map((one, i) => rowAt(one, `${path}.${name}[${i}]`, reader, depth))
  const all = [...rowsOf(must, 'must'), ...rowsOf(filter, 'filter')]
  const any = rowsOf(should, 'should')
  const none = rowsOf(must_not, 'must_not')
  // Next to `must`, `should` requires no match unless the body says so.
  if (any.length > 0 && least !== 1 && (least !== undefined || all.length > 0)) notShowable(`${path}.should`)
  if (any.length === 0 && none.length === 0) return newGroup('all', all)
  if (all.length === 0 && none.length === 0) return newGroup('any', any)
  if (all.length === 0 && any.length === 0) return newGroup('none', none)
  return newGroup('all', [
    ...all,
    ...(any.length > 0 ? [newGroup('any', any)] : []),
    ...(none.length > 0 ? [newGroup('none', none)] : []),
  ])
}

function rowAt(value: unknown, path: string, reader: Reader, depth: number): BuilderRow {
  if (reader.left-- <= 0) notShowable(path)
  const entries = Object.entries(objectAt(value, path))
  const [kind, given] = entries.length === 1 ? entries[0]! : notShowable(path)
  if (kind !== 'bool') return leafAt(kind, given, `${path}.${kind}`, reader.index)
  const group = groupAt(given, `${path}.bool`, reader, depth + 1)
  const [only] = group.rows
  const negated =
    group.join === 'none' && group.rows.length === 1 && only !== undefined && !('rows' in only) && !only.not
  return negated ? { ...only, not: true } : group
}

function leafAt(kind: string, given: unknown, path: string, index: Index): Condition {
  const condition = (field: string, rest: Partial<Condition>): Condition => {
    const known = kindOf(field, index) !== null && operatorsOf(field, index).includes(rest.op!)
    return known ? newCondition({ field, ...rest }) : notShowable(path)
  }
  if (kind === 'exists') {
    const { field, ...rest } = objectAt(given, path)
    return typeof field === 'string' && Object.keys(rest).length === 0
      ? condition(field, { op: 'exists' })
      : notShowable(path)
  }
  const entries = Object.entries(objectAt(given, path))
  const [field, x] = entries.length === 1 ? entries[0]! : notShowable(path)
  if (kind === 'terms')
    return condition(field, { op: 'oneOf', values: listAt(x, path).map((one) => textOf(one, path)) })
  if (kind === 'range') return condition(field, { op: 'range', ...boundsAt(x, path) })
  if (kind === 'match') return condition(field, matchAt(x, path, kindOf(field, index) === 'text'))
  const op =
    (
      {
        term: 'is',
        prefix: 'begins',
        wildcard: 'wildcard',
        regexp: 'regexp',
        fuzzy: 'fuzzy',
        match_phrase: 'phrase',
      } as const
    )[kind] ?? notShowable(path)
  return condition(field, { op, value: textOf(unwrap(x, kind === 'match_phrase' ? 'query' : 'value', path), path) })
}

/** `x`, also where it is written `{"value": x}`. */
function unwrap(x: unknown, name: string, path: string): unknown {
  if (typeof x !== 'object' || x === null) return x
  const { [name]: value, ...rest } = objectAt(x, path)
  return Object.keys(rest).length === 0 ? value : notShowable(path)
}

/** Of a text all words, or one; of another field its value. */
function matchAt(x: unknown, path: string, isText: boolean): Partial<Condition> {
  const given = typeof x === 'object' && x !== null ? objectAt(x, path) : { query: x }
  const { query, operator, ...rest } = given
  const value = textOf(query, path)
  if (Object.keys(rest).length > 0) notShowable(path)
  if (!isText) return { op: 'is', value }
  return operator === 'and' || !/[\s\p{P}]/u.test(value.trim()) ? { op: 'words', value } : notShowable(path)
}

function boundsAt(x: unknown, path: string): Partial<Condition> {
  const { gte, gt, lte, lt, ...rest } = objectAt(x, path)
  if (
    Object.keys(rest).length > 0 ||
    (gte !== undefined && gt !== undefined) ||
    (lte !== undefined && lt !== undefined)
  )
    notShowable(path)
  const text = (bound: unknown) => (bound === undefined ? '' : textOf(bound, path))
  return { from: text(gte ?? gt), to: text(lte ?? lt), fromOpen: gt !== undefined, toOpen: lt !== undefined }
}

const textOf = (value: unknown, path: string): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : notShowable(path)

function aggregationsAt(value: unknown, path: string, reader: Reader, depth: number): Aggregation[] {
  if (value === undefined) return []
  if (depth > 2) notShowable(path)
  return Object.entries(objectAt(value, path)).map(([name, one]) =>
    aggregationAt(name, one, `${path}.${name}`, reader, depth),
  )
}

function aggregationAt(name: string, value: unknown, path: string, reader: Reader, depth: number): Aggregation {
  if (reader.left-- <= 0) notShowable(path)
  const { aggs, aggregations, ...kinds } = objectAt(value, path)
  const entries = Object.entries(kinds)
  const [kind, given] =
    entries.length === 1 && Object.hasOwn(AGGREGATIONS, entries[0]![0])
      ? (entries[0] as [AggregationKind, unknown])
      : notShowable(path)
  const { field, size, interval, calendar_interval, fixed_interval, ...rest } = objectAt(given, `${path}.${kind}`)
  const step = interval ?? calendar_interval ?? fixed_interval
  if (typeof field !== 'string' || kindOf(field, reader.index) === null || Object.keys(rest).length > 0)
    notShowable(`${path}.${kind}`)
  if (size !== undefined && (kind !== 'terms' || typeof size !== 'number')) notShowable(`${path}.${kind}.size`)
  if ((step !== undefined) !== (kind === 'histogram' || kind === 'date_histogram')) notShowable(`${path}.${kind}`)
  const below = aggs ?? aggregations
  if (below !== undefined && !makesBuckets(kind)) notShowable(`${path}.aggs`)
  return newAggregation({
    name,
    kind,
    field: field as string,
    ...(size === undefined ? {} : { size: size as number }),
    ...(step === undefined ? {} : { interval: textOf(step, path) }),
    inside: aggregationsAt(below, `${path}.aggs`, reader, depth + 1),
  })
}
