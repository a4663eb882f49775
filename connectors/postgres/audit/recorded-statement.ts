/**
 * The statement that stores an audit record, and one that takes it along (ADR 228). A server parses and plans either once
 * for each connection: that is most of what storing a record costs.
 */

import type { CompiledQuery } from 'kysely'

const insert = (entry: string): string => `INSERT INTO audit_waiting (entry) VALUES (${entry})`

/** Must have run on a connection before `recordStatement` does. */
export const PREPARE_RECORD = `PREPARE audit_record (bytea) AS ${insert('$1')}`

/**
 * Stores one record. It is written as digits into the text, so nothing in it can end the literal: the simple protocol has
 * no parameters, and takes the end of the transaction along.
 */
export const recordStatement = (entry: string): string =>
  `EXECUTE audit_record ('\\x${Buffer.from(entry).toString('hex')}')`

/**
 * The same statement, which stores a record too. Only for an insertion that changes a row or fails.
 * @returns null for any other
 */
export function withRecord(query: CompiledQuery, entry: () => string): CompiledQuery | null {
  const node = query.query as { kind: string; with?: unknown; onConflict?: unknown; ignore?: unknown }
  const isPlain = node.kind === 'InsertQueryNode' && node.with === undefined && node.onConflict === undefined
  if (!isPlain || !/^insert into "\w+" \([^()]*\) values/.test(query.sql)) return null
  const parameters = [...query.parameters, Buffer.from(entry())]
  return { ...query, sql: `WITH audited AS (${insert(`$${parameters.length}`)}) ${query.sql}`, parameters }
}

/** Texts that are prepared by name on each connection: those of insertions with any number of rows are without end. */
const MOST_NAMES = 200

export type PreparedNames = {
  /** From now on the text is prepared. */
  add(sql: string): void
  /** The name under which a connection prepares a statement once; null: it is parsed and planned each time. */
  nameOf(sql: string): string | null
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
