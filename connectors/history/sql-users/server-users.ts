import { createHash } from 'node:crypto'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { SqlUser } from './user.ts'

/**
 * A SQL user of a ClickHouse server, as statements (ADR 279): a database of its own with a view before each view for
 * analysts, run with the rights of the account that makes them and holding the rows of its audiences alone. The user may
 * read these and nothing else: no table, and no view that is not its own.
 */

/** The database that a user's views are in. */
export const databaseOf = (name: string): string => `harrier_sql_${name}`

const literal = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
const quote = (name: string): string => `\`${name}\``

/** No condition is moved below a LIMIT: a condition of the user only sees rows that are known to be readable. */
const BARRIER = 'LIMIT 18446744073709551615'

/** Private networks; users from any other network must be listed. */
export const PRIVATE = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

/** Metadata tables that clients query; the server shows of each what the user is allowed to see. */
const CATALOGUE = ['tables', 'columns', 'databases', 'settings', 'functions', 'data_type_families', 'one', 'formats']

/** The rule of every reader: audiences that meet its groups, and public. */
const readable = ({ groups }: Pick<SqlUser, 'groups'>, home: string): string => {
  const assigned = groups.filter((group) => group !== 'public').map(literal)
  const everyone = `audience = ${audienceId(['public'])}`
  if (assigned.length === 0) return everyone
  const meets = `SELECT audience FROM ${home}.sql_audiences WHERE hasAny(groups, [${assigned.join(', ')}])`
  return `(${everyone} OR audience IN (${meets}))`
}

/** The views of a user: each before the one of the same name in the database `home`. */
export const viewStatements = (user: SqlUser, views: readonly string[], home: string): string[] =>
  views.map(
    (view) =>
      `CREATE OR REPLACE VIEW ${databaseOf(user.name)}.${view} DEFINER = CURRENT_USER SQL SECURITY DEFINER AS ` +
      `SELECT * FROM ${home}.${view} WHERE ${readable(user, home)} ${BARRIER}`,
  )

/** Bounds that a client may make tighter. `readonly = 2` lets it: JDBC and others send settings with every query. */
const bounds = ({ seconds, memoryBytes, rows }: SqlUser): string =>
  [
    'readonly = 2 CONST',
    `max_execution_time = ${seconds} MIN 1 MAX ${seconds}`,
    `max_memory_usage = ${memoryBytes} MIN 1 MAX ${memoryBytes}`,
    `max_memory_usage_for_user = ${2 * memoryBytes} CONST`,
    `max_result_rows = ${rows} MIN 1 MAX ${rows}`,
    'max_concurrent_queries_for_user = 2 CONST',
    'max_threads = 4 MIN 1 MAX 4',
    'output_format_write_statistics = 0 CONST',
    'allow_ddl = 0 CONST',
    'use_query_cache = 0 CONST',
    'use_query_condition_cache = 0 CONST',
  ].join(', ')

const hashOf = (password: string): string => `sha256_hash BY '${createHash('sha256').update(password).digest('hex')}'`

/** The account itself; fails when the server has one of that name. @param from networks, or none for any */
export const accountStatement = (user: SqlUser, password: string, from: readonly string[]): string => {
  const host = from.length === 0 ? 'ANY' : `IP ${from.map(literal).join(', ')}`
  return (
    `CREATE USER ${quote(user.name)} IDENTIFIED WITH ${hashOf(password)} HOST ${host} ` +
    `DEFAULT DATABASE ${databaseOf(user.name)} SETTINGS ${bounds(user)}`
  )
}

/** What follows the account: its database, its views, and the right to read them. */
export const placeStatements = (user: SqlUser, views: readonly string[], home: string): string[] => [
  `CREATE DATABASE IF NOT EXISTS ${databaseOf(user.name)} ENGINE = Atomic`,
  ...viewStatements(user, views, home),
  `GRANT SELECT ON ${databaseOf(user.name)}.* TO ${quote(user.name)}`,
  ...CATALOGUE.map((table) => `GRANT SELECT ON system.${table} TO ${quote(user.name)}`),
]

export const passwordStatement = (name: string, password: string): string =>
  `ALTER USER ${quote(name)} IDENTIFIED WITH ${hashOf(password)}`

/** Each may run again. */
export const removeStatements = (name: string): string[] => [
  `DROP USER IF EXISTS ${quote(name)}`,
  `DROP DATABASE IF EXISTS ${databaseOf(name)} SYNC`,
]

/**
 * The users created by the platform, in a table of the home database: a server does not store which groups a view
 * belongs to.
 */
export const ledgerStatement = (home: string): string =>
  `CREATE TABLE IF NOT EXISTS ${home}.sql_users (name String, user String, at DateTime64(3, 'UTC') DEFAULT now64(3),
    removed UInt8) ENGINE = ReplacingMergeTree(at, removed) ORDER BY name`

export const noteStatement = (user: SqlUser, home: string, removed: boolean): string =>
  `INSERT INTO ${home}.sql_users (name, user, removed)
    SELECT ${literal(user.name)}, ${literal(JSON.stringify(user))}, ${Number(removed)}`
