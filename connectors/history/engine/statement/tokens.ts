import { literalAt } from './literals.ts'
import { syntax } from './refused.ts'

/**
 * The tokens of ClickHouse SQL, read as the engine reads them. A character that is not known to mean the same to both
 * is refused, so that nothing which the engine takes for code is taken for a comment or a text here.
 */

export type SqlToken = {
  kind: 'word' | 'number' | 'quoted' | 'text' | 'mark'
  /** Of a quoted name or a text: what it means, without quotes and escapes. */
  text: string
  from: number
  to: number
}

export const isMark = (token: SqlToken | undefined, mark: string): boolean =>
  token?.kind === 'mark' && token.text === mark

export const isName = (token: SqlToken | undefined): token is SqlToken =>
  token?.kind === 'word' || token?.kind === 'quoted'

/** The word, in lower case; empty for what is no bare word. */
export const wordOf = (token: SqlToken | undefined): string => (token?.kind === 'word' ? token.text.toLowerCase() : '')

/** The longer ones first. `@`, `\`, `!`, `&`, `~` and all others are refused. */
const MARKS = '<=> -> :: || <= >= <> == != ( ) [ ] { } , ; . + - * / % = < > ? ^ : |'.split(' ')
const BLANK = /[ \t\n\r\f\v]/
const WORD = /[A-Za-z_]\w*/y
const NUMBER =
  /0[xX][0-9a-fA-F]+|0[bB][01]+|(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?/y
/** `t.1.2`: the second and first part of a tuple. */
const PART = /\d+/y

const matchAt = (pattern: RegExp, sql: string, i: number): string | undefined => {
  pattern.lastIndex = i
  return pattern.exec(sql)?.[0]
}

const show = (sql: string, i: number): string => `'${sql.slice(i, i + 20)}'`

/** End of the comment that starts at `i`, or `i` when none does. */
const endOfComment = (sql: string, i: number): number => {
  const two = sql.slice(i, i + 2)
  if (two === '--' || two === '//' || two === '#!' || two === '# ') {
    const at = sql.indexOf('\n', i)
    return at < 0 ? sql.length : at
  }
  if (two !== '/*') return i
  const at = sql.indexOf('*/', i + 2)
  if (at < 0) throw syntax(`the comment ${show(sql, i)} is not closed`)
  // The engine looks for the end of this one too.
  if (sql.slice(i + 2, at + 1).includes('/*')) throw syntax('nested comments are not supported')
  return at + 2
}

/** Whether a dot that stands after this one belongs to it, as in `t.1`; otherwise `.5` is a number. */
const takesDot = (before: SqlToken | undefined): boolean =>
  before !== undefined && (before.kind !== 'mark' || /^[)\]]$/.test(before.text)) && before.kind !== 'text'

const numberAt = (sql: string, i: number, before: SqlToken | undefined): SqlToken => {
  const afterDot = isMark(before, '.')
  const text = matchAt(afterDot ? PART : NUMBER, sql, i) ?? ''
  const to = i + text.length
  // What touches a number is read in more than one way: `1.SETTINGS`, `1e`, `0x1p3`.
  if (text === '' || (/[\w$'.]/.test(sql[to] ?? '') && !(afterDot && sql[to] === '.')))
    throw syntax(`invalid number ${show(sql, i)}; a name that starts with a digit must be quoted`)
  return { kind: 'number', text, from: i, to }
}

const next = (sql: string, i: number, before: SqlToken | undefined): SqlToken => {
  const literal = literalAt(sql, i)
  if (literal !== undefined) return { ...literal, from: i }
  const c = sql[i]!
  if (c === '.' && (before === undefined || isMark(before, '.'))) throw syntax(`unexpected ${show(sql, i)}`)
  const digit = /\d/
  if (digit.test(c) || (c === '.' && digit.test(sql[i + 1] ?? '') && !takesDot(before))) return numberAt(sql, i, before)
  const word = matchAt(WORD, sql, i)
  if (word !== undefined) return { kind: 'word', text: word, from: i, to: i + word.length }
  const mark = MARKS.find((of) => sql.startsWith(of, i))
  if (mark === undefined) throw syntax(`${show(sql, i)} is not supported outside of strings`)
  return { kind: 'mark', text: mark, from: i, to: i + mark.length }
}

/**
 * Tokens of `sql` one by one, without blanks and comments.
 * @throws Refused SYNTAX_ERROR at the first character that no token begins with
 */
export function* tokens(sql: string): Generator<SqlToken> {
  let i = 0
  let before: SqlToken | undefined
  while (i < sql.length) {
    const past = endOfComment(sql, i)
    if (past > i) i = past
    else if (BLANK.test(sql[i]!)) i++
    else {
      const token = next(sql, i, before)
      // `x'41'` and `a$b` are one token to the engine; `DATE'2026-01-01'` and `IN'a'` are two.
      const touching = token.text.length === 1 ? /['$]/ : /[$]/
      if (token.kind === 'word' && touching.test(sql[token.to] ?? '')) throw syntax(`unexpected ${show(sql, i)}`)
      yield token
      before = token
      i = token.to
    }
  }
}
