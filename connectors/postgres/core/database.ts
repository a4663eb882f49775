import type { Kysely } from 'kysely'
import type { Tables } from '../tables/all-tables.ts'
import type { WorkSignals } from './port.ts'

/**
 * One database behind all stores: connectors build their queries over `db`; the code that opened it closes it. `work`
 * tells workers of commits.
 */
export type AccountsDatabase = { db: Kysely<Tables>; work: WorkSignals; close: () => Promise<void> }
