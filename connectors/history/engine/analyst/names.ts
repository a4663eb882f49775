import { denied, notThere } from '../statement/refused.ts'
import type { SqlToken } from '../statement/tokens.ts'
import { stands } from './catalogue.ts'
import { mayCall, mayName } from './functions.ts'

/** Which names a statement of a SQL user may hold, and what stands in their place. */

/** What a name may mean to the engine, in lower case. */
export type Names = {
  /** All databases that there are. */
  databases: ReadonlySet<string>
  /** All functions that there are. */
  functions: ReadonlySet<string>
}

/** What the engine knows before it has a list of databases, and never shows. */
const ALWAYS = new Set(['system', 'information_schema', 'default', '_temporary_and_external_tables'])

const lower = (token: SqlToken): string => token.text.toLowerCase()
export const quote = (text: string): string => `'${text.slice(0, 60)}'`

/** @throws Refused UNKNOWN_TABLE for what is no name of a view for analysts */
export const viewOf = (name: string): string => {
  if (!/^bi_[a-z0-9_]+$/.test(name)) throw notThere(`unknown table ${quote(name)}; SHOW TABLES lists the tables`)
  return name
}

/**
 * The view of the confined database that answers for a name with its database.
 * @param home the database name that analysts see
 * @throws Refused UNKNOWN_TABLE for a table that there is not, ACCESS_DENIED for another database
 */
export const inPlaceOf = (database: SqlToken, table: SqlToken, home: string): string => {
  const of = lower(database)
  if (of === home.toLowerCase()) return viewOf(table.text)
  const view = stands(of, table.text)
  if (view !== undefined) return view
  const both = quote(`${database.text}.${table.text}`)
  if (of === 'system' || of === 'information_schema')
    throw notThere(`unknown table ${both}: SQL users have no such system table`)
  throw denied(`access to ${both} is not allowed`)
}

/**
 * A name alone is a function too where one is expected: `arrayMap(file, ['/etc/passwd'])`. So no name is that of a
 * function which may not be called.
 * @throws Refused ACCESS_DENIED
 */
export const checkFunction = (token: SqlToken, called: boolean, { functions }: Names): void => {
  if (called ? token.kind === 'quoted' || !mayCall(token.text) : functions.has(lower(token)) && !mayName(token.text))
    throw denied(`the function ${quote(token.text)} is not allowed here`)
}

/** @throws Refused ACCESS_DENIED for the name of a database */
export const checkName = (token: SqlToken, { databases }: Names): void => {
  // The engine takes some quoted names apart at their dots.
  for (const part of lower(token).split('.'))
    if (databases.has(part.trim()) || ALWAYS.has(part.trim()))
      throw denied(`the name ${quote(token.text)} is not allowed here, because it is the name of a database`)
}
