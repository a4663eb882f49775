/**
 * Where the suites of ports over the database run. The SQL and the driver are the same on the embedded database and on a
 * server (ADR 277), so a suite runs whole on one of them: on the server of DATABASE_URL, else on the embedded one. What is
 * done at once could end otherwise on the only session of the embedded database: those promises are held on both, there
 * all on one database (tests/contract/database/one-session.test.ts).
 */

import { expect, test } from 'vitest'
import type { AccountsDatabase } from '../../../../connectors/postgres/core/database.ts'
import { postgresDatabase } from '../../../../connectors/postgres/core/server-database.ts'
import { memoryDatabase } from './memory-database.ts'
import { ownDatabase } from './own-database.ts'

export type Open = () => Promise<AccountsDatabase>
/** What a suite makes its tests with: all of them, or nothing of those that one session does not touch. */
export type Test = typeof test

/** Makes no test. */
export const untouched = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as Test

/**
 * @property another opens the same database once more, as another process does; undefined: there is one connection to all
 */
export type SuiteDatabase = { name: string; open: Open; another: Open | undefined }

/**
 * The database of a whole suite. In CI a server is promised.
 * @param own whether other tests must not meet it: it looks at, sweeps or removes everything
 */
export function suiteDatabase(poolSize: number, own: 'own' | 'shared' = 'shared'): SuiteDatabase {
  const url = process.env.DATABASE_URL
  if (url === undefined) {
    if (process.env.CI === 'true')
      test('DATABASE_URL names a PostgreSQL server', () => expect.unreachable('DATABASE_URL is required in CI'))
    return { name: 'embedded (set DATABASE_URL for PostgreSQL)', open: memoryDatabase, another: undefined }
  }
  if (own === 'own') return { name: 'PostgreSQL', open: () => ownDatabase(url, poolSize), another: undefined }
  const open = () => postgresDatabase({ url, poolSize, onConnectionLost: () => undefined })
  return { name: 'PostgreSQL', open, another: open }
}
