/**
 * A statement of a SQL user, made to stay within the confined database, which holds the views for analysts and nothing
 * else (ADR 279). Whatever is not known to be harmless is refused: the engine has more ways to reach a table than
 * anybody can list.
 */

import { print } from '../statement/print.ts'
import { denied, syntax } from '../statement/refused.ts'
import { isMark, isName, type SqlToken, tokens, wordOf } from '../statement/tokens.ts'
import { about } from './about.ts'
import { type Explained, explained } from './explain.ts'
import { standsAsName, takeFormat } from './formats.ts'
import { checkFunction, checkName, inPlaceOf, type Names, quote } from './names.ts'

type Setting = readonly [name: string, value: string]

const MAX_SETTINGS = 100

/** The settings of `SET a = 1, b = 'x'`. @throws Refused SYNTAX_ERROR that says what is expected */
const settingsOf = (list: readonly SqlToken[]): Setting[] => {
  const found: Setting[] = []
  for (let at = 1; ; ) {
    const [name, equals, value] = list.slice(at, at + 3)
    if (
      !isName(name) ||
      !isMark(equals, '=') ||
      value === undefined ||
      value.kind === 'mark' ||
      value.kind === 'quoted'
    )
      throw syntax('SET takes settings and their values: SET <name> = <value>, ...')
    if (found.push([name.text, value.text]) > MAX_SETTINGS) throw syntax(`SET takes ${MAX_SETTINGS} settings at most`)
    at += 3
    if (at === list.length) return found
    if (!isMark(list[at], ',')) throw syntax('settings of a SET are separated by commas')
    at++
  }
}

export type Confines = Names & {
  /** The user's name, for functions that return the current user. */
  user: string
  /** What the database of the views is called. */
  home: string
}

export type Confined = {
  /** What to run, or what the statement below is about; empty of a SET. */
  sql: string
  format: string | undefined
  /** Names of the statement that stand for tables of the catalogue. */
  catalogue: readonly string[]
  /** `sql` is a statement of our own, with texts of the user at most. */
  own?: boolean
  /** The columns of `sql` are the answer, not its rows. */
  describes?: boolean
  /** How `sql` is to be explained. */
  explains?: Explained
  /** What a SET sets. */
  sets?: readonly Setting[]
}

const MAX_TEXT = 256 * 1024
const MAX_TOKENS = 20_000

/** Words that begin what no question needs: other statements inside of one, settings, files, names from parameters. */
const REFUSED = new Set(
  (
    'into outfile infile settings apply identifier parallel explain show describe execute watch insert create attach ' +
    'detach alter drop rename truncate optimize grant revoke kill backup restore undrop compression'
  ).split(' '),
)

const lower = (token: SqlToken | undefined): string => token?.text.toLowerCase() ?? ''

/** Functions for the current database and user, answered here: the engine would return its own. */
const IDENTITY = /^(current_?database|database|schema|current_?user|user|host_?name|fqdn|full_?host_?name)$/

const answerTo = (word: string, { user, home }: Confines): string => {
  if (/database|schema/.test(word)) return home
  return /user/.test(word) ? user : 'harrier'
}

/** Tokens of one statement, without those that are never needed. */
const read = (sql: string): SqlToken[] => {
  if (sql.length > MAX_TEXT) throw syntax(`the statement is longer than ${MAX_TEXT} characters`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(sql)) throw syntax('the statement contains a control character')
  const list: SqlToken[] = []
  for (const token of tokens(sql)) {
    if (list.length >= MAX_TOKENS) throw syntax(`the statement has more than ${MAX_TOKENS} tokens`)
    if (token.kind === 'text' && sql[token.from] !== "'") throw syntax("strings must be written in '...'")
    if (token.kind === 'quoted' && /[\\`"\n\r]/.test(token.text)) throw syntax('a quoted name must not contain quotes')
    list.push(token)
  }
  while (isMark(list.at(-1), ';')) list.pop()
  // Tools add a FORMAT clause behind whatever a person wrote.
  while (wordOf(list.at(-2)) === 'format' && isMark(list.at(-3), ';')) list.splice(-3, 1)
  if (list.some((token) => isMark(token, ';')))
    throw syntax('Multi-statements are not allowed; send one statement per request')
  if (list.length === 0) throw syntax('Empty query')
  return list
}

/** The tokens to execute in place of the given ones; throws for anything that is not allowed. */
const within = (list: readonly SqlToken[], confines: Confines): SqlToken[] => {
  const found: SqlToken[] = []
  for (let i = 0; i < list.length; i++) {
    const token = list[i]!
    found.push(token)
    if (!isName(token)) continue
    const [next, after] = [list[i + 1], list[i + 2]]
    if (wordOf(token) === 'settings' && standsAsName(list, i) && !(isName(next) && isMark(after, '='))) {
      // In quotes, so that the engine too takes it for a name.
      found.splice(-1, 1, { ...token, kind: 'quoted' })
      if (!isMark(next, '(')) continue
    }
    if (token.kind === 'word' && REFUSED.has(lower(token)) && !isMark(list[i - 1], '.'))
      throw denied(`${quote(token.text)} is not allowed here; quote it if it is a name`)
    const known = lower(token) === confines.home.toLowerCase() || lower(token) in { system: 1, information_schema: 1 }
    if (known && isMark(next, '.') && isName(after) && !isMark(list[i - 1], '.')) {
      found.splice(-1, 1, { ...token, kind: 'word', text: inPlaceOf(token, after, confines.home), to: after.to })
      i += 2
      continue
    }
    checkName(token, confines)
    const called = isMark(next, '(')
    if (called && IDENTITY.test(lower(token)) && isMark(after, ')')) {
      found.splice(-1, 1, { ...token, kind: 'text', text: answerTo(lower(token), confines), to: after!.to })
      i += 2
    } else if (called || !isMark(list[i - 1], '.')) checkFunction(token, called, confines)
  }
  return found
}

const confinedSelect = (list: readonly SqlToken[], confines: Confines): Pick<Confined, 'sql' | 'catalogue'> => {
  const found = within(list, confines)
  const names = found.filter((token) => isName(token) && /^(sys|standard)_/.test(token.text))
  return { sql: print(found), catalogue: [...new Set(names.map(({ text }) => text))] }
}

/**
 * The statement to run in the confined database for what a SQL user sent.
 * @throws Refused ACCESS_DENIED, UNKNOWN_TABLE or SYNTAX_ERROR, each with what is not allowed
 */
export const confine = (sql: string, confines: Confines): Confined => {
  const list = read(sql)
  const format = takeFormat(list)
  const verb = wordOf(list.find((token) => !isMark(token, '(')))
  if (verb === 'select' || verb === 'with') return { ...confinedSelect(list, confines), format }
  if (verb === 'set') return { sql: '', catalogue: [], format, sets: settingsOf(list) }
  if (verb === 'explain') {
    const explains = explained(list)
    return { ...confinedSelect(explains.select, confines), format, explains }
  }
  const found = about(list, confines.home)
  if (found === undefined)
    throw denied(
      'only SELECT, EXPLAIN, DESCRIBE, EXISTS, SET and SHOW of databases, tables, columns, indexes and CREATE are answered',
    )
  if ('columnsOf' in found) return { ...confinedSelect(found.columnsOf, confines), format, describes: true }
  const catalogue = found.sql.includes('FROM standard_statistics') ? ['standard_statistics'] : []
  return { sql: found.sql, own: true, catalogue, format }
}

/**
 * The same for what the engine understood, which prints words of its own: a name stands for another table or function
 * there too, whatever was taken for a comment or a text before.
 * @throws Refused ACCESS_DENIED
 */
export const checkRead = (read: string, names: Names): void => {
  const list = [...tokens(read)]
  list.forEach((token, i) => {
    if (!isName(token)) return
    checkName(token, names)
    const called = isMark(list[i + 1], '(')
    // The engine writes `values`(...) for values(...): quoted or not, what is called is one of those that may be.
    if (called || !isMark(list[i - 1], '.')) checkFunction({ ...token, kind: 'word' }, called, names)
    const sets = wordOf(token) === 'settings' && isName(list[i + 1]) && isMark(list[i + 2], '=')
    if (sets || (wordOf(token) === 'identifier' && isMark(list[i - 1], ':')))
      throw denied(`${quote(token.text)} is not allowed here`)
  })
}
