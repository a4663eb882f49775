import { refuseOutside } from './outside.ts'
import { syntax } from './refused.ts'
import { type Token, tokens } from './tokens.ts'

/** More tokens than this are not a question that anybody wrote; bounds the work before the engine sees it. */
const MAX_TOKENS = 500_000

export type Statement = {
  kind: 'read' | 'write' | 'insert'
  /** The text to run; for an `insert`, up to and without its FORMAT clause. */
  sql: string
  /** Name in the FORMAT clause, when there is one; always there for an `insert`. */
  format: string | undefined
  /** For an `insert`: where its data begins in the text that was given. */
  dataFrom: number
}

const READS = new Set(['select', 'with', 'from', 'show', 'describe', 'desc', 'explain', 'exists', 'check', 'values'])

/** Tokens up to the end of the text, or of an INSERT up to the word after FORMAT or VALUES: data are no SQL. */
const read = (sql: string): { list: Token[]; headEnd: number } => {
  const list: Token[] = []
  let depth = 0
  let headEnd = -1
  let selects = false
  for (const token of tokens(sql)) {
    list.push(token)
    if (headEnd >= 0) break
    if (list.length > MAX_TOKENS) throw syntax(`more than ${MAX_TOKENS} words in one statement`)
    if (token.kind === 'mark') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0
    if (token.kind !== 'word' || depth > 0 || list.length < 4 || list[0]!.text.toLowerCase() !== 'insert') continue
    const word = token.text.toLowerCase()
    selects ||= word === 'select' || word === 'with' || word === 'from'
    if (!selects && (word === 'values' || word === 'format')) headEnd = list.length - 1
  }
  return { list, headEnd }
}

const insert = (sql: string, list: readonly Token[], at: number): Statement => {
  const head = list.slice(0, at)
  refuseOutside(head)
  const word = list[at]!
  if (word.text.toLowerCase() === 'values')
    return { kind: 'insert', sql: sql.slice(0, word.from), format: 'Values', dataFrom: word.to }
  const name = list[at + 1]
  if (name?.kind !== 'word') throw syntax('FORMAT needs a name')
  // The data begin after one line break, as on a server.
  const gap = /^[ \t]*\r?\n?/.exec(sql.slice(name.to, name.to + 64))![0].length
  return { kind: 'insert', sql: sql.slice(0, word.from), format: name.text, dataFrom: name.to + gap }
}

/**
 * What a request asks for: exactly one statement, told apart by its own words, with everything refused that reaches
 * outside the data folder.
 * @throws Refused SYNTAX_ERROR for none or several statements, ACCESS_DENIED for what is not allowed
 */
export const parse = (sql: string): Statement => {
  const { list, headEnd } = read(sql)
  const verb = list.find((token) => token.text !== '(')?.text.toLowerCase()
  if (verb === undefined || verb === ';') throw syntax('Empty query')
  if (headEnd >= 0) return insert(sql, list, headEnd)
  const end = list.findIndex((token) => token.kind === 'mark' && token.text === ';')
  const own = end < 0 ? list : list.slice(0, end)
  if (end >= 0 && list.slice(end).some((token) => token.text !== ';' || token.kind !== 'mark'))
    throw syntax('Multi-statements are not allowed: one statement a request')
  refuseOutside(own)
  const format = own.at(-2)?.text.toLowerCase() === 'format' ? own.at(-1)?.text : undefined
  return {
    kind: READS.has(verb) ? 'read' : 'write',
    sql: end < 0 ? sql : sql.slice(0, list[end]!.from),
    format,
    dataFrom: sql.length,
  }
}
