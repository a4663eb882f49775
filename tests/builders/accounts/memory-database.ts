/**
 * Databases in memory for tests. Making the files of a PostgreSQL takes 1.5 s of processor time, the migrations 0.6 s,
 * loading a copy 0.4 s: they are made once in a test run (tests/setup.ts), and every database starts from the copy.
 */

import { existsSync, renameSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect } from 'kysely'
import type { Accounts } from '../../../connectors/postgres/accounts/port.ts'
import { embeddedAccounts, embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { embeddedPool } from '../../../connectors/postgres/database/embedded-pool.ts'
import { migrate } from '../../../connectors/postgres/database/migrate.ts'
import type { AppendEvents } from '../../../connectors/postgres/outbox/append.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/tables/tables.ts'

/** What databases start from, loaded once in a process. */
const loaded = new Map<string, Promise<Blob>>()

/** An empty PostgreSQL, as `embeddedDatabase` takes it. */
export const emptyCluster = (): Promise<Blob> => shared('postgres.tar', () => PGlite.create())

/** One to which all migrations were applied. */
const migratedCluster = (): Promise<Blob> =>
  shared('migrated.tar', async () => {
    const made = await PGlite.create({ loadDataDir: await emptyCluster() })
    const db = new Kysely({ dialect: new PostgresDialect({ pool: embeddedPool(made) }) })
    await migrate(db).finally(() => db.destroy())
    return made
  })

function shared(name: string, make: () => Promise<PGlite>): Promise<Blob> {
  const cluster = loaded.get(name) ?? load(name, make)
  loaded.set(name, cluster)
  return cluster
}

async function load(name: string, make: () => Promise<PGlite>): Promise<Blob> {
  const folder = process.env.TEST_TEMPLATE
  if (folder === undefined) return dumped(await make())
  const file = join(folder, name)
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    await writeFile(draft, Buffer.from(await (await dumped(await make())).arrayBuffer()))
    renameSync(draft, file)
  }
  return new Blob([await readFile(file)])
}

async function dumped(made: PGlite): Promise<Blob> {
  const dump = await made.dumpDataDir('none')
  await made.close()
  return dump
}

/** An embedded database in memory with all migrations applied. */
export const memoryDatabase = async (): Promise<AccountsDatabase> =>
  embeddedDatabase({ folder: null, cluster: await migratedCluster() })

/** The accounts of an embedded database in memory. */
export const memoryAccounts = async (append: AppendEvents): Promise<Accounts> =>
  embeddedAccounts({ folder: null, cluster: await migratedCluster() }, append)
