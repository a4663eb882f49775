import { MAX_TAGS } from '../ingest/tags.ts'
import { at, Fault, fault } from '../search/fault.ts'
import { members, type Read } from '../search/shape.ts'
import {
  asn,
  country,
  network,
  oneOrSome,
  prefix,
  seenWithin,
  some,
  suffix,
  tag,
  type,
  value,
  wellKnown,
} from './read-values.ts'
import { type Bounds, MAX_LISTED, MAX_VALUES, type Selector } from './selector.ts'

/** The name of the part that is wrong, such as `selector.tags.any`, and a message that goes on after the name. */
export type SelectorRefused = { ok: false; param: string; message: string }

/**
 * Reads a selector whole (decisions 10.3): its normal form, or its first fault in the order of the body. A selector that
 * was read reads as itself. Never throws; the time is linear in the length of the body.
 * @param path what the selector is called in its body, for the names of faults
 */
export function readSelector(body: unknown, path = 'selector'): { ok: true; selector: Selector } | SelectorRefused {
  try {
    return { ok: true, selector: read(body, path) }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, param: error.param, message: error.message }
    throw error
  }
}

function read(body: unknown, path: string): Selector {
  const found = members(body, path, {
    types: some(MAX_LISTED, type),
    reputation: bounds(-3, 3),
    accuracy: bounds(0, 3),
    tags,
    value: values,
    cidr: oneOrSome(MAX_LISTED, network),
    country: oneOrSome(MAX_LISTED, country),
    asn: oneOrSome(MAX_LISTED, asn),
    seenWithin,
    wellKnown,
  })
  return { ...found, wellKnown: found.wellKnown ?? false }
}

const bounds =
  (least: number, most: number): Read<Bounds> =>
  (given, path) => {
    const whole: Read<number> = (n, where) =>
      typeof n === 'number' && Number.isInteger(n) && n >= least && n <= most
        ? n
        : fault(where, `must be a whole number from ${least} to ${most}`)
    const found = notEmpty(members(given, path, { gte: whole, lte: whole }), path, 'gte or lte')
    if (found.gte !== undefined && found.lte !== undefined && found.gte > found.lte)
      fault(path, 'contradicts itself: gte is more than lte')
    return found
  }

const tags: Read<NonNullable<Selector['tags']>> = (given, path) => {
  const listed = some(MAX_TAGS, tag)
  const found = notEmpty(members(given, path, { any: listed, all: listed, none: listed }), path, 'any, all or none')
  const none = new Set(found.none)
  if (found.all?.some((one) => none.has(one))) fault(at(path, 'all'), 'contradicts itself: a tag of it is in none')
  if (found.any?.every((one) => none.has(one))) fault(at(path, 'any'), 'contradicts itself: all its tags are in none')
  return found
}

const values: Read<NonNullable<Selector['value']>> = (given, path) =>
  notEmpty(members(given, path, { in: some(MAX_VALUES, value), prefix, suffix }), path, 'in, prefix or suffix')

function notEmpty<T extends object>(found: T, path: string, wanted: string): T {
  return Object.keys(found).length === 0 ? fault(path, `must not be empty: give ${wanted}`) : found
}
