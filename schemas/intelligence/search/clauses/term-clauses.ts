import type { Network } from '../../compare/compare-networks.ts'
import type { Bound, Clause, Field, Value } from '../clause.ts'
import { at, fault } from '../fault.ts'
import { count, type Reading } from '../reading.ts'
import { list, members, object, requireMember, single } from '../shape.ts'
import { boolean, number, string, text } from '../values/scalars.ts'
import { dates, equal, fieldAt, fieldByName, networkOf, valuesOf } from '../values/value.ts'
import { any } from './combine.ts'

/** Reads what stands under the kind of a clause. */
export type ReadClause = (value: unknown, path: string, reading: Reading) => Clause

/** Most values of a list of values. */
const MAX_VALUES = 10_000

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** `{"field": x}` or `{"field": {"value": x, "case_insensitive": false}}`. */
export const term: ReadClause = (value, path, reading) => {
  const [name, given] = single(value, path, 'the field')
  const [field, inside] = fieldAt(name, path, reading)
  count(reading, path)
  if (!isObject(given)) return equal(field, given, inside, reading)
  const found = members(given, inside, {
    value: (one: unknown) => one,
    case_insensitive: boolean,
    boost: number,
  })
  const x = requireMember(found.value, at(inside, 'value'))
  return equal(field, x, at(inside, 'value'), reading, found.case_insensitive ?? false)
}

/** `{"field": [x, y]}`. A list counts as one clause; a date or a network in it, which is a range, as one more. */
export const terms: ReadClause = (value, path, reading) => {
  const given = object(value, path)
  if (Object.hasOwn(given, 'boost')) number(given.boost, at(path, 'boost'))
  const names = Object.keys(given).filter((name) => name !== 'boost')
  if (names.length !== 1) fault(path, 'must be an object with exactly one member, the field')
  const [field, inside] = fieldAt(names[0]!, path, reading)
  count(reading, path)
  const raw = given[names[0]!]
  if (field.kind === 'date') {
    const should = list(MAX_VALUES, (one, where) => {
      count(reading, where)
      return equal(field, one, where, reading)
    })(raw, inside)
    return should.length === 0 ? { is: 'none' } : { is: 'bool', must: [], mustNot: [], should, atLeast: 1 }
  }
  const networks: Network[] = []
  const read = list(MAX_VALUES, (one, where) => {
    const network = networkOf(field, one)
    if (network !== null) {
      count(reading, where)
      networks.push(network)
    }
    return valuesOf(field, one, where)
  })
  const values = new Set<Value>(read(raw, inside).flat())
  return any([
    values.size === 0 ? { is: 'none' } : { is: 'equals', field, values: [...values], caseless: false },
    networks.length === 0 ? { is: 'none' } : { is: 'within', field, networks },
  ])
}

/** `{"values": [id, ...]}`. */
export const ids: ReadClause = (value, path, reading) => {
  count(reading, path)
  const found = members(value, path, {
    values: list(MAX_VALUES, string),
    boost: number,
  })
  const values = requireMember(found.values, at(path, 'values'))
  const field: Field = { name: 'id', kind: 'keyword' }
  return values.length === 0 ? { is: 'none' } : { is: 'equals', field, values: [...new Set(values)], caseless: false }
}

export const exists: ReadClause = (value, path, reading) => {
  count(reading, path)
  const found = members(value, path, {
    field: (one: unknown, where: string) => fieldByName(one, where, reading),
    boost: number,
  })
  return { is: 'exists', field: requireMember(found.field, at(path, 'field')) }
}

/** `{"field": {"gte", "gt", "lte", "lt"}}`, at most one of each end. */
export const range: ReadClause = (value, path, reading) => {
  const [name, given] = single(value, path, 'the field')
  const [field, inside] = fieldAt(name, path, reading)
  count(reading, path)
  const end = (side: Side) => (one: unknown, where: string) => bound(field, side, one, where, reading)
  const found = members(given, inside, {
    gte: end('gte'),
    gt: end('gt'),
    lte: end('lte'),
    lt: end('lt'),
    boost: number,
  })
  if (found.gte && found.gt) fault(inside, 'must have gte or gt, not both')
  if (found.lte && found.lt) fault(inside, 'must have lte or lt, not both')
  const [from, to] = [found.gte ?? found.gt ?? null, found.lte ?? found.lt ?? null]
  if (from === null && to === null) fault(inside, 'must have at least one of gte, gt, lte, lt')
  return between(field, from, to, inside)
}

export type Side = 'gte' | 'gt' | 'lte' | 'lt'

/** One end of a range in the terms of the field; `gte` and `lt` take the first moment of a date, the others its last. */
export function bound(field: Field, side: Side, value: unknown, path: string, reading: Reading): Bound {
  const inclusive = side === 'gte' || side === 'lte'
  if (field.kind === 'number') return { value: number(value, path), inclusive }
  if (field.kind !== 'date') return { value: text(value, path), inclusive }
  const { first, last } = dates(value, path, reading)
  return { value: side === 'gte' || side === 'lt' ? first : last, inclusive }
}

export function between(field: Field, from: Bound | null, to: Bound | null, path: string): Clause {
  if (field.kind === 'boolean') fault(path, 'cannot be a range, because the field is a boolean')
  if (field.name === 'anyAttribute') fault(path, 'cannot be a range over all attributes; name one attribute')
  return { is: 'range', field, from, to }
}
