import type { PGlite } from '@electric-sql/pglite'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { clientTypes } from '../client-types.ts'
import { type NameOf, named } from '../prepared-names.ts'
import { EmbeddedWire } from './embedded-wire.ts'

/**
 * The driver of a server over the only session of the embedded database (ADR 240).
 * @param onConnect what the connection does before it is given out
 */
export function embeddedPool(
  pglite: PGlite,
  onConnect: (client: pg.ClientBase) => Promise<void> = async () => undefined,
): pg.Pool {
  const stream = () => new EmbeddedWire(pglite)
  const pool = new pg.Pool({ max: 1, idleTimeoutMillis: 0, ssl: false, stream, types: clientTypes(), onConnect })
  // An 'error' event without a listener would end the process; whoever waits for a statement is told.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** That pool, whose connection prepares the statements that have a name. */
export const preparingPool = (pool: pg.Pool, nameOf: NameOf): PostgresPool => ({
  options: pool.options,
  async connect() {
    const client = await pool.connect()
    const query = (sql: string, parameters: readonly unknown[]) => client.query(named(sql, parameters, nameOf))
    return { query: query as unknown as PostgresPoolClient['query'], release: (discard) => client.release(discard) }
  },
  end: () => pool.end(),
})
