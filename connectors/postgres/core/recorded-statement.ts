/**
 * The statement that stores an audit record, and one that takes it along (ADR 228). A server parses and plans either once
 * for each connection: that is most of what storing a record costs.
 */

import type { CompiledQuery } from 'kysely'

const insert = (entry: string): string => `INSERT INTO audit_waiting (entry) VALUES (${entry})`

/** One record, however many rows were changed. */
const insertIf = (entry: string): string =>
  `INSERT INTO audit_waiting (entry) SELECT ${entry}::bytea WHERE EXISTS (SELECT FROM changed)`

/** Must have run on a connection before `recordStatement` does. */
export const PREPARE_RECORD = `PREPARE audit_record (bytea) AS ${insert('$1')}`

/**
 * Stores one record. It is written as digits into the text, so nothing in it can end the literal: the simple protocol has
 * no parameters, and takes the end of the transaction along.
 */
export const recordStatement = (entry: string): string =>
  `EXECUTE audit_record ('\\x${Buffer.from(entry).toString('hex')}')`

type Node = { kind: string; with?: unknown; onConflict?: unknown; returning?: unknown }

/**
 * The same statement, which stores a record too if it changes a row: an insertion, which changes one or fails, or an update
 * that returns what it changed. An update then ends as a SELECT does: its rows say whether it changed any.
 * @returns null for any other statement
 */
export function withRecord(query: CompiledQuery, entry: () => string): CompiledQuery | null {
  const place = `$${query.parameters.length + 1}`
  const sql = textWith(query.query as Node, query.sql, place)
  return sql === null ? null : { ...query, sql, parameters: [...query.parameters, Buffer.from(entry())] }
}

function textWith(node: Node, sql: string, place: string): string | null {
  if (node.with !== undefined) return null
  if (
    node.kind === 'InsertQueryNode' &&
    node.onConflict === undefined &&
    /^insert into "\w+" \([^()]*\) values/.test(sql)
  )
    return `WITH audited AS (${insert(place)}) ${sql}`
  if (node.kind === 'UpdateQueryNode' && node.returning !== undefined)
    return `WITH changed AS (${sql}), audited AS (${insertIf(place)}) SELECT * FROM changed`
  return null
}
