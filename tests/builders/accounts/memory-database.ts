/**
 * Databases in memory for tests. Making a PostgreSQL with all migrations takes 6 s of processor time, loading a copy 0.4
 * s: it is made once in a test run (tests/runner/setup.ts), and every database starts from the copy.
 */

import { existsSync, renameSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Accounts } from '../../../connectors/postgres/accounts/port.ts'
import { makeCluster } from '../../../connectors/postgres/database/cluster.ts'
import { embeddedAccounts, embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import type { AppendEvents } from '../../../connectors/postgres/outbox/append.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/tables/tables.ts'

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

/** An embedded database in memory with all migrations applied. */
export const memoryDatabase = async (): Promise<AccountsDatabase> =>
  embeddedDatabase({ folder: null, cluster: await emptyCluster() })

/** The accounts of an embedded database in memory. */
export const memoryAccounts = async (append: AppendEvents): Promise<Accounts> =>
  embeddedAccounts({ folder: null, cluster: await emptyCluster() }, append)
