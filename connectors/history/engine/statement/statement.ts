import { refuseOutside } from './outside.ts'
import { print } from './print.ts'
import { syntax } from './refused.ts'
import { isMark, type SqlToken, tokens } from './tokens.ts'

/** No handwritten query has more tokens than this; bounds the work before the engine sees the statement. */
const MAX_TOKENS = 500_000

export type Statement = {
  kind: 'read' | 'write' | 'insert'
  /** What to run: printed anew from its tokens, without comments; of an `insert`, without its FORMAT clause. */
  sql: string
  /** Name in the FORMAT clause, when there is one; always there for an `insert`. */
  format: string | undefined
  /** For an `insert`: where its data begins in the text that was given. */
  dataFrom: number
}

const READS = new Set(['select', 'with', 'from', 'show', 'describe', 'desc', 'explain', 'exists', 'check', 'values'])

/** Tokens up to the end of the text, or of an INSERT up to the word after FORMAT or VALUES: data are no SQL. */
const read = (sql: string): { list: SqlToken[]; headEnd: number } => {
  const list: SqlToken[] = []
  let depth = 0
  let headEnd = -1
  let selects = false
  for (const token of tokens(sql)) {
    list.push(token)
    if (headEnd >= 0) break
    if (list.length > MAX_TOKENS) throw syntax(`the statement has more than ${MAX_TOKENS} tokens`)
    if (isMark(token, '(')) depth++
    if (isMark(token, ')')) depth--
    if (token.kind !== 'word' || depth > 0 || list.length < 4 || list[0]!.text.toLowerCase() !== 'insert') continue
    const word = token.text.toLowerCase()
    selects ||= word === 'select' || word === 'with' || word === 'from'
    if (selects || (word !== 'values' && word !== 'format')) continue
    headEnd = list.length - 1
    // What follows VALUES are data, which need not be tokens.
    if (word === 'values') break
  }
  return { list, headEnd }
}

const insert = (sql: string, list: readonly SqlToken[], at: number): Statement => {
  const head = list.slice(0, at)
  refuseOutside(head)
  const word = list[at]!
  if (word.text.toLowerCase() === 'values')
    return { kind: 'insert', sql: print(head), format: 'Values', dataFrom: word.to }
  const name = list[at + 1]
  if (name?.kind !== 'word') throw syntax('FORMAT requires a name')
  // The data begin after one line break, as on a server.
  const gap = /^[ \t]*\r?\n?/.exec(sql.slice(name.to, name.to + 64))![0].length
  return { kind: 'insert', sql: print(head), format: name.text, dataFrom: name.to + gap }
}

/**
 * What a request asks for: exactly one statement, told apart by its own words, with everything refused that reaches
 * outside the data folder. What is run is printed from the tokens that were checked, never cut from the text.
 * @throws Refused SYNTAX_ERROR for none or several statements, ACCESS_DENIED for what is not allowed
 */
export const parse = (sql: string): Statement => {
  const { list, headEnd } = read(sql)
  const first = list.find((token) => !isMark(token, '('))
  if (first === undefined || isMark(first, ';')) throw syntax('Empty query')
  const verb = first.kind === 'word' ? first.text.toLowerCase() : ''
  if (headEnd >= 0) return insert(sql, list, headEnd)
  const end = list.findIndex((token) => isMark(token, ';'))
  const own = end < 0 ? list : list.slice(0, end)
  if (end >= 0 && list.slice(end).some((token) => !isMark(token, ';')))
    throw syntax('Multi-statements are not allowed; send one statement per request')
  refuseOutside(own)
  const format = own.at(-2)?.text.toLowerCase() === 'format' ? own.at(-1)?.text : undefined
  return {
    kind: READS.has(verb) ? 'read' : 'write',
    sql: print(own),
    format,
    dataFrom: sql.length,
  }
}
