import { MAX_TERMS, words } from '../../state/terms.ts'
import type { Clause, Field } from '../clause.ts'
import { fault } from '../fault.ts'
import { count, type Reading } from '../reading.ts'
import { equal } from '../values/value.ts'
import type { AtLeast } from './at-least.ts'
import { any, some } from './combine.ts'
import { type Fuzziness, fuzzyOf, prefixOf } from './letter-clauses.ts'

/** How many words of a text have to be there. */
export type WantedWords = { operator?: 'or' | 'and' | undefined; minimum?: AtLeast | undefined }

/** The text of a search and where it stands. */
export type MatchInput = { text: string; path: string; reading: Reading }

/** The words of the text, any or all; on a field that is no text, the value. */
export function matching(
  field: Field,
  given: MatchInput,
  wanted: WantedWords & { fuzziness?: Fuzziness | undefined },
): Clause {
  const { text, path, reading } = given
  if (field.kind !== 'text')
    return wanted.fuzziness === undefined
      ? equal(field, text, path, reading)
      : fuzzyOf(field, text, path, wanted.fuzziness)
  const found = [...new Set(wordsOf(given))]
  const { fuzziness } = wanted
  if (fuzziness === undefined) return orWhole(field, given, wordsClause(field, found, wanted, false))
  count(reading, path, found.length)
  const each = found.map((word) => fuzzyOf(field, word, path, fuzziness))
  return orWhole(field, given, some(each, atLeast(found.length, wanted)))
}

/** The same, but the last word may be the beginning of one. */
export function matchingStart(field: Field, given: MatchInput, wanted: WantedWords): Clause {
  if (field.kind !== 'text') return starting(field, given)
  const all = wordsOf(given)
  const last = all.pop()
  if (last === undefined) return orStart(field, given, { is: 'none' })
  // A word that is wanted whole as well begins itself.
  const whole = wanted.operator === 'and' && all.includes(last)
  const found = [...new Set(all.filter((word) => word !== last)), last]
  return orStart(field, given, wordsClause(field, found, wanted, !whole))
}

/** The words of the text follow each other. */
export function phrase(field: Field, given: MatchInput): Clause {
  if (field.kind !== 'text') return equal(field, given.text, given.path, given.reading)
  const found = wordsOf(given)
  return orWhole(field, given, inOrder(field, found, false))
}

export function phraseStart(field: Field, given: MatchInput): Clause {
  if (field.kind !== 'text') return starting(field, given)
  return orStart(field, given, inOrder(field, wordsOf(given), true))
}

/**
 * A term of a query string: the whole value or a word of a text; more than one word have to follow each other. So an
 * address or a domain finds itself, not everything that shares a part with it.
 */
export function termOf(field: Field, given: MatchInput): Clause {
  const { text, path, reading } = given
  const whole = equal(field, text, path, reading)
  if (field.kind !== 'text' || whole.is !== 'equals') return whole
  const lower = text.toLowerCase()
  const exact: Clause = { ...whole, values: [...new Set([...whole.values, lower])] }
  const found = wordsOf(given)
  if (found.length === 0 || (found.length === 1 && found[0] === lower)) return exact
  count(reading, path)
  return any([exact, inOrder(field, found, false)])
}

function wordsOf({ text, path }: MatchInput): string[] {
  const found = words(text, MAX_TERMS + 1)
  return found.length > MAX_TERMS ? fault(path, `must have at most ${MAX_TERMS} words`) : found
}

function wordsClause(field: Field, found: string[], wanted: WantedWords, lastIsPrefix: boolean): Clause {
  const n = atLeast(found.length, wanted)
  return n > found.length ? { is: 'none' } : { is: 'words', field, words: found, atLeast: n, lastIsPrefix }
}

/** At least one, so that a text without words matches nothing. */
const atLeast = (of: number, { operator, minimum }: WantedWords): number =>
  Math.max(1, operator === 'and' ? of : (minimum?.(of) ?? 1))

const inOrder = (field: Field, found: string[], lastIsPrefix: boolean): Clause =>
  found.length === 0 ? { is: 'none' } : { is: 'phrase', field, words: found, lastIsPrefix }

/** Among any attributes are such as are no text: their whole value is looked at too. */
function orWhole(field: Field, { text, path, reading }: MatchInput, clause: Clause): Clause {
  if (field.name !== 'anyAttribute') return clause
  count(reading, path)
  const values = [...new Set([text, text.toLowerCase()])]
  const whole: Clause = { is: 'equals', field: { name: 'anyAttribute', kind: 'keyword' }, values, caseless: false }
  return clause.is === 'none' ? whole : any([clause, whole])
}

function orStart(field: Field, { text, path, reading }: MatchInput, clause: Clause): Clause {
  if (field.name !== 'anyAttribute') return clause
  count(reading, path)
  const start: Clause = { is: 'prefix', field: { name: 'anyAttribute', kind: 'keyword' }, text, caseless: true }
  return clause.is === 'none' ? start : any([clause, start])
}

/** Of a keyword the whole value begins so; numbers, dates and booleans have no beginning. */
const starting = (field: Field, { text, path, reading }: MatchInput): Clause =>
  field.kind === 'keyword' ? prefixOf(field, text, path, reading) : equal(field, text, path, reading)
