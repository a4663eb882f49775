import type { Field } from '../clause.ts'
import { isObject } from '../clauses/term-clauses.ts'
import { at, fault } from '../fault.ts'
import { sortFieldOf } from '../fields.ts'
import { names, source } from '../page.ts'
import type { Reading } from '../reading.ts'
import { list, members, requireMember, single } from '../shape.ts'
import { boolean, integer, number, oneOf } from '../values/scalars.ts'
import { orderedField } from '../values/value.ts'
import type { Metric, TopHits } from './aggregation.ts'

/** Reads the parameters of an aggregation that makes no buckets. */
export type ReadMetric = (value: unknown, path: string, reading: Reading) => Metric | TopHits

const USUAL_PERCENTS = [1, 5, 25, 50, 75, 95, 99]
const MAX_PERCENTS = 100
const MAX_HITS = 100
const MAX_FROM = 10_000

/** The member `field`, of one of these kinds. */
export const fieldOfKind =
  (reading: Reading, ...kinds: Field['kind'][]) =>
  (value: unknown, path: string): Field => {
    const field = orderedField(value, path, reading)
    return kinds.includes(field.kind) ? field : fault(path, `must be a ${kinds.join(' or a ')} field`)
  }

const ANY: Field['kind'][] = ['keyword', 'number', 'date', 'boolean']

const simple =
  (kind: 'avg' | 'sum' | 'min' | 'max' | 'value_count' | 'cardinality' | 'stats', ...of: Field['kind'][]): ReadMetric =>
  (value, path, reading) => {
    const found = members(value, path, { field: fieldOfKind(reading, ...of) })
    return { kind, field: requireMember(found.field, at(path, 'field')) }
  }

const extendedStats: ReadMetric = (value, path, reading) => {
  const found = members(value, path, { field: fieldOfKind(reading, 'number'), sigma: atLeastZero })
  return { kind: 'extended_stats', field: requireMember(found.field, at(path, 'field')), sigma: found.sigma ?? 2 }
}

const percentiles: ReadMetric = (value, path, reading) => {
  const found = members(value, path, {
    field: fieldOfKind(reading, 'number'),
    percents: list(MAX_PERCENTS, percent),
    keyed: boolean,
  })
  const percents = [...new Set(found.percents ?? USUAL_PERCENTS)]
  if (percents.length === 0) fault(at(path, 'percents'), 'must not be empty')
  return {
    kind: 'percentiles',
    field: requireMember(found.field, at(path, 'field')),
    percents,
    keyed: found.keyed ?? true,
  }
}

const topHits: ReadMetric = (value, path, reading) => {
  const found = members(value, path, {
    size: integer(0, MAX_HITS),
    from: integer(0, MAX_FROM),
    sort: list(1, (one, where) => sortOf(one, where, reading)),
    _source: (one: unknown, where: string) =>
      Array.isArray(one) ? { includes: names(one, where), excludes: [] } : source(one, where),
  })
  const newest: TopHits['sort'] = { field: { name: '@timestamp', kind: 'date' }, order: 'desc' }
  const { includes = [], excludes = [] } = found._source ?? {}
  const { size = 3, from = 0, sort: [sort = newest] = [] } = found
  return { kind: 'top_hits', size, from, sort, includes, excludes }
}

/** `{"field": {"order": "asc"}}` or `{"field": "asc"}`. */
function sortOf(value: unknown, path: string, { surface }: Reading): TopHits['sort'] {
  const [name, given] = single(value, path, 'the field')
  const inside = at(path, name)
  const field = sortFieldOf(name, surface)
  if ('reason' in field) fault(inside, field.reason)
  const order = isObject(given) ? members(given, inside, { order: direction }).order : direction(given, inside)
  return { field, order: requireMember(order, at(inside, 'order')) }
}

export const direction = oneOf('asc', 'desc')

function atLeastZero(value: unknown, path: string): number {
  const found = number(value, path)
  return found >= 0 ? found : fault(path, 'must be 0 or more')
}

function percent(value: unknown, path: string): number {
  const found = atLeastZero(value, path)
  return found <= 100 ? found : fault(path, 'must be from 0 to 100')
}

/** By kind. A kind that is left out does not compile. */
export const metricKinds: Readonly<Record<(Metric | TopHits)['kind'], ReadMetric>> = {
  avg: simple('avg', 'number'),
  sum: simple('sum', 'number'),
  min: simple('min', 'number', 'date'),
  max: simple('max', 'number', 'date'),
  value_count: simple('value_count', ...ANY),
  cardinality: simple('cardinality', ...ANY),
  stats: simple('stats', 'number'),
  extended_stats: extendedStats,
  percentiles,
  top_hits: topHits,
}
