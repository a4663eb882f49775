import type { Clause, Field } from '../clause.ts'
import { any } from '../clauses/combine.ts'
import { auto, fuzzyOf, prefixOf } from '../clauses/letter-clauses.ts'
import { type MatchInput, phrase, termOf } from '../clauses/match.ts'
import { fieldList, operator, usualFields } from '../clauses/match-clauses.ts'
import { at, Fault } from '../fault.ts'
import { count, deeper, type Reading } from '../reading.ts'
import { members, requireMember } from '../shape.ts'
import { number, text } from '../values/scalars.ts'
import { unescapeText } from './query-lexer.ts'
import { either, joinClauses, sideBySide } from './query-string.ts'

type Operand = Parameters<typeof joinClauses>[0][number]

/** A phrase (closed or not), a sign, a word; then what is passed over. */
const PART = /"((?:[^"\\]|\\.)*)(?:"(?:~\d*)?|\\?$)|([()+|-])|((?:[^\s"()|\\]|\\.)+)|\s+|./gsy
const FUZZY = /^((?:[^\\]|\\.)+)~(\d{0,9})$/s
const PREFIX = /^(?:[^\\]|\\.)+\*$/s

type Part = { is: 'phrase' | 'word' | 'sign' | 'end'; text: string }

/** `{"query": "mirai +botnet -other", "fields", "default_operator"}`: any text can be read (docs/use/search-reference.md, Clauses). */
export function simpleQueryString(value: unknown, path: string, reading: Reading, depth: number): Clause {
  const found = members(value, path, {
    query: text,
    fields: fieldList(reading),
    default_operator: operator,
    boost: number,
  })
  const query = requireMember(found.query, at(path, 'query'))
  const fields = found.fields ?? usualFields()
  return parseQuery(query, fields, { reading, path: at(path, 'query'), both: found.default_operator === 'and' }, depth)
}

type Settings = { reading: Reading; path: string; both: boolean }

function parseQuery(query: string, fields: readonly Field[], { reading, path, both }: Settings, from: number): Clause {
  const parts = partsOf(query)
  let part: Part = parts.next().value
  const sign = (text: string): boolean => part.is === 'sign' && part.text === text
  const next = (): Part => {
    const before = part
    part = parts.next().value
    return before
  }
  const found: Operand[] = []
  while (part.is !== 'end') {
    // What follows a parenthesis that was never opened goes on as if it were not there.
    while (sign(')')) next()
    found.push(...group(from))
  }
  return found.length === 0 ? { is: 'none' } : sideBySide(found, both)

  function group(depth: number): Operand[] {
    const operands: Operand[] = []
    while (part.is !== 'end' && !sign(')')) {
      const one = chain('|', () => chain('+', () => operand(depth), joinClauses), either)
      if (one !== null) operands.push(one)
    }
    return operands
  }

  function chain(text: string, one: () => Operand | null, join: (parts: Operand[]) => Clause): Operand | null {
    const operands: Operand[] = []
    do {
      while (sign(text)) next()
      const found = one()
      if (found !== null) operands.push(found)
    } while (sign(text))
    return operands.length > 1 ? { clause: join(operands), negative: false, plus: false } : (operands[0] ?? null)
  }

  /** null where a sign stands without what it is about. */
  function operand(depth: number): Operand | null {
    let negative = false
    for (; sign('-'); next()) negative = !negative
    if (part.is === 'end' || sign(')') || sign('|') || sign('+')) return null
    const clause = sign('(') ? parenthesis(depth) : leaves(next())
    return clause === null ? null : { clause, negative, plus: false }
  }

  function parenthesis(depth: number): Clause | null {
    next()
    count(reading, path)
    const operands = group(deeper(depth, path))
    if (sign(')')) next()
    return operands.length === 0 ? null : sideBySide(operands, both)
  }

  function leaves(value: Part): Clause {
    count(reading, path, fields.length)
    const given = { ...value, path, reading }
    return any(
      fields.map((field) => (value.is === 'phrase' ? lenient(field, () => phrase(field, given)) : word(field, given))),
    )
  }
}

/** `mirai`, `mir*` or `mirai~1`. */
function word(field: Field, given: MatchInput): Clause {
  const fuzzy = FUZZY.exec(given.text)
  if (fuzzy !== null) {
    const edits = fuzzy[2] === '' ? auto : () => Math.min(2, Number(fuzzy[2])) as 0 | 1 | 2
    return lenient(field, () => fuzzyOf(field, unescapeText(fuzzy[1]!), given.path, edits))
  }
  if (PREFIX.test(given.text))
    return lenient(field, () => prefixOf(field, unescapeText(given.text.slice(0, -1)), given.path, given.reading))
  return lenient(field, () => termOf(field, { ...given, text: unescapeText(given.text) }))
}

/** A text that a number, date or boolean cannot be meets none of them; on text, only the bounds refuse. */
function lenient(field: Field, work: () => Clause): Clause {
  if (field.kind === 'text' || field.kind === 'keyword') return work()
  try {
    return work()
  } catch (error) {
    if (error instanceof Fault) return { is: 'none' }
    throw error
  }
}

function* partsOf(text: string): Generator<Part, never, undefined> {
  for (const [, phrase, sign, word] of text.matchAll(PART)) {
    if (phrase !== undefined) yield { is: 'phrase', text: unescapeText(phrase) }
    else if (sign !== undefined) yield { is: 'sign', text: sign }
    else if (word !== undefined) yield { is: 'word', text: word }
  }
  while (true) yield { is: 'end', text: '' }
}
