import { at, fault } from '../fault.ts'
import { deeper, type Reading } from '../reading.ts'
import { object } from '../shape.ts'
import type { Aggregation, Aggregations } from './aggregation.ts'
import { bucketKinds } from './bucket-aggregations.ts'
import { metricKinds } from './metric-aggregations.ts'

/** Most aggregations of a request, and most inside each other. */
const MAX_AGGREGATIONS = 100
const MAX_DEPTH = 10
const MAX_NAME_LENGTH = 128
const BELOW = ['aggs', 'aggregations']
const KINDS = [...Object.keys(bucketKinds), ...Object.keys(metricKinds)].join(', ')

/** Aggregations by name (docs/use/search-aggregations.md); `depth` of what they stand in, 0 for the body. */
export function aggregations(value: unknown, path: string, reading: Reading, depth: number): Aggregations {
  const given = object(value, path)
  if (depth >= MAX_DEPTH) fault(path, `is nested more than ${MAX_DEPTH} levels deep`)
  const below = deeper(depth, path)
  const found = new Map<string, Aggregation>()
  for (const name of Object.keys(given)) {
    const inside = at(path, name)
    if (name === '' || name.length > MAX_NAME_LENGTH || /[[\]>]/.test(name) || !name.isWellFormed())
      fault(inside, `must have a name of 1 to ${MAX_NAME_LENGTH} characters without [, ] and >`)
    reading.aggregations += 1
    if (reading.aggregations > MAX_AGGREGATIONS)
      fault(inside, `exceeds the maximum of ${MAX_AGGREGATIONS} aggregations per search`)
    found.set(name, aggregation(given[name], inside, reading, below))
  }
  return found
}

/** `{"kind": {...}, "aggs": {...}}`, or the sub-aggregations in the kind. */
function aggregation(value: unknown, path: string, reading: Reading, depth: number): Aggregation {
  const beside = split(value, path)
  const [kind, another] = Object.keys(beside.own)
  if (kind === undefined || another !== undefined)
    fault(path, `must have exactly one kind (besides aggs), one of ${KINDS}`)
  const inside = at(path, kind)
  const metric = own(metricKinds, kind)
  const buckets = own(bucketKinds, kind)
  if (metric === undefined && buckets === undefined)
    fault(inside, `is not a kind of aggregation; expected one of ${KINDS}`)
  const within = split(beside.own[kind], inside)
  const below = [...within.below, ...beside.below]
  if (metric !== undefined) {
    if (below.length > 0) fault(below[0]!.path, `is not allowed here: ${kind} has no buckets`)
    return metric(within.own, inside, reading)
  }
  const made = buckets!(within.own, inside, reading, depth)
  if (below.length > 1) fault(below[1]!.path, 'must not be given twice')
  const [aggs] = below
  return made(aggs === undefined ? new Map() : aggregations(aggs.given, aggs.path, reading, depth))
}

/** Undefined also for names that every object inherits. */
const own = <Read>(kinds: Readonly<Record<string, Read>>, kind: string): Read | undefined =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : undefined

type Split = { own: Record<string, unknown>; below: { given: unknown; path: string }[] }

/** Parts the sub-aggregations from what else an object has. */
function split(value: unknown, path: string): Split {
  const members = Object.entries(object(value, path))
  const below = members.filter(([name]) => BELOW.includes(name))
  const own = members.filter(([name]) => !BELOW.includes(name))
  return {
    own: Object.fromEntries(own),
    below: below.map(([name, given]) => ({ given, path: at(path, name) })),
  }
}
