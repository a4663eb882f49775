/**
 * Accounts on the embedded PostgreSQL: one connection, so a transaction holds up every other query; nothing here awaits
 * the network inside of one.
 */

import { execFile } from 'node:child_process'
import { rename, rm, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite, type Transaction, types } from '@electric-sql/pglite'
import { type Dialect, Kysely, PGliteDialect } from 'kysely'
import { lockFolder } from '../../data-folder/folder-lock.ts'
import { kyselyAccounts } from '../accounts/kysely.ts'
import type { Accounts } from '../accounts/port.ts'
import { auditedDialect } from '../audit/audited-dialect.ts'
import { PREPARE_RECORD } from '../audit/recorded-statement.ts'
import type { AppendEvents } from '../outbox/append.ts'
import type { AccountsDatabase, Tables } from '../tables/tables.ts'
import { HEARING_OWN_MS, signalHub, WORK_CHANNEL } from '../work-signals/hub.ts'
import { migrate } from './migrate.ts'
import { int8 } from './server.ts'

/**
 * @property folder null keeps everything in memory (tests)
 * @property cluster what a database in memory starts from, as `PGlite.dumpDataDir` returns it; default: a new cluster
 */
export type EmbeddedOptions = { folder: string | null; cluster?: Blob }

/** Accounts are small: the default of 128 MB of shared buffers would all be resident. */
const SMALL = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

const bytea = (text: string): Buffer => Buffer.from(text.slice('\\x'.length), 'hex')

/** Opens the folder, makes it when missing, applies the migrations. Rejects while another process has it open. */
export async function embeddedDatabase({ folder, cluster }: EmbeddedOptions): Promise<AccountsDatabase> {
  const unlock = folder === null ? () => undefined : lockFolder(folder)
  try {
    if (folder !== null) await makeFolder(folder)
    const parsers = { [types.INT8]: int8, [types.BYTEA]: bytea }
    const files = folder === null ? cluster && { loadDataDir: cluster } : { dataDir: folder }
    const pglite = await PGlite.create({ ...files, startParams: SMALL, parsers })
    const work = signalHub(HEARING_OWN_MS)
    const dialect = auditedPglite(pglite, () => work.ring('audit'))
    const db = new Kysely<Tables>({ dialect })
    await migrate(db)
    await pglite.exec(PREPARE_RECORD)
    await pglite.listen(WORK_CHANNEL, work.ring)
    work.setHearing(true)
    return { db, work, close: () => db.destroy().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** A statement without parameters goes to the database in one piece: a third of what the query builder's way costs. */
function auditedPglite(pglite: PGlite, onStored: () => void): Dialect {
  let running: Transaction | null = null
  const watched = {
    get closed() {
      return pglite.closed
    },
    get ready() {
      return pglite.ready
    },
    waitReady: pglite.waitReady,
    close: () => pglite.close(),
    query: pglite.query.bind(pglite),
    transaction: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
      pglite.transaction((tx) => {
        running = tx
        return work(tx)
      }),
  }
  return auditedDialect(new PGliteDialect({ pglite: watched }), {
    onStored,
    async commitWith(_connection, statement, commit) {
      await running!.exec(statement)
      await commit()
    },
  })
}

/** The accounts of an embedded database of their own. */
export async function embeddedAccounts(options: EmbeddedOptions, append: AppendEvents): Promise<Accounts> {
  const { db, close } = await embeddedDatabase(options)
  return { ...kyselyAccounts(db, append), close }
}

/** Made beside its place and then moved there: a start that is cut short leaves no half-made folder behind. */
async function makeFolder(folder: string): Promise<void> {
  if (await stat(folder).catch(() => null)) return
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('make-folder.ts', import.meta.url)), draft])
  await rename(draft, folder)
}
