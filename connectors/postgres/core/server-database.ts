/** Accounts on a PostgreSQL server. */

import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { AvailabilityOptions } from '../../availability/watch.ts'
import type { Tables } from '../tables/all-tables.ts'
import { prepareRecord, recordingDialect } from './audited-dialect.ts'
import { circuitBreakingPool } from './circuit-breaking-pool.ts'
import { clientTypes } from './client-types.ts'
import type { AccountsDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { preparedNames } from './prepared-names.ts'
import { HEARING_MS, signalHub, WORK_CHANNEL } from './signal-hub.ts'
import { hearWork } from './work-listener.ts'

export type PostgresOptions = {
  /** `postgresql://...` */
  url: string
  /** Connections of this process. */
  poolSize: number
  /** Told when a connection breaks, idle or in use; the pool replaces it. */
  onConnectionLost: (error: Error) => void
  /** Told of each time that the server stopped answering and came back. */
  onAvailabilityChange?: AvailabilityOptions['onChange']
}

const CONNECT_MS = 2000
const STATEMENT_MS = 5000
/** Of several processes that start at once, one migrates, and the statement with which the others wait takes as long. */
const MIGRATION_MS = 60_000

/** Connects and applies the migrations. Rejects when the server cannot be reached. */
export async function postgresDatabase(options: PostgresOptions): Promise<AccountsDatabase> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: 2 * STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    types: clientTypes(),
    onConnect: prepareRecord,
  })
  // An 'error' event without a listener would end the process. The pool listens to connections that are idle, and tells
  // of them by an event of its own; those in use have only the listener that stays with them for life.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', options.onConnectionLost))
  await migrateServer(options.url)
  const { onAvailabilityChange: onChange } = options
  const prepared = preparedNames()
  const guarded = circuitBreakingPool(pool, options.url, { nameOf: prepared.nameOf, ...(onChange && { onChange }) })
  const db = new Kysely<Tables>({ dialect: recordingDialect(guarded, prepared, () => work.ring('audit')) })
  let hearing: ReturnType<typeof hearWork> | undefined
  // Only a process with workers: commands need no further connection.
  const work = signalHub(HEARING_MS, () => {
    const notify = (payload: string) => sql`SELECT pg_notify(${WORK_CHANNEL}, ${payload})`.execute(db)
    hearing = hearWork(work, { url: options.url, notify, onLost: options.onConnectionLost })
  })
  return {
    db,
    work,
    async close() {
      await hearing?.stop()
      await db.destroy()
    },
  }
}

/** Over connections of its own, which end with it: their statements may take longer than those of requests. */
async function migrateServer(url: string): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: MIGRATION_MS,
    query_timeout: MIGRATION_MS,
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: circuitBreakingPool(pool, url) }) })
  await migrate(db).finally(() => db.destroy())
}
