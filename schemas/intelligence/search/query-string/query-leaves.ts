import type { Clause, Field } from '../clause.ts'
import { auto, fuzziness, fuzzyOf, prefixOf, regexpOf, wildcardOf } from '../clauses/letter-clauses.ts'
import { phrase, termOf } from '../clauses/match.ts'
import { between, bound, type Side } from '../clauses/term-clauses.ts'
import { fault } from '../fault.ts'
import { count, type Reading } from '../reading.ts'
import { type QueryToken, unescapeText } from './query-lexer.ts'

/** What a query string holds against a field; `named` when the field stands in front of it. */
export type Leaf = { value: QueryToken; edits: { edits: number | null } | null; named: boolean; reading: Reading }

const WILDCARD = /^(?:[^*?\\]|\\.)*[*?]/s
const PREFIX = /^(?:[^*?\\]|\\.)+\*$/s

/** The clause of one field. Faults carry no path: the place in the text is added above. */
export function leaf(field: Field, { value, edits, named, reading }: Leaf): Clause {
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
