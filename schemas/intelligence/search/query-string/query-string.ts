import { printableName } from '../../ingest/invalid.ts'
import type { Clause, Field } from '../clause.ts'
import { any, every } from '../clauses/combine.ts'
import { auto, fuzziness, fuzzyOf, prefixOf, regexpOf, wildcardOf } from '../clauses/letter-clauses.ts'
import { phrase, termOf } from '../clauses/match.ts'
import { fieldList, operator, usualFields } from '../clauses/match-clauses.ts'
import { between, bound, type Side } from '../clauses/term-clauses.ts'
import { at, Fault, fault } from '../fault.ts'
import { fieldOf } from '../fields.ts'
import { count, deeper, type Reading } from '../reading.ts'
import { members, requireMember } from '../shape.ts'
import { number, text } from '../values/scalars.ts'
import { fieldByName } from '../values/value.ts'
import { type QueryToken, queryTokens, unescapeText, wrong } from './query-lexer.ts'

/** What a query string holds against a field; `named` when the field stands in front of it. */
type Leaf = { value: QueryToken; edits: { edits: number | null } | null; named: boolean; reading: Reading }

const WILDCARD = /^(?:[^*?\\]|\\.)*[*?]/s
const PREFIX = /^(?:[^*?\\]|\\.)+\*$/s

/** The clause of one field. Faults carry no path: the place in the text is added above. */
function leaf(field: Field, { value, edits, named, reading }: Leaf): Clause {
  count(reading, '')
  switch (value.is) {
    case 'term':
      if (edits !== null) return fuzzy(field, unescapeText(value.raw), edits.edits)
      return WILDCARD.test(value.raw) ? wildcard(field, value.raw, named, reading) : term(field, value.raw, reading)
    case 'phrase':
      if (edits !== null && edits.edits !== 0) fault('', 'only ~0 is allowed after a phrase')
      return phrase(field, { text: value.text, path: '', reading })
    case 'regexp':
      return regexpOf(field, value.pattern, '', reading)
    case 'range':
      return range(field, value, reading)
    case 'compare':
      return half(field, value.side, value.text, reading)
    default:
      return fault('', `expected a term${value.is === 'end' ? '' : `, found ${value.is}`}`)
  }
}

const term = (field: Field, raw: string, reading: Reading): Clause =>
  termOf(field, { text: unescapeText(raw), path: '', reading })

const fuzzy = (field: Field, text: string, edits: number | null): Clause =>
  fuzzyOf(field, text, '', edits === null ? auto : fuzziness(edits, ''))

function wildcard(field: Field, raw: string, named: boolean, reading: Reading): Clause {
  if (raw === '*') return named ? { is: 'exists', field } : { is: 'all' }
  return PREFIX.test(raw)
    ? prefixOf(field, unescapeText(raw.slice(0, -1)), '', reading)
    : wildcardOf(field, raw, '', reading)
}

function range(field: Field, { from, to }: QueryToken & { is: 'range' }, reading: Reading): Clause {
  const end = (text: string | null, side: Side) => (text === null ? null : bound(field, side, text, '', reading))
  const found = [end(from.text, from.inclusive ? 'gte' : 'gt'), end(to.text, to.inclusive ? 'lte' : 'lt')] as const
  return found[0] === null && found[1] === null ? { is: 'exists', field } : between(field, ...found, '')
}

function half(field: Field, side: Side, text: string, reading: Reading): Clause {
  const one = bound(field, side, text, '', reading)
  return side === 'gt' || side === 'gte' ? between(field, one, null, '') : between(field, null, one, '')
}

/** One operand, with what stands in front of it. */
type Operand = { clause: Clause; negative: boolean; plus: boolean }

type Settings = { reading: Reading; both: boolean }

/** `{"query": "a AND b", "default_field" or "fields", "default_operator"}` (docs/use/search-reference.md, Clauses; ADR 94). */
export function queryString(value: unknown, path: string, reading: Reading, depth: number): Clause {
  const found = members(value, path, {
    query: text,
    default_field: (one: unknown, where: string) => [fieldByName(one, where, reading)],
    fields: fieldList(reading),
    default_operator: operator,
    boost: number,
  })
  const query = requireMember(found.query, at(path, 'query'))
  if (found.default_field && found.fields) fault(at(path, 'fields'), 'cannot be combined with default_field')
  const fields = found.default_field ?? found.fields ?? usualFields()
  const settings = { reading, both: found.default_operator === 'and' }
  try {
    return parseQuery(query, fields, settings, depth)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return fault(at(path, 'query'), error.message)
  }
}

function parseQuery(query: string, usual: readonly Field[], { reading, both }: Settings, from: number): Clause {
  const tokens = queryTokens(query)
  let token: QueryToken = tokens.next().value
  const next = (): QueryToken => {
    const before = token
    token = tokens.next().value
    return before
  }
  const clause = group(usual, from)
  return token.is === 'end' ? clause : wrong(token.at, 'the closing parenthesis has no opening one')

  /** Operands side by side: all of them with the default operator `and`, else any; `+` and `-` say must and must not. */
  function group(fields: readonly Field[], depth: number): Clause {
    const operands: Operand[] = []
    do operands.push(chain('OR', () => chain('AND', () => operand(fields, depth), joinClauses), either))
    while (token.is !== 'end' && token.is !== ')')
    return sideBySide(operands, both)
  }

  function chain(is: 'AND' | 'OR', part: () => Operand, join: (parts: Operand[]) => Clause): Operand {
    const parts = [part()]
    while (token.is === is) {
      next()
      parts.push(part())
    }
    return parts.length === 1 ? parts[0]! : { clause: join(parts), negative: false, plus: false }
  }

  function operand(fields: readonly Field[], depth: number): Operand {
    let negative = false
    let plus = false
    for (; token.is === 'NOT' || token.is === '-' || token.is === '+'; next()) {
      if (token.is === '+') plus = true
      else negative = !negative
    }
    return { clause: primary(fields, depth), negative, plus }
  }

  function primary(fields: readonly Field[], depth: number): Clause {
    const head = next()
    if (head.is === '(') return parenthesis(fields, depth, head.at)
    if (head.is !== 'field') return leaves(fields, head, false)
    if (head.name === '_exists_') return existing(next())
    const value = next()
    if (head.name === '*' && value.is === 'term' && value.raw === '*') return { is: 'all' }
    const named = [fieldIn(head.name, head.at)]
    return value.is === '(' ? parenthesis(named, depth, value.at) : leaves(named, value, true)
  }

  function parenthesis(fields: readonly Field[], depth: number, start: number): Clause {
    const inside = withPosition(start, () => {
      count(reading, '')
      return deeper(depth, '')
    })
    const clause = group(fields, inside)
    return next().is === ')' ? clause : wrong(start, 'the parenthesis is not closed')
  }

  function existing(value: QueryToken): Clause {
    if (value.is !== 'term') return wrong(value.at, 'expected the name of a field')
    withPosition(value.at, () => count(reading, ''))
    return { is: 'exists', field: fieldIn(unescapeText(value.raw), value.at) }
  }

  function fieldIn(name: string, start: number): Field {
    const found = fieldOf(name, reading.surface)
    return 'reason' in found ? wrong(start, `${printableName(name)} ${found.reason}`) : found
  }

  function leaves(fields: readonly Field[], value: QueryToken, named: boolean): Clause {
    const edits = (value.is === 'term' || value.is === 'phrase') && token.is === '~' ? next() : null
    const given: Leaf = { value, edits: edits?.is === '~' ? edits : null, named, reading }
    return withPosition(value.at, () => any(fields.map((one) => leaf(one, given))))
  }
}

/** Runs `work`; a fault that it throws gets the position in the query. */
function withPosition<T>(start: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return error instanceof Fault && !error.message.startsWith('has an error at character')
      ? wrong(start, error.message)
      : raise(error)
  }
}

function raise(error: unknown): never {
  throw error
}

/** Operands that stand beside each other: `all` of them have to hold, or any. */
export function sideBySide(operands: readonly Operand[], all: boolean): Clause {
  const of = (wanted: (operand: Operand) => boolean): Clause[] => operands.filter(wanted).map(({ clause }) => clause)
  const mustNot = of(({ negative }) => negative)
  const must = of(({ negative, plus }) => !negative && (plus || all))
  const should = of(({ negative, plus }) => !negative && !plus && !all)
  if (should.length === 0) return every(must, mustNot)
  if (must.length === 0 && mustNot.length === 0) return any(should)
  return { is: 'bool', must, mustNot, should, atLeast: must.length === 0 ? 1 : 0 }
}

/** All of the operands hold. */
export const joinClauses = (operands: readonly Operand[]): Clause => sideBySide(operands, true)

/** One of the operands holds. */
export const either = (operands: readonly Operand[]): Clause =>
  any(operands.map(({ clause, negative }) => (negative ? every([], [clause]) : clause)))
