import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import { wanted } from './at-least.ts'
import { compare, distinct, type Field, fieldOf, type Shown, type Value, wordsOf } from './fields.ts'
import { holdsTree, type Tree, treeOf } from './query-tree.ts'
import { span } from './values/dates.ts'
import { insideNetwork, isBelowName, mainForms } from './values/inside.ts'
import { editsOf, matches, near, wildcardPattern } from './values/letters.ts'

/*
 * Whether a record meets a clause of docs/use/search-reference.md, read from the request itself. Only requests that the page allows
 * are asked here; what it refuses is tested by tables.
 */

// biome-ignore lint/suspicious/noExplicitAny: a request as JSON
export type Json = any

export type At = { record: Shown; now: number }
type Holds = (given: Json, at: At) => boolean

export const holds = (clause: Json, at: At): boolean => {
  const [[kind, given]] = Object.entries(clause) as [[string, Json]]
  return KINDS[kind]!(given, at)
}

export function bool(given: Json, at: At): boolean {
  const list = (name: string): Json[] => given[name] ?? []
  const should = list('should')
  const must = [...list('must'), ...list('filter')]
  const usual = must.length === 0 ? 1 : 0
  const least =
    should.length === 0
      ? 0
      : given.minimum_should_match === undefined
        ? usual
        : wanted(given.minimum_should_match, should.length)
  return (
    must.every((one) => holds(one, at)) &&
    !list('must_not').some((one) => holds(one, at)) &&
    should.filter((one) => holds(one, at)).length >= least
  )
}

const parts = (given: Json): [Field, Json] => {
  const [[name, value]] = Object.entries(given).filter(([name]) => name !== 'boost') as [[string, Json]]
  return [fieldOf(name), value]
}
const optionsOf = (value: Json, name: string): Json =>
  typeof value === 'object' && value !== null ? value : { [name]: value }

type Test = (text: string) => boolean

const wholes = (field: Field, { record }: At): string[] => field.values(record).map(String)
const wordsIn = (field: Field, { record }: At): string[] =>
  field.kind === 'text' ? field.texts(record).flatMap(wordsOf) : []

/** A whole value meets the one test, or a word of a text the other. */
const either = (field: Field, at: At, whole: Test, word: Test): boolean =>
  wholes(field, at).some(whole) || wordsIn(field, at).some(word)

const formsOf = (field: Field, x: string): string[] => {
  if (field.main) return mainForms(x)
  const normal = field.attribute === null ? null : normalise(field.attribute, x)
  return typeof normal === 'string' ? [x, normal] : [x]
}

export function equal(field: Field, x: Value, at: At, caseless = false): boolean {
  if (field.kind === 'date') {
    const { first, last } = span(x as string | number, at.now)
    return field.values(at.record).some((time) => Number(time) >= first && Number(time) <= last)
  }
  if (field.kind === 'number') return field.values(at.record).includes(Number(x))
  if (field.kind === 'boolean') return field.values(at.record).includes(String(x) === 'true')
  const same = caseless
    ? (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
    : (a: string, b: string) => a === b
  const forms = formsOf(field, String(x))
  if (field.networks && insideNetwork(at.record, field.attribute, String(x))) return true
  return either(
    field,
    at,
    (value) => forms.some((form) => same(value, form)),
    (word) => forms.some((form) => form.toLowerCase() === word),
  )
}

export function between(field: Field, given: Json, at: At): boolean {
  return field.values(at.record).some((value) =>
    Object.entries(given).every(([end, bound]) => {
      if (end === 'boost') return true
      const to = boundOf(field, end, bound as Value, at.now)
      const by = compare(value, to)
      return end === 'gt' ? by > 0 : end === 'gte' ? by >= 0 : end === 'lt' ? by < 0 : by <= 0
    }),
  )
}

function boundOf(field: Field, end: string, bound: Value, now: number): Value {
  if (field.kind === 'number') return Number(bound)
  if (field.kind !== 'date') return String(bound)
  const { first, last } = span(bound as string | number, now)
  return end === 'gte' || end === 'lt' ? first : last
}

export const begins = (field: Field, x: string, at: At, caseless = false): boolean =>
  either(
    field,
    at,
    (value) => (caseless ? value.toLowerCase().startsWith(x.toLowerCase()) : value.startsWith(x)),
    (word) => word.startsWith(x.toLowerCase()),
  )

export const meetsPattern = (field: Field, pattern: string, at: At, caseless = false): boolean =>
  either(
    field,
    at,
    (value) => matches(pattern, value, caseless),
    (word) => matches(pattern, word, true),
  )

export const isNear = (field: Field, x: string, at: At, edits: number, prefixLength = 0): boolean =>
  either(
    field,
    at,
    (value) => near(x, value, edits, prefixLength),
    (word) => near(x.toLowerCase(), word, edits, prefixLength),
  )

const isAny = (field: Field): boolean => field.attribute === null && field.kind === 'text'
const wholeAny = (field: Field, x: string, at: At): boolean =>
  isAny(field) && wholes(field, at).some((value) => value === x || value === x.toLowerCase())
const beginsAny = (field: Field, x: string, at: At): boolean =>
  isAny(field) && wholes(field, at).some((value) => value.toLowerCase().startsWith(x.toLowerCase()))

/** One of the texts has enough of these. */
function enough(field: Field, tests: readonly Test[], at: At, least: number): boolean {
  return field.texts(at.record).some((text) => {
    const there = wordsOf(text)
    return tests.filter((test) => there.some(test)).length >= Math.max(1, least)
  })
}

const leastOf = (options: Json, of: number): number =>
  String(options.operator ?? 'or').toLowerCase() === 'and'
    ? of
    : options.minimum_should_match === undefined
      ? 1
      : wanted(options.minimum_should_match, of)

export function match(field: Field, options: Json, at: At): boolean {
  const x = String(options.query)
  const { fuzziness } = options
  if (field.kind !== 'text')
    return fuzziness === undefined ? equal(field, x, at) : isNear(field, x, at, editsOf(fuzziness, x))
  const words = distinct(wordsOf(x))
  const least = Math.max(1, leastOf(options, words.length))
  if (wholeAny(field, x, at)) return true
  if (fuzziness === undefined)
    return enough(
      field,
      words.map((word) => (w: string) => w === word),
      at,
      least,
    )
  return words.filter((word) => isNear(field, word, at, editsOf(fuzziness, word))).length >= least
}

export function matchStart(field: Field, options: Json, at: At): boolean {
  const x = String(options.query)
  if (field.kind !== 'text') return field.kind === 'keyword' ? begins(field, x, at) : equal(field, x, at)
  if (beginsAny(field, x, at)) return true
  const words = wordsOf(x)
  const last = words.pop()
  if (last === undefined) return false
  const and = String(options.operator ?? 'or').toLowerCase() === 'and'
  const whole = and && words.includes(last)
  const others = distinct(words.filter((word) => word !== last))
  const tests: Test[] = [
    ...others.map((word) => (w: string) => w === word),
    (w) => (whole ? w === last : w.startsWith(last)),
  ]
  return enough(field, tests, at, leastOf(options, tests.length))
}

/** The words follow each other in one text. */
function follow(field: Field, x: string, at: At, lastBegins: boolean): boolean {
  const sought = wordsOf(x)
  if (sought.length === 0) return false
  return field.texts(at.record).some((text) => {
    const there = wordsOf(text)
    return there.some((_, from) =>
      sought.every((word, i) => {
        const found = there[from + i]
        return lastBegins && i === sought.length - 1 ? (found?.startsWith(word) ?? false) : found === word
      }),
    )
  })
}

export function phrase(field: Field, x: string, at: At): boolean {
  if (field.kind !== 'text') return equal(field, x, at)
  return wholeAny(field, x, at) || follow(field, x, at, false)
}

function phraseStart(field: Field, x: string, at: At): boolean {
  if (field.kind !== 'text') return field.kind === 'keyword' ? begins(field, x, at) : equal(field, x, at)
  return beginsAny(field, x, at) || follow(field, x, at, true)
}

/** A term of a query string: a whole value or a word; several words follow each other. */
export function termOf(field: Field, x: string, at: At): boolean {
  if (field.kind !== 'text') return equal(field, x, at)
  return equal(field, x, at) || wholes(field, at).includes(x.toLowerCase()) || follow(field, x, at, false)
}

const lettered =
  (test: (field: Field, x: string, at: At, caseless: boolean) => boolean): Holds =>
  (given, at) => {
    const [field, value] = parts(given)
    const options = optionsOf(value, 'value')
    return test(field, String(options.value ?? options.wildcard), at, options.case_insensitive ?? false)
  }

const worded =
  (test: (field: Field, options: Json, at: At) => boolean): Holds =>
  (given, at) => {
    const [field, value] = parts(given)
    return test(field, optionsOf(value, 'query'), at)
  }

export const USUAL = ['attributes.*', 'tags']
const fieldsOf = (names: Json): Field[] =>
  ((names ?? USUAL) as string[]).map((name) => fieldOf(name.replace(/\^[\d.]+$/, '')))

function multiMatch(given: Json, at: At): boolean {
  const fields = fieldsOf(given.fields)
  const x = String(given.query)
  switch (given.type) {
    case 'cross_fields': {
      const words = distinct(wordsOf(x))
      const found = words.filter((word) =>
        fields.some((field) => match(field, { query: word, fuzziness: given.fuzziness }, at)),
      )
      return found.length >= Math.max(1, leastOf(given, words.length))
    }
    case 'phrase':
      return fields.some((field) => phrase(field, x, at))
    case 'phrase_prefix':
      return fields.some((field) => phraseStart(field, x, at))
    case 'bool_prefix':
      return fields.some((field) => matchStart(field, given, at))
    default:
      return fields.some((field) => match(field, given, at))
  }
}

/** The tree that the text was written from. */
const written: Holds = (given, at) => {
  const tree: Tree = treeOf(given)
  const fields = given.default_field === undefined ? given.fields : [given.default_field]
  return holdsTree(tree, {
    at,
    fields: fieldsOf(fields),
    all: String(given.default_operator ?? 'or').toLowerCase() === 'and',
  })
}

const KINDS: Readonly<Record<string, Holds>> = {
  bool,
  term: (given, at) => {
    const [field, value] = parts(given)
    const options = optionsOf(value, 'value')
    return equal(field, options.value, at, options.case_insensitive ?? false)
  },
  terms: (given, at) => {
    const [field, list] = parts(given)
    return list.some((x: Value) => equal(field, x, at))
  },
  ids: ({ values }, { record }) => values.includes(record.id),
  range: (given, at) => between(...parts(given), at),
  exists: ({ field }, { record }) => fieldOf(field).values(record).length > 0,
  prefix: lettered(begins),
  suffix: (given, { record }) => {
    const [[name, value]] = Object.entries(given) as [[string, Json]]
    return isBelowName(record, name, String(optionsOf(value, 'value').value))
  },
  wildcard: lettered((field, x, at, caseless) => meetsPattern(field, wildcardPattern(x), at, caseless)),
  regexp: lettered(meetsPattern),
  fuzzy: (given, at) => {
    const [field, value] = parts(given)
    const options = optionsOf(value, 'value')
    const x = String(options.value)
    return isNear(field, x, at, editsOf(options.fuzziness, x), options.prefix_length ?? 0)
  },
  match: worded(match),
  match_phrase: worded((field, { query }, at) => phrase(field, String(query), at)),
  match_phrase_prefix: worded((field, { query }, at) => phraseStart(field, String(query), at)),
  match_bool_prefix: worded(matchStart),
  multi_match: multiMatch,
  query_string: written,
  simple_query_string: written,
}
