import { CompiledQuery, type Dialect, PostgresDialect, type PostgresPool } from 'kysely'
import type { ClientBase } from 'pg'
import { auditedDialect } from './audited-dialect.ts'
import type { PreparedNames } from './prepared-names.ts'
import { PREPARE_RECORD } from './recorded-statement.ts'

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
