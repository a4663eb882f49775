import { at, fault } from '../fault.ts'
import type { Reading } from '../reading.ts'
import { list, members, type Read, requireMember } from '../shape.ts'
import { boolean, number, string } from '../values/scalars.ts'
import { dates } from '../values/value.ts'
import type { Buckets } from './aggregation.ts'
import { fieldOfKind } from './metric-aggregations.ts'

type RangeBucket = { key: string | null; from: number | null; to: number | null }

const MAX_RANGES = 1000
const MAX_KEY_LENGTH = 256

/** `field`, `ranges`, `keyed`: of numbers, or of dates, where a bound is the first moment of its date. */
export function ranges(kind: 'range' | 'date_range', value: unknown, path: string, reading: Reading): Buckets {
  const bound: Read<number> = kind === 'range' ? number : (one, where) => dates(one, where, reading).first
  const found = members(value, path, {
    field: fieldOfKind(reading, kind === 'range' ? 'number' : 'date'),
    ranges: list(MAX_RANGES, (one, where) => rangeOf(one, where, bound)),
    keyed: boolean,
  })
  const { keyed = false } = found
  const field = requireMember(found.field, at(path, 'field'))
  const given = requireMember(found.ranges, at(path, 'ranges'))
  if (given.length === 0) fault(at(path, 'ranges'), 'must not be empty')
  if (keyed) distinct(given, at(path, 'ranges'))
  return { kind, field, ranges: given.toSorted(byBounds), keyed }
}

function rangeOf(value: unknown, path: string, bound: Read<number>): RangeBucket {
  const found = members(value, path, { from: bound, to: bound, key: bucketKey })
  const { key = null, from = null, to = null } = found
  return from === null && to === null ? fault(path, 'must have from or to') : { key, from, to }
}

/** The name of a bucket. */
export const bucketKey: Read<string> = (value, path) => {
  const key = string(value, path)
  const ok = key !== '' && key.length <= MAX_KEY_LENGTH
  return ok ? key : fault(path, `must be a name of 1 to ${MAX_KEY_LENGTH} characters`)
}

/** Buckets by name: two of one name could not both be answered. */
function distinct(given: readonly RangeBucket[], path: string): void {
  const seen = new Set<string>()
  for (const [i, { key, from, to }] of given.entries()) {
    const name = key ?? `${from}-${to}`
    if (seen.has(name)) fault(`${path}[${i}]`, 'must not repeat the key of another range')
    seen.add(name)
  }
}

const byBounds = (a: RangeBucket, b: RangeBucket): number =>
  compare(a.from ?? Number.NEGATIVE_INFINITY, b.from ?? Number.NEGATIVE_INFINITY) ||
  compare(a.to ?? Number.POSITIVE_INFINITY, b.to ?? Number.POSITIVE_INFINITY)

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
