import { literal } from '../statement/literals.ts'
import { print } from '../statement/print.ts'
import { denied, notThere, syntax } from '../statement/refused.ts'
import { isMark, type SqlToken, tokens } from '../statement/tokens.ts'
import { stands } from './catalogue.ts'
import { mayCall, mayName } from './functions.ts'

/**
 * A statement of a SQL user, made to stay within the confined database, which holds the views for analysts and nothing
 * else (ADR 135). Whatever is not known to be harmless is refused: the engine has more ways to reach a table than
 * anybody can list.
 */

/** What a name may mean to the engine, in lower case. */
export type Names = {
  /** All databases that there are. */
  databases: ReadonlySet<string>
  /** All functions that there are. */
  functions: ReadonlySet<string>
}

export type Confines = Names & {
  /** The user's name, for functions that return the current user. */
  user: string
  /** What the database of the views is called. */
  home: string
}

export type Confined = { sql: string; format: string | undefined }

const MAX_TEXT = 256 * 1024
const MAX_TOKENS = 20_000

/** What the engine knows before it has a list of databases, and never shows. */
const ALWAYS = new Set(['system', 'information_schema', 'default', '_temporary_and_external_tables'])

/** Words that begin what no question needs: other statements inside of one, settings, files, names from parameters. */
const REFUSED = new Set(
  (
    'into outfile infile settings apply identifier parallel explain show describe execute watch insert create attach ' +
    'detach alter drop rename truncate optimize grant revoke kill backup restore undrop compression'
  ).split(' '),
)

/** None that reads a file for its schema, and none that reports progress: it counts rows that are not to be seen. */
const FORMATS = new Set(
  (
    'tabseparated tabseparatedraw tabseparatedwithnames tabseparatedwithnamesandtypes tsv tsvraw tsvwithnames ' +
    'tsvwithnamesandtypes csv csvwithnames csvwithnamesandtypes json jsonstrings jsoncolumns jsoncompact ' +
    'jsoncompactstrings jsoneachrow jsonstringseachrow jsoncompacteachrow jsoncompacteachrowwithnames ' +
    'jsoncompacteachrowwithnamesandtypes native rowbinary rowbinarywithnames rowbinarywithnamesandtypes pretty ' +
    'prettycompact prettyspace vertical markdown values xml parquet arrow arrowstream null'
  ).split(' '),
)

const isName = (token: SqlToken | undefined): token is SqlToken => token?.kind === 'word' || token?.kind === 'quoted'
const lower = (token: SqlToken | undefined): string => token?.text.toLowerCase() ?? ''
const bare = (token: SqlToken | undefined): string => (token?.kind === 'word' ? lower(token) : '')
const quote = (text: string): string => `'${text.slice(0, 60)}'`

/** Functions for the current database and user, answered here: the engine would return its own. */
const IDENTITY = /^(current_?database|database|schema|current_?user|user|host_?name|fqdn|full_?host_?name)$/

const answerTo = (word: string, { user, home }: Confines): string => {
  if (/database|schema/.test(word)) return home
  return /user/.test(word) ? user : 'harrier'
}

/** @throws Refused for a format that is not offered */
export const checkFormat = (name: string): void => {
  if (!FORMATS.has(name.toLowerCase())) throw denied(`the format ${quote(name)} is not supported`)
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
  if (list.some((token) => isMark(token, ';')))
    throw syntax('Multi-statements are not allowed; send one statement per request')
  if (list.length === 0) throw syntax('Empty query')
  return list
}

/** Takes the FORMAT clause off. */
const formatOf = (list: SqlToken[]): string | undefined => {
  const at = list.findIndex((token, i) => bare(token) === 'format' && !isMark(list[i + 1], '('))
  if (at < 0) return undefined
  if (at !== list.length - 2 || bare(list[at + 1]) === '')
    throw syntax('FORMAT <name> is only allowed at the end of the statement')
  const [, name] = list.splice(at)
  checkFormat(name!.text)
  return name!.text
}

const viewOf = (token: SqlToken): string => {
  if (!/^bi_[a-z0-9_]+$/.test(token.text))
    throw notThere(`unknown table ${quote(token.text)}; SHOW TABLES lists the tables`)
  return token.text
}

/** The tokens that replace a database-qualified name; only views of the confined database can be read. */
const inPlaceOf = (database: SqlToken, table: SqlToken, { home }: Confines): string => {
  const of = lower(database)
  if (of === home.toLowerCase()) return viewOf(table)
  const view = stands(of, table.text)
  if (view === undefined) throw denied(`access to ${quote(`${database.text}.${table.text}`)} is not allowed`)
  return view
}

/**
 * A name alone is a function too where one is expected: `arrayMap(file, ['/etc/passwd'])`. So no name is that of a
 * function which may not be called.
 */
const checkFunction = (token: SqlToken, called: boolean, { functions }: Names): void => {
  if (called ? token.kind === 'quoted' || !mayCall(token.text) : functions.has(lower(token)) && !mayName(token.text))
    throw denied(`the function ${quote(token.text)} is not allowed here`)
}

const checkName = (token: SqlToken, { databases }: Names): void => {
  // The engine takes some quoted names apart at their dots.
  for (const part of lower(token).split('.'))
    if (databases.has(part.trim()) || ALWAYS.has(part.trim()))
      throw denied(`the name ${quote(token.text)} is not allowed here, because it is the name of a database`)
}

/** The tokens to execute in place of the given ones; throws for anything that is not allowed. */
const within = (list: readonly SqlToken[], confines: Confines): SqlToken[] => {
  const found: SqlToken[] = []
  for (let i = 0; i < list.length; i++) {
    const token = list[i]!
    found.push(token)
    if (!isName(token)) continue
    const [next, after] = [list[i + 1], list[i + 2]]
    if (token.kind === 'word' && REFUSED.has(lower(token)) && !isMark(list[i - 1], '.'))
      throw denied(`${quote(token.text)} is not allowed here; quote it if it is a name`)
    const known = lower(token) === confines.home.toLowerCase() || lower(token) in { system: 1, information_schema: 1 }
    if (known && isMark(next, '.') && isName(after) && !isMark(list[i - 1], '.')) {
      found.splice(-1, 1, { ...token, kind: 'word', text: inPlaceOf(token, after, confines), to: after.to })
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

/** `SHOW TABLES`, `SHOW DATABASES`, `DESCRIBE`, `EXISTS`: a few forms, each answered by a statement of our own. */
const about = (list: readonly SqlToken[], confines: Confines): string | undefined => {
  const words = list.map((token) => (token.kind === 'text' ? '?' : lower(token)))
  const home = confines.home.toLowerCase()
  const text = words.join(' ')
  const from = `(?: (?:from|in) ${home})?`
  if (/^show (databases|schemas)$/.test(text)) return 'SELECT name FROM sys_databases'
  if (new RegExp(`^show (full )?(tables|views)${from}$`).test(text)) return 'SELECT name FROM sys_tables ORDER BY name'
  const [, verb, name] =
    new RegExp(
      `^(desc|describe|exists|show columns from|show columns in)(?: table| view)? (?:${home} \\. )?(\\w+)$`,
    ).exec(text) ?? []
  if (verb === undefined || name === undefined) return undefined
  const view = viewOf({ ...list.at(-1)!, text: name })
  if (verb === 'exists') return `SELECT toUInt8(count() > 0) AS result FROM sys_tables WHERE name = ${literal(view)}`
  if (verb.startsWith('show'))
    return `SELECT name AS field, type FROM sys_columns WHERE table = ${literal(view)} ORDER BY position`
  // The second condition is an error for a view that there is not.
  return `SELECT name, type, default_kind AS default_type, default_expression, comment, '' AS codec_expression,
    '' AS ttl_expression FROM sys_columns WHERE table = ${literal(view)} AND NOT ignore((SELECT count() FROM ${view} WHERE 0))
    ORDER BY position`
}

/**
 * The statement to run in the confined database for what a SQL user sent.
 * @throws Refused ACCESS_DENIED, UNKNOWN_TABLE or SYNTAX_ERROR, each with what is not allowed
 */
export const confine = (sql: string, confines: Confines): Confined => {
  const list = read(sql)
  const format = formatOf(list)
  const first = list.find((token) => !isMark(token, '('))
  const verb = bare(first)
  if (verb !== 'select' && verb !== 'with') {
    const description = about(list, confines)
    if (description === undefined)
      throw denied(`only SELECT, SHOW TABLES, SHOW DATABASES, DESCRIBE and EXISTS of the views`)
    return { sql: description, format }
  }
  return { sql: print(within(list, confines)), format }
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
    const sets = bare(token) === 'settings' && isName(list[i + 1]) && isMark(list[i + 2], '=')
    if (sets || (bare(token) === 'identifier' && isMark(list[i - 1], ':')))
      throw denied(`${quote(token.text)} is not allowed here`)
  })
}
