/**
 * Databases in memory for tests. Making the files of a PostgreSQL takes 1.5 s of processor time, loading a copy 0.4 s:
 * they are made once in a test run (tests/runner/setup.ts), and every database starts from the copy.
 */

import { existsSync, renameSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Accounts } from '../../../connectors/postgres/accounts/port.ts'
import { embeddedAccounts, embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import type { AppendEvents } from '../../../connectors/postgres/outbox/append.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/tables/tables.ts'

let loaded: Promise<Blob> | undefined

/** An empty PostgreSQL, as `embeddedDatabase` takes it. */
export const emptyCluster = (): Promise<Blob> => (loaded ??= load(process.env.TEST_TEMPLATE))

async function load(folder: string | undefined): Promise<Blob> {
  if (folder === undefined) return make()
  const file = join(folder, 'postgres.tar')
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    await writeFile(draft, Buffer.from(await (await make()).arrayBuffer()))
    renameSync(draft, file)
  }
  return new Blob([await readFile(file)])
}

async function make(): Promise<Blob> {
  const made = await PGlite.create()
  const dump = await made.dumpDataDir('none')
  await made.close()
  return dump
}

/** An embedded database in memory with all migrations applied. */
export const memoryDatabase = async (): Promise<AccountsDatabase> =>
  embeddedDatabase({ folder: null, cluster: await emptyCluster() })

/** The accounts of an embedded database in memory. */
export const memoryAccounts = async (append: AppendEvents): Promise<Accounts> =>
  embeddedAccounts({ folder: null, cluster: await emptyCluster() }, append)
