import {
  MAIL_TYPES,
  NAME_TYPES,
  URL_TYPES,
  urlsBelow,
  WEB_SCHEMES,
} from '../../../../schemas/intelligence/compare/compare-names.ts'
import type { Network } from '../../../../schemas/intelligence/compare/compare-networks.ts'
import type { Bound, Clause, Field, Value } from '../../../../schemas/intelligence/search/clause.ts'
import { CUT } from '../../../../schemas/intelligence/state/terms.ts'
import type { Binder } from './binder.ts'
import { type At, hasLetters, someNamedValue, someText, someValue, withIndex } from './field-tests.ts'
import { attributeText, fieldValue } from './field-value.ts'
import type { Surface } from './surface.ts'
import { fuzzy, prefix, regexp } from './text-patterns.ts'
import { phrase, words } from './text-phrases.ts'
import { isWord } from './text-words.ts'

/** Between two bounds: numbers and dates by size, whole keywords and texts in the order of their bytes. */
function range(field: Field, from: Bound | null, to: Bound | null, at: At): string {
  const { surface, b } = at
  const within = (v: string, bound: (bound: Bound, up: boolean) => string): string =>
    [
      from && `${v} ${from.inclusive ? '>=' : '>'} ${bound(from, from.inclusive)}`,
      to && `${v} ${to.inclusive ? '<=' : '<'} ${bound(to, !to.inclusive)}`,
    ]
      .filter((part) => part !== null)
      .join(' AND ') || '1'
  if (hasLetters(field)) return someValue(field, at, (v) => within(v, ({ value }) => b.bind(String(value), 'String')))
  const value = fieldValue(field, surface, b)
  const known = field.name === 'attribute' ? [`isNotNull(${value})`] : []
  const inside =
    field.kind === 'date'
      ? within(value, (bound, up) => `fromUnixTimestamp64Milli(${b.bind(millis(bound, up), 'Int64')}, 'UTC')`)
      : within(value, (bound) => b.bind(Number(bound.value), 'Float64'))
  return `(${[...known, field.name === 'attribute' ? `ifNull(${inside}, 0)` : inside].join(' AND ')})`
}

/** Times are whole milliseconds, so a bound between two of them is moved to the one that says the same. */
const millis = ({ value }: Bound, up: boolean): number => (up ? Math.ceil : Math.floor)(Number(value))

/**
 * An address in one of the networks, or a network inside one: the first bits of the address, as many as a network has, are
 * those of the network. One look into a set for each length that a network has, however many networks there are.
 */
function within({ field, networks }: Extract<Clause, { is: 'within' }>, at: At): string {
  const { surface, b } = at
  if (field.name === 'attribute') return inOneOf(networks, attributeText(field.attribute, surface, b), null, at)
  const { type, value } = surface.columns
  const long = `toUInt8OrZero(substring(${value}, position(${value}, '/') + 1))`
  return `multiIf(${type} = 'ip', ${inOneOf(networks, value, null, at)},
    ${type} = 'cidr', ${inOneOf(networks, `substringIndex(${value}, '/', 1)`, long, at)}, 0)`
}

/** @param long bits of the network that begins at the address; null for a single address */
function inOneOf(networks: readonly Network[], address: string, long: string | null, { b }: At): string {
  const family = (of: 4 | 6, first: (bits: number) => string, type: string): string[] =>
    [...Map.groupBy(networks, ({ range, bits }) => (range.family === of ? bits : -1))]
      .filter(([bits]) => bits >= 0)
      .map(([bits, list]) => {
        const firsts = b.bind([...new Set(list.map(({ range }) => range.first))], `Array(${type})`)
        return `(${long === null ? '' : `${long} >= ${bits} AND `}${first(bits)} IN ${firsts})`
      })
  const short = family(4, (bits) => `bitAnd(IPv4StringToNumOrDefault(${address}), ${mask(bits)})`, 'UInt32')
  const wide = family(6, (bits) => `lower(hex(IPv6CIDRToRange(toIPv6OrDefault(${address}), ${bits}).1))`, 'String')
  const colon = `position(${address}, ':')`
  const tests = [
    ...(short.length === 0 ? [] : [`(${address} != '' AND ${colon} = 0 AND (${short.join(' OR ')}))`]),
    ...(wide.length === 0 ? [] : [`(${colon} > 0 AND (${wide.join(' OR ')}))`]),
  ]
  return tests.length === 0 ? '0' : `(${tests.join(' OR ')})`
}

/** Its first bits set, of 32. */
const mask = (bits: number): number => 2 ** 32 - 2 ** (32 - bits)

/** A name is the suffix or below it, by labels: as `isBelow` of `hostNameOf` (schemas/intelligence/compare/compare-names.ts). */
function suffix({ field, name }: Extract<Clause, { is: 'suffix' }>, { surface, b }: At): string {
  const [whole, below] = [b.bind(name, 'String'), b.bind(`.${name}`, 'String')]
  const isBelow = (host: string): string => `(${host} = ${whole} OR endsWith(${host}, ${below}))`
  const tests: Record<'names' | 'mails' | 'urls', (value: string) => string> = {
    names: isBelow,
    // No name has an @ in it.
    mails: (value) => `(endsWith(${value}, ${b.bind(`@${name}`, 'String')}) OR endsWith(${value}, ${below}))`,
    urls: (value) => {
      const { web, other } = urlsBelow(name)
      const isOf = (pattern: string): string => `match(${value}, ${b.bind(pattern, 'String')})`
      const isWeb = `substringIndex(${value}, ':', 1) IN ${b.bind(WEB_SCHEMES, 'Array(String)')}`
      // Looking for the name comes first: it rules out nearly all, in a tenth of the time.
      return `(position(${value}, ${whole}) > 0 AND if(${isWeb}, ${isOf(web)}, ${isOf(other)}))`
    },
  }
  if (field.name === 'attribute') {
    const kind = URL_TYPES.includes(field.attribute) ? 'urls' : MAIL_TYPES.includes(field.attribute) ? 'mails' : 'names'
    return tests[kind](attributeText(field.attribute, surface, b))
  }
  const { type, value } = surface.columns
  const of = (kind: keyof typeof tests, types: readonly string[]): string =>
    `(${type} IN ${b.bind(types, 'Array(String)')} AND ${tests[kind](value)})`
  return `(${of('names', NAME_TYPES)} OR ${of('mails', MAIL_TYPES)} OR ${of('urls', URL_TYPES)})`
}

/** The whole value is one of these; of a text also: one of its words is. */
function equals(field: Field, values: readonly Value[], caseless: boolean, at: At): string {
  const { surface, b } = at
  if (field.kind === 'number') {
    const numbers = values.map(Number).filter((n) => !Number.isNaN(n))
    return `ifNull(${fieldValue(field, surface, b)} IN ${b.bind(numbers, 'Array(Float64)')}, 0)`
  }
  if (field.kind === 'date') {
    const times = values.map(Number).filter(Number.isSafeInteger)
    const time = `toUnixTimestamp64Milli(${fieldValue(field, surface, b)})`
    return `ifNull(${time} IN ${b.bind(times, 'Array(Int64)')}, 0)`
  }
  if (field.kind === 'boolean') return `${surface.columns[field.name]} IN ${b.bind(values.map(Number), 'Array(UInt8)')}`
  // Nothing that is stored is empty: empty text stands for what is absent.
  const texts = values.map(String).filter((text) => text !== '')
  return texts.length === 0 ? '0' : equalsText(field, texts, caseless, at)
}

function equalsText(field: Field, texts: readonly string[], caseless: boolean, at: At): string {
  const { surface, b } = at
  const lower = [...new Set(texts.map((text) => text.toLowerCase()))]
  const wanted = caseless ? lower : texts
  const whole = someNamedValue(field, at, (v) => `${caseless ? `lowerUTF8(${v})` : v} ${isOneOf(wanted, b)}`)
  const words = field.kind === 'text' ? lower.filter(isWord) : []
  const sought = words.length === 0 ? null : b.bind(words, 'Array(String)')
  const exact = sought === null ? whole : `(${whole} OR ${someText(field, at, (w) => `hasAny(${w}, ${sought})`)})`
  const { narrow } = surface
  if (field.name === 'id') return withIndex(narrow?.ids?.(caseless ? lower : texts, b), exact)
  if (field.name === 'entityID') return withIndex(narrow?.entityIDs?.(caseless ? lower : texts, b), exact)
  // An index of tags says it exactly, and the tags themselves are not read.
  if (field.name === 'tags' && !caseless)
    return narrow?.tags?.(texts, b) ?? withIndex(narrow?.tagged?.([...new Set(texts)], b), exact)
  if (field.name !== 'attribute' && field.name !== 'anyAttribute' && field.name !== 'value') return exact
  return withIndex(narrow?.terms?.(words.length === 0 ? lower : [...lower, CUT], 'any', b), exact)
}

/** One text is compared, which takes a third less than looking it up in a set. */
const isOneOf = (texts: readonly string[], b: Binder): string =>
  texts.length === 1 ? `= ${b.bind(texts[0], 'String')}` : `IN ${b.bind(texts, 'Array(String)')}`

/**
 * A clause as an SQL condition over the records of a surface (docs/use/search-reference.md, Clauses): 0 or 1, never NULL. Everything
 * that a caller wrote is bound (ADR 272).
 */
export function condition(clause: Clause, surface: Surface, b: Binder): string {
  return compile(clause, { surface, b })
}

function compile(clause: Clause, at: At): string {
  switch (clause.is) {
    case 'all':
      return '1'
    case 'none':
      return '0'
    case 'bool':
      return bool(clause, at)
    case 'equals':
      return equals(clause.field, clause.values, clause.caseless, at)
    case 'within':
      return within(clause, at)
    case 'suffix':
      return suffix(clause, at)
    case 'range':
      return range(clause.field, clause.from, clause.to, at)
    case 'exists':
      return exists(clause.field, at)
    case 'prefix':
      return prefix(clause, at)
    case 'regexp':
      return regexp(clause, at)
    case 'fuzzy':
      return fuzzy(clause, at)
    case 'words':
      return words(clause, at)
    case 'phrase':
      return phrase(clause, at)
  }
}

function bool({ must, mustNot, should, atLeast }: Extract<Clause, { is: 'bool' }>, at: At): string {
  const all = [
    ...must.map((clause) => compile(clause, at)),
    ...mustNot.map((clause) => `NOT ${compile(clause, at)}`),
    ...(atLeast < 1 ? [] : [some(should, atLeast, at)]),
  ]
  return all.length === 0 ? '1' : `(${all.join(' AND ')})`
}

function some(clauses: readonly Clause[], atLeast: number, at: At): string {
  if (clauses.length < atLeast) return '0'
  const conditions = (atLeast === 1 ? mergeEquals(clauses) : clauses).map((clause) => compile(clause, at))
  if (atLeast === 1) return `(${conditions.join(' OR ')})`
  if (atLeast === conditions.length) return `(${conditions.join(' AND ')})`
  return `(${conditions.map((one) => `toUInt32(${one})`).join(' + ')} >= ${atLeast})`
}

/**
 * Any of the clauses: those that test one field for values are merged into one test for all values, as in lists of
 * hundreds.
 */
function mergeEquals(clauses: readonly Clause[]): readonly Clause[] {
  const others: Clause[] = []
  const byField = new Map<string, Extract<Clause, { is: 'equals' }>>()
  for (const clause of clauses) {
    if (clause.is !== 'equals') {
      others.push(clause)
      continue
    }
    const key = JSON.stringify([clause.field, clause.caseless])
    byField.set(key, { ...clause, values: (byField.get(key)?.values ?? []).concat(clause.values) })
  }
  return [...byField.values(), ...others]
}

function exists(field: Field, at: At): string {
  if (field.name === 'tags') return `notEmpty(${at.surface.columns.tags})`
  if (field.name === 'attribute' && !hasLetters(field)) return `isNotNull(${fieldValue(field, at.surface, at.b)})`
  // Every record has a main value, and every column that is no text a value.
  return field.name === 'anyAttribute' || !hasLetters(field) ? '1' : someValue(field, at, () => '1')
}
