import { syntax } from './refused.ts'

/** Texts and quoted names of ClickHouse SQL: what they mean, and one way to write it. */

const HEREDOC = /\$\w*\$/y
const PLAIN: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  a: '\x07',
  v: '\v',
  e: '\x1b',
}

/** The character that an escape stands for, and where it ends. `\d` stays as it is: patterns are full of them. */
const escapeAt = (sql: string, i: number): [string, number] => {
  const c = sql[i + 1]
  if (c === undefined) throw syntax('a string ends with a backslash')
  if (c === 'x') {
    const hex = /^[0-9a-fA-F]{2}$/.exec(sql.slice(i + 2, i + 4))?.[0]
    if (hex === undefined) throw syntax("'\\x' requires two hexadecimal digits")
    const code = Number.parseInt(hex, 16)
    // One byte: more than a character of its own in UTF-8, which only the engine could put together.
    if (code > 0x7f) throw syntax("'\\x' is supported only up to '\\x7f'")
    return [String.fromCharCode(code), i + 4]
  }
  if (c === 'N') throw syntax("'\\N' is not supported; write NULL")
  const known = PLAIN[c]
  if (known !== undefined) return [known, i + 2]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escaped line break is a line break
  return [/[\\'"`/=\0-\x1f]/.test(c) ? c : `\\${c}`, i + 2]
}

type Literal = { kind: 'quoted' | 'text'; text: string; to: number }

const inQuotes = (sql: string, from: number, quote: string): Literal => {
  let text = ''
  let plain = from + 1
  for (let i = plain; i < sql.length; ) {
    if (sql[i] === '\\') {
      const [means, to] = escapeAt(sql, i)
      text += sql.slice(plain, i) + means
      plain = i = to
    } else if (sql[i] !== quote) i++
    else if (sql[i + 1] === quote) {
      text += sql.slice(plain, i + 1)
      plain = i = i + 2
    } else return { kind: quote === "'" ? 'text' : 'quoted', text: text + sql.slice(plain, i), to: i + 1 }
  }
  throw syntax(`${quote} is not closed`)
}

/** The text or quoted name that begins at `i`, if one does. @throws Refused SYNTAX_ERROR when it does not end */
export const literalAt = (sql: string, i: number): Literal | undefined => {
  const c = sql[i]
  if (c === "'" || c === '"' || c === '`') return inQuotes(sql, i, c)
  if (c !== '$') return undefined
  HEREDOC.lastIndex = i
  const tag = HEREDOC.exec(sql)?.[0]
  const close = tag === undefined ? -1 : sql.indexOf(tag, i + tag.length)
  if (tag === undefined || close < 0) throw syntax("'$' is not supported outside of strings")
  return { kind: 'text', text: sql.slice(i + tag.length, close), to: close + tag.length }
}

const quoteLiteral = (text: string, quote: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is written in digits
  `${quote}${text.replace(/[\\'"`\0-\x1f\x7f]/g, (c) => {
    if (c === '\\' || c === quote) return `\\${c}`
    return c < ' ' || c === '\x7f' ? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}` : c
  })}${quote}`

/** `text` as a literal of SQL. */
export const literal = (text: string): string => quoteLiteral(text, "'")

/** `name` as a quoted name of SQL. */
export const quotedName = (name: string): string => quoteLiteral(name, '`')
