import { MAIL_TYPES, NAME_TYPES, suffixForm, URL_TYPES } from '../compare/compare-names.ts'
import { isRefusal } from '../entities/refusal.ts'
import type { Clause, Field } from './clause.ts'
import { type AtLeast, minimum } from './clauses/at-least.ts'
import { fuzzy, prefix, regexp, wildcard } from './clauses/letter-clauses.ts'
import { match, matchBoolPrefix, matchPhrase, matchPhrasePrefix, multiMatch } from './clauses/match-clauses.ts'
import { exists, ids, isObject, type ReadClause, range, term, terms } from './clauses/term-clauses.ts'
import { at, fault } from './fault.ts'
import { queryString } from './query-string/query-string.ts'
import { simpleQueryString } from './query-string/simple-query-string.ts'
import { count, deeper, type Reading } from './reading.ts'
import { list, members, requireMember, single } from './shape.ts'
import { number, string } from './values/scalars.ts'
import { fieldAt } from './values/value.ts'

const NAMED: ReadonlySet<string> = new Set([...NAME_TYPES, ...URL_TYPES, ...MAIL_TYPES])

const hasNames = (field: Field): boolean =>
  field.name === 'value' || (field.name === 'attribute' && NAMED.has(field.attribute))

/** `{"field": x}` or `{"field": {"value": x}}`: names that are x or below it, by labels (decisions 10.3). */
const suffix: ReadClause = (value, path, reading) => {
  const [name, given] = single(value, path, 'the field')
  const [field, inside] = fieldAt(name, path, reading)
  count(reading, path)
  if (!hasNames(field))
    fault(inside, 'works only on value and on attributes that are domain names, URLs or email addresses')
  const where = isObject(given) ? at(inside, 'value') : inside
  const found = isObject(given) ? members(given, inside, { value: string, boost: number }).value : string(given, inside)
  const form = suffixForm(requireMember(found, where))
  return isRefusal(form) ? fault(where, form.reason) : { is: 'suffix', field, name: form }
}

type ReadNested = (...given: [...Parameters<ReadClause>, depth: number]) => Clause

const KINDS: Readonly<Record<string, ReadNested>> = {
  term,
  terms,
  ids,
  range,
  exists,
  prefix,
  suffix,
  wildcard,
  regexp,
  fuzzy,
  match,
  match_phrase: matchPhrase,
  match_phrase_prefix: matchPhrasePrefix,
  match_bool_prefix: matchBoolPrefix,
  multi_match: multiMatch,
  query_string: queryString,
  simple_query_string: simpleQueryString,
  bool: readNestedBool,
}

/** A clause: an object with one member, its kind (docs/use/search-reference.md, Clauses). `depth` of what it stands in. */
export function clause(value: unknown, path: string, reading: Reading, depth: number): Clause {
  const [kind, given] = single(value, path, 'the kind of the clause')
  const inside = at(path, kind)
  const read = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (read === undefined) fault(inside, `is not a kind of clause; expected one of ${Object.keys(KINDS).join(', ')}`)
  return read(given, inside, reading, depth)
}

function readNestedBool(value: unknown, path: string, reading: Reading, depth: number): Clause {
  count(reading, path)
  return bool(value, path, reading, depth)
}

/** `{"must", "should", "must_not", "filter", "minimum_should_match"}`. */
export function bool(value: unknown, path: string, reading: Reading, depth: number): Clause {
  const below = deeper(depth, path)
  // No list can be longer than the bound on clauses, which is counted as they are read.
  const clauses = list(Number.POSITIVE_INFINITY, (one, where) => clause(one, where, reading, below))
  const found = members(value, path, {
    must: clauses,
    should: clauses,
    must_not: clauses,
    filter: clauses,
    minimum_should_match: minimum,
    boost: number,
  })
  const { must = [], filter = [], should = [], must_not: mustNot = [] } = found
  return combineClauses([...must, ...filter], mustNot, should, found.minimum_should_match)
}

/** `should` needs one match when it stands without `must`, beside it none, unless it is said. */
function combineClauses(must: Clause[], mustNot: Clause[], should: Clause[], wanted?: AtLeast): Clause {
  if (must.length + mustNot.length + should.length === 0) return { is: 'all' }
  const usual = must.length === 0 ? 1 : 0
  const atLeast = should.length === 0 ? 0 : (wanted?.(should.length) ?? usual)
  if (atLeast > should.length) return { is: 'none' }
  return { is: 'bool', must, mustNot, should, atLeast }
}
