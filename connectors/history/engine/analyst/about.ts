import { literal, quotedName } from '../statement/literals.ts'
import { isMark, type SqlToken, wordOf } from '../statement/tokens.ts'
import { stands } from './catalogue.ts'
import { viewOf } from './names.ts'

/**
 * `SHOW`, `DESCRIBE` and `EXISTS`: a few forms, each answered by a statement of our own over the catalogue, in the
 * columns of a server. No definition of a view is among them: it would name tables and filters (ADR 257).
 */

/** A statement of our own, or a SELECT of the user whose columns are the answer. */
export type About = { sql: string } | { columnsOf: readonly SqlToken[] }

/** What a form found: its named parts, and the text behind LIKE. */
type Found = { parts: Record<string, string | undefined>; like: string | undefined; home: string }

const rest = ({ parts, like }: Found, column: string): string =>
  (like === undefined ? '' : ` AND ${column} ${parts.like} ${literal(like)}`) +
  ` ORDER BY 1${parts.limit === undefined ? '' : ` LIMIT ${parts.limit}`}`

/** The second condition is an error for a view that there is not. */
const ofView = (view: string): string =>
  `table = ${literal(view)} AND NOT ignore((SELECT count() FROM ${view} WHERE 0))`

const tables = (found: Found): string =>
  `SELECT name${found.parts.full === undefined ? '' : ", 'VIEW' AS table_type"} FROM sys_tables WHERE 1${rest(found, 'name')}`

const columns = (found: Found): string => {
  const more =
    found.parts.full === undefined ? '' : ", CAST(NULL, 'Nullable(String)') AS collation, comment, '' AS privileges"
  const isNull = "if(startsWith(type, 'Nullable'), 'YES', 'NO') AS null"
  return `SELECT name AS field, type, ${isNull}, '' AS key, CAST(NULL, 'Nullable(String)') AS default, '' AS extra${more}
    FROM sys_columns WHERE ${ofView(viewOf(found.parts.view ?? ''))}${rest(found, 'name')}`
}

const indexes = ({ parts }: Found): string =>
  `SELECT table_name AS table, non_unique, index_name AS key_name, seq_in_index, column_name, collation, cardinality,
    sub_part, packed, nullable AS null, index_type, comment, index_comment, is_visible AS visible, expression
    FROM standard_statistics WHERE table_name = ${literal(viewOf(parts.view ?? ''))}`

/** The columns of a view, and nothing of where they come from. */
const creation = ({ parts, home }: Found): string => {
  const view = viewOf(parts.view ?? '')
  const name = `${/^[A-Za-z_]\w*$/.test(home) ? home : quotedName(home)}.${view}`
  return `SELECT concat(${literal(`CREATE TABLE ${name}\n(\n`)}, arrayStringConcat(arrayMap(c -> concat('    \`', c.2, '\` ', c.3),
      arraySort(groupArray((position, name, type)))), ',\\n'), '\\n)\\nENGINE = View') AS statement
    FROM sys_columns WHERE ${ofView(view)}`
}

const described = ({ parts }: Found): string =>
  `SELECT name, type, default_kind AS default_type, default_expression, comment, '' AS codec_expression,
    '' AS ttl_expression FROM sys_columns WHERE ${ofView(viewOf(parts.view ?? ''))} ORDER BY position`

const exists = (table: string, name: string): string =>
  `SELECT toUInt8(count() > 0) AS result FROM ${table} WHERE name = ${literal(name)}`

const LIKE = '(?: (?<like>(?:not )?i?like) \\?)?(?: limit (?<limit>\\d{1,9}))?'
const IN_HOME = '(?: (?:from|in) HOME)?'
const OF_VIEW = '(?:from|in) (?:HOME \\. )?(?<view>\\w+)'

/** Forms over the words of a statement, with texts as `?` and the name of the database as HOME. */
const FORMS: readonly [form: string, answer: (found: Found) => string][] = [
  [`show (?:databases|schemas)${LIKE}`, (found) => `SELECT name FROM sys_databases WHERE 1${rest(found, 'name')}`],
  [`show (?<full>full )?(?:tables|views)${IN_HOME}${LIKE}`, tables],
  [`show (?:extended )?(?<full>full )?(?:columns|fields) ${OF_VIEW}${IN_HOME}${LIKE}`, columns],
  [`show (?:extended )?(?:index|indexes|indices|keys) ${OF_VIEW}${IN_HOME}`, indexes],
  ['show create (?:table |view )?(?:HOME \\. )?(?<view>bi_\\w+)', creation],
  [
    'show create (?:database|schema) HOME',
    ({ home }) => `SELECT ${literal(`CREATE DATABASE ${home}\nENGINE = Atomic`)} AS statement`,
  ],
  ['(?:desc|describe) (?:table )?(?:HOME \\. )?(?<view>\\w+)', described],
  [
    'exists (?:table |view )?(?:HOME \\. )?(?<view>\\w+)',
    ({ parts }) => exists('sys_tables', viewOf(parts.view ?? '')),
  ],
  ['exists (?:database|schema) (?<view>\\w+)', ({ parts }) => exists('sys_databases', parts.view ?? '')],
]

/** The SELECT that a DESCRIBE is about, with or without brackets around it; of a system table, all of its columns. */
const selectOf = (list: readonly SqlToken[]): readonly SqlToken[] | undefined => {
  if (!['desc', 'describe'].includes(wordOf(list[0]))) return undefined
  const of = list.slice(wordOf(list[1]) === 'table' ? 2 : 1)
  if (['select', 'with'].includes(wordOf(of.find((token) => !isMark(token, '('))))) return of
  const [database, dot, table] = of
  if (of.length !== 3 || !isMark(dot, '.') || stands(database!.text, table!.text) === undefined) return undefined
  const word = (text: string): SqlToken => ({ kind: 'word', text, from: 0, to: 0 })
  return [word('SELECT'), { ...word('*'), kind: 'mark' }, word('FROM'), ...of]
}

/**
 * What answers a SHOW, DESCRIBE or EXISTS; undefined for a form that is not known.
 * @param home the database name that analysts see
 * @throws Refused UNKNOWN_TABLE for what is no view
 */
export const about = (list: readonly SqlToken[], home: string): About | undefined => {
  const select = selectOf(list)
  if (select !== undefined) return { columnsOf: select }
  const text = list.map((token) => (token.kind === 'text' ? '?' : token.text.toLowerCase())).join(' ')
  const like = list.find(({ kind }) => kind === 'text')?.text
  for (const [form, answer] of FORMS) {
    const found = new RegExp(`^${form.replaceAll('HOME', home.toLowerCase())}$`).exec(text)
    // A quoted name may hold what looks like a text.
    if (found !== null && (like !== undefined) === (found.groups?.like !== undefined))
      return { sql: answer({ parts: found.groups ?? {}, like, home }) }
  }
  return undefined
}

/** What a DESCRIBE answers of these columns. */
export const describedColumns = (found: readonly { name: string; type: string }[]): string => {
  const rows = found.map(({ name, type }) => `(${literal(name)}, ${literal(type)})`)
  return `SELECT name, type, '' AS default_type, '' AS default_expression, '' AS comment, '' AS codec_expression,
    '' AS ttl_expression FROM values('name String, type String', ${rows.join(', ')})`
}
