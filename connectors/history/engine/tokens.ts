/** The lexical rules of ClickHouse SQL, as far as they decide where a word, a literal or a statement begins and ends. */

export type Token = { kind: 'word' | 'quoted' | 'text' | 'mark'; text: string; from: number; to: number }

/** A word may contain letters of any alphabet: the engine refuses what it does not know. */
const WORD = /[\p{L}\p{N}_$]+/uy
const HEREDOC = /\$\w*\$/y

/** End of a literal that opened at `from` with `quote`: a backslash escapes, a doubled quote stays inside. */
const endOfQuoted = (sql: string, from: number, quote: string): number => {
  for (let i = from + 1; i < sql.length; i++) {
    if (sql[i] === '\\') i++
    else if (sql[i] === quote) {
      if (sql[i + 1] !== quote) return i + 1
      i++
    }
  }
  return sql.length
}

const endOfLine = (sql: string, from: number): number => {
  const at = sql.indexOf('\n', from)
  return at < 0 ? sql.length : at
}

/** End of the comment that starts at `i`, or `i` when none does. */
const endOfComment = (sql: string, i: number): number => {
  const two = sql.slice(i, i + 2)
  if (two === '--' || two === '#!' || two === '# ') return endOfLine(sql, i)
  if (two !== '/*') return i
  const at = sql.indexOf('*/', i + 2)
  return at < 0 ? sql.length : at + 2
}

const matchAt = (pattern: RegExp, sql: string, i: number): string | undefined => {
  pattern.lastIndex = i
  return pattern.exec(sql)?.[0]
}

const next = (sql: string, i: number): Token => {
  const c = sql[i]!
  if (c === "'") return { kind: 'text', text: '', from: i, to: endOfQuoted(sql, i, c) }
  if (c === '`' || c === '"') {
    const to = endOfQuoted(sql, i, c)
    return { kind: 'quoted', text: sql.slice(i + 1, to - 1), from: i, to }
  }
  const heredoc = matchAt(HEREDOC, sql, i)
  if (heredoc !== undefined) {
    const close = sql.indexOf(heredoc, i + heredoc.length)
    if (close >= 0) return { kind: 'text', text: '', from: i, to: close + heredoc.length }
  }
  const word = matchAt(WORD, sql, i)
  if (word !== undefined) return { kind: 'word', text: word, from: i, to: i + word.length }
  return { kind: 'mark', text: c, from: i, to: i + 1 }
}

/** Tokens of `sql` one by one, without blanks and comments; the text of string literals is left out. */
export function* tokens(sql: string): Generator<Token> {
  let i = 0
  while (i < sql.length) {
    const past = endOfComment(sql, i)
    if (past > i) i = past
    else if (sql.charCodeAt(i) <= 32) i++
    else {
      const token = next(sql, i)
      yield token
      i = token.to
    }
  }
}
