/**
 * The one place where a record joins its change: below the query builder, on either database. The first statement of an
 * audited request that decides takes the record along (ADR 278).
 */

import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  type PostgresPool,
  type QueryResult,
} from 'kysely'
import type { ClientBase } from 'pg'
import { type AuditedRequest, auditedRequest } from './port.ts'
import type { PreparedNames } from './prepared-names.ts'

/**
 * The statement that stores an audit record, and one that takes it along (ADR 278). A server parses and plans either once
 * for each connection: that is most of what storing a record costs.
 */
const insert = (entry: string): string => `INSERT INTO audit_waiting (entry) VALUES (${entry})`

/** One record, however many rows were changed. */
const insertIf = (entry: string): string =>
  `INSERT INTO audit_waiting (entry) SELECT ${entry}::bytea WHERE EXISTS (SELECT FROM changed)`

/** Must have run on a connection before `recordStatement` does. */
const PREPARE_RECORD = `PREPARE audit_record (bytea) AS ${insert('$1')}`

/**
 * Stores one record. It is written as digits into the text, so nothing in it can end the literal: the simple protocol has
 * no parameters, and takes the end of the transaction along.
 */
const recordStatement = (entry: string): string => `EXECUTE audit_record ('\\x${Buffer.from(entry).toString('hex')}')`

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

/** Ends a transaction with one statement more, as cheaply as the database can. */
export type CommitWith = (
  connection: DatabaseConnection,
  statement: string,
  commit: () => Promise<void>,
) => Promise<void>

export type AuditedOptions = {
  commitWith: CommitWith
  /** Called with each statement that decides: where it is prepared once for each connection, that pays for the record. */
  prepare?: (sql: string) => void
  /** Called when records may wait to be sealed. */
  onStored: () => void
}

export const auditedDialect = (dialect: Dialect, options: AuditedOptions): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createDriver: () => auditedDriver(dialect.createDriver(), options),
})

type Audited = DatabaseConnection & {
  inner: DatabaseConnection
  inTransaction: boolean
  /** Whose record is stored when the transaction commits. */
  owes: AuditedRequest | null
  /** Whose record a statement of the transaction has taken along. */
  carries: AuditedRequest | null
}

const innerOf = (connection: DatabaseConnection): DatabaseConnection => (connection as Audited).inner

const hasChanged = ({ numAffectedRows, rows }: QueryResult<unknown>): boolean =>
  (numAffectedRows ?? 0n) > 0n || rows.length > 0

const textOf = (request: AuditedRequest): string => JSON.stringify(request.entry())

/** How records that wait for nothing are stored: together, by the query builder. */
const NOTED = 'insert into "audit_waiting"'
const DONE = Promise.resolve()

function auditedDriver(driver: Driver, { commitWith, prepare = () => undefined, onStored }: AuditedOptions): Driver {
  const stored = (request: AuditedRequest): void => {
    request.stored = DONE
    onStored()
  }

  async function commit(inner: DatabaseConnection, owes: AuditedRequest | null): Promise<void> {
    const plainly = () => driver.commitTransaction(inner)
    if (owes === null) return plainly()
    await commitWith(inner, recordStatement(textOf(owes)), plainly)
    stored(owes)
  }

  const deciding = <R>(inner: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<R>> => {
    prepare(query.sql)
    return inner.executeQuery<R>(query)
  }

  const togetherWith = (query: CompiledQuery, request: AuditedRequest): CompiledQuery | null =>
    request.late ? null : withRecord(query, () => textOf(request))

  /** A statement of its own takes its record along, or becomes a transaction together with it. */
  async function alone<R>(inner: DatabaseConnection, query: CompiledQuery, request: AuditedRequest) {
    const together = togetherWith(query, request)
    if (together !== null) {
      const result = await deciding<R>(inner, together)
      if (hasChanged(result)) stored(request)
      return result
    }
    await driver.beginTransaction(inner, {})
    try {
      const result = await deciding<R>(inner, query)
      await commit(inner, hasChanged(result) ? request : null)
      return result
    } catch (error) {
      await driver.rollbackTransaction(inner).catch(() => undefined)
      throw error
    }
  }

  /** In a transaction the record goes with the statement where it can, and else with the commit. */
  async function within<R>(connection: Audited, query: CompiledQuery, request: AuditedRequest) {
    const together = togetherWith(query, request)
    const result = await deciding<R>(connection.inner, together ?? query)
    if (hasChanged(result)) connection[together === null ? 'owes' : 'carries'] = request
    return result
  }

  const connectionOver = (inner: DatabaseConnection): Audited => {
    const connection: Audited = {
      inner,
      inTransaction: false,
      owes: null,
      carries: null,
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        const request = auditedRequest()
        const decides =
          request !== undefined &&
          request.kind === 'change' &&
          request.stored === null &&
          connection.owes === null &&
          connection.carries === null &&
          request.decides(query.sql)
        if (decides) return connection.inTransaction ? within(connection, query, request) : alone(inner, query, request)
        const result = await inner.executeQuery<R>(query)
        if (query.sql.startsWith(NOTED)) onStored()
        return result
      },
      streamQuery: (query, chunkSize, options) => inner.streamQuery(query, chunkSize, options),
    }
    return connection
  }

  const turn = (connection: DatabaseConnection, inTransaction: boolean): void =>
    void Object.assign(connection, { inTransaction, owes: null, carries: null })

  return {
    init: (options) => driver.init(options),
    acquireConnection: async (options) => connectionOver(await driver.acquireConnection(options)),
    async beginTransaction(connection, settings) {
      await driver.beginTransaction(innerOf(connection), settings)
      turn(connection, true)
    },
    async commitTransaction(connection) {
      const { owes, carries, inner } = connection as Audited
      // A failure here is one of the transaction: the query builder rolls it back.
      await commit(inner, owes)
      if (carries !== null) stored(carries)
      turn(connection, false)
    },
    async rollbackTransaction(connection) {
      turn(connection, false)
      await driver.rollbackTransaction(innerOf(connection))
    },
    releaseConnection: (connection, options) => driver.releaseConnection(innerOf(connection), options),
    destroy: (options) => driver.destroy(options),
  }
}

/** What a connection does before it is given out. */
export const prepareRecord = async (client: ClientBase): Promise<void> => void (await client.query(PREPARE_RECORD))

/**
 * Statements over a pool whose connections began with `prepareRecord`, with the audit records of what they change.
 * @param onStored called when records may wait to be sealed
 */
export const recordingDialect = (pool: PostgresPool, prepared: PreparedNames, onStored: () => void): Dialect =>
  auditedDialect(new PostgresDialect({ pool }), {
    prepare: prepared.add,
    onStored,
    // In one message: it takes no longer on its way than the commit alone.
    commitWith: async (connection, statement) =>
      void (await connection.executeQuery(CompiledQuery.raw(`${statement}; COMMIT`))),
  })
