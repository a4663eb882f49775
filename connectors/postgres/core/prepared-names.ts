/** Statements that each connection prepares once: those that decide whether a record is stored (ADR 278). */

import type { QueryConfig } from 'pg'

/** Texts that are prepared by name on each connection: those of insertions with any number of rows are without end. */
const MOST_NAMES = 200

/** The name under which a connection prepares a statement once; null: it is parsed and planned each time. */
export type NameOf = (sql: string) => string | null

export type PreparedNames = {
  /** From now on the text is prepared. */
  add(sql: string): void
  nameOf: NameOf
}

/** A plan that gives all columns fails once a newer version has added one, on each connection that holds it. */
const ALL_COLUMNS = /\breturning \*/i

/** One text has one name for the life of the process. */
export function preparedNames(): PreparedNames {
  const names = new Map<string, string>()
  return {
    add(sql) {
      if (names.size < MOST_NAMES && !names.has(sql) && !ALL_COLUMNS.test(sql)) names.set(sql, `decides_${names.size}`)
    },
    nameOf: (sql) => names.get(sql) ?? null,
  }
}

/** A statement as the client takes it. */
export function named(text: string, parameters: readonly unknown[], nameOf: NameOf): QueryConfig {
  const name = nameOf(text)
  return { text, values: [...parameters], ...(name && { name }) }
}
