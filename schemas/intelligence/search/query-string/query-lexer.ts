import { Fault } from '../fault.ts'

/** A part of a query string; `at` counts its characters from 0. */
export type QueryToken = { at: number } & (
  | { is: '(' | ')' | 'AND' | 'OR' | 'NOT' | '+' | '-' | 'end' }
  | { is: 'field'; name: string }
  /** `raw` still has its backslashes, which keep `*` and `?` from being wildcards. */
  | { is: 'term'; raw: string }
  | { is: 'phrase'; text: string }
  | { is: 'regexp'; pattern: string }
  | { is: 'range'; from: RangeEnd; to: RangeEnd }
  | { is: 'compare'; side: 'gt' | 'gte' | 'lt' | 'lte'; text: string }
  /** Edits after a term, null when only `~` stands there; a distance after a phrase. */
  | { is: '~'; edits: number | null }
)

/** One end of a range; null is open. */
export type RangeEnd = { text: string | null; inclusive: boolean }

const SPACE = /\s+/y
const OPERATOR = /&&|\|\||[!()+-]|(?:AND|OR|NOT)(?![^\s()])/y
const NAME = /((?:[^\s()[\]{}"^~:\\/]|\\.)+):\s*/sy
const TERM = /(?:[^\s()[\]{}"^~:\\]|\\.)+/sy
/** After a field, a colon is a part of the value: of a time, a URL. */
const VALUE = /(?:[^\s()[\]{}"^~\\]|\\.)+/sy
const PHRASE = /"((?:[^"\\]|\\.)*)"/sy
const REGEXP = /\/((?:[^/\\]|\\.)*)\//sy
const RANGE =
  /([[{])\s*("(?:[^"\\]|\\.)*"|(?:[^\s"\]}\\]|\\.)+)\s+TO\s+("(?:[^"\\]|\\.)*"|(?:[^\s"\]}\\]|\\.)+)\s*([\]}])/sy
const COMPARE = /([<>]=?)\s*("(?:[^"\\]|\\.)*"|(?:[^\s()[\]{}"^~\\]|\\.)+)/sy
const FUZZY = /~(\d{0,9}(?:\.\d{1,9})?)/y
/** A weight is accepted and means nothing. */
const WEIGHT = /\^\d{1,9}(?:\.\d{1,9})?/y

const OPERATORS = { '&&': 'AND', '||': 'OR', '!': 'NOT' } as const
const SIDES = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const

/** Ends reading; the parser adds the name of the query. */
export const wrong = (at: number, message: string): never => {
  throw new Fault('', `has an error at character ${at + 1}: ${message}`)
}

/** The parts of a query string, one after the other: every character is looked at a bounded number of times. */
export function* queryTokens(text: string): Generator<QueryToken, never, undefined> {
  let at = 0
  let afterField = false
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at += found[0].length
    return found
  }
  while (true) {
    take(SPACE)
    const start = at
    if (at >= text.length) break
    const token: QueryToken | 'weight' = afterField
      ? (valueAt(take, start) ?? partAt(take, start))
      : partAt(take, start)
    if (token !== 'weight') {
      afterField = token.is === 'field'
      yield token
    }
  }
  while (true) yield { is: 'end', at }

  function partAt(take: Take, start: number): QueryToken | 'weight' {
    const operator = take(OPERATOR)?.[0]
    if (operator !== undefined) return { is: OPERATORS[operator as '&&'] ?? operator, at: start } as QueryToken
    if (take(WEIGHT) !== null) return 'weight'
    const fuzzy = take(FUZZY)
    if (fuzzy !== null) return { is: '~', edits: fuzzy[1] === '' ? null : Number(fuzzy[1]), at: start }
    const name = take(NAME)?.[1]
    if (name !== undefined) return { is: 'field', name: unescapeText(name), at: start }
    return literalAt(take, start) ?? termAt(take(TERM), start)
  }

  function termAt(found: RegExpExecArray | null, start: number): QueryToken {
    return found === null ? wrong(start, syntaxFault(text, start)) : { is: 'term', raw: found[0], at: start }
  }

  /** What may stand behind a field only. */
  function valueAt(take: Take, start: number): QueryToken | null {
    const compare = take(COMPARE)
    if (compare !== null) return { is: 'compare', side: SIDES[compare[1] as '>'], text: end(compare[2]!), at: start }
    if (/[(!+]/.test(text[start]!)) return null
    return literalAt(take, start) ?? termAt(take(VALUE), start)
  }
}

type Take = (pattern: RegExp) => RegExpExecArray | null

function literalAt(take: Take, at: number): QueryToken | null {
  const phrase = take(PHRASE)?.[1]
  if (phrase !== undefined) return { is: 'phrase', text: unescapeText(phrase), at }
  const pattern = take(REGEXP)?.[1]
  if (pattern !== undefined) return { is: 'regexp', pattern: pattern.replaceAll('\\/', '/'), at }
  const range = take(RANGE)
  if (range === null) return null
  const [, open, from, to, close] = range
  return {
    is: 'range',
    from: { text: from === '*' ? null : end(from!), inclusive: open === '[' },
    to: { text: to === '*' ? null : end(to!), inclusive: close === ']' },
    at,
  }
}

const end = (text: string): string => unescapeText(text.startsWith('"') ? text.slice(1, -1) : text)

/** Without the backslashes that take the meaning from the next character. */
export const unescapeText = (raw: string): string => raw.replace(/\\(.)/gs, '$1')

function syntaxFault(text: string, at: number): string {
  const character = text[at]
  if (character === '"') return 'the quote is not closed'
  if (character === '[' || character === '{') return 'expected a range as [a TO b] or {a TO b}'
  if (character === '\\') return 'expected a character after the backslash'
  return `unexpected ${character}`
}
