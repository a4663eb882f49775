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
