/**
 * Databases in memory for tests. Making a PostgreSQL with all migrations takes 6 s of processor time, loading a copy 0.4
 * s: it is made once in a test run (tests/runner/setup.ts), and every database starts from the copy.
 */

import { existsSync, renameSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { kyselyAccounts } from '../../../../connectors/postgres/accounts/users/account-store.ts'
import type { Accounts } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { AccountsDatabase } from '../../../../connectors/postgres/core/database.ts'
import { makeCluster } from '../../../../connectors/postgres/core/embedded/cluster.ts'
import { SMALL, sessionOf } from '../../../../connectors/postgres/core/embedded/embedded-database.ts'
import type { AppendEvents } from '../../../../connectors/postgres/operation/outbox-store.ts'
import { emptied, keepRows } from './emptied.ts'

let loaded: Promise<Blob> | undefined

/** A PostgreSQL with all migrations and no accounts, as `embeddedDatabase` takes it. */
export const emptyCluster = (): Promise<Blob> => (loaded ??= load(process.env.TEST_TEMPLATE))

async function load(folder: string | undefined): Promise<Blob> {
  if (folder === undefined) return makeCluster()
  const file = join(folder, 'postgres.tar')
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    await writeFile(draft, Buffer.from(await (await makeCluster()).arrayBuffer()))
    renameSync(draft, file)
  }
  return new Blob([await readFile(file)])
}

/** Databases that nobody has: the next test of this process takes one of them, emptied. */
const idle: PGlite[] = []
/** Of the databases that nobody has so many are kept, as each takes 100 MB. */
const MOST_IDLE = 2

/**
 * An embedded database in memory with all migrations applied. Its files and migrations cost 0.75 s of processor time,
 * to empty it 0.02 s: whoever closes it leaves it to the next one, with a session of its own.
 */
export async function memoryDatabase(): Promise<AccountsDatabase> {
  const pglite = idle.pop() ?? (await migrated())
  const { db, work, close } = sessionOf(pglite)
  let closing: Promise<void> | undefined
  const leave = async (): Promise<void> => {
    await close()
    if (idle.length < MOST_IDLE && (await emptied(pglite))) idle.push(pglite)
    else await pglite.close()
  }
  return { db, work, close: () => (closing ??= leave()) }
}

async function migrated(): Promise<PGlite> {
  const pglite = await PGlite.create({ loadDataDir: await emptyCluster(), startParams: SMALL })
  await keepRows(pglite)
  return pglite
}

/** The accounts of an embedded database in memory. */
export async function memoryAccounts(append: AppendEvents): Promise<Accounts> {
  const { db, close } = await memoryDatabase()
  return { ...kyselyAccounts(db, append), close }
}
