/**
 * Accounts on the embedded PostgreSQL: one connection, so a transaction holds up every other query; nothing here awaits
 * the network inside of one.
 */

import { execFile } from 'node:child_process'
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect } from 'kysely'
import { lockFolder } from '../../../data-folder/folder-lock.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { prepareRecord, recordingDialect } from '../audited-dialect.ts'
import type { AccountsDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { preparedNames } from '../prepared-names.ts'
import { HEARING_OWN_MS, signalHub, WORK_CHANNEL } from '../signal-hub.ts'
import { embeddedPool, preparingPool } from './embedded-wire.ts'

/** Rights of others, in the mode of a file. */
const OF_OTHERS = 0o077
const FILE = 0o600
const FOLDER = 0o700

/**
 * Takes the rights of others away from everything in the folder of an embedded PostgreSQL: what it unpacks has the modes
 * of its archive, whatever the umask is. A folder that is done has a version file of its own, and is not looked through.
 * @param folder an absolute path, whose database is closed
 */
async function ownFiles(folder: string): Promise<void> {
  const version = join(folder, 'PG_VERSION')
  if (((await stat(version)).mode & OF_OTHERS) === 0) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (path === version) continue
    if (entry.isDirectory()) await chmod(path, FOLDER)
    else if (entry.isFile()) await chmod(path, FILE)
  }
  await chmod(folder, FOLDER)
  // Last, so that a start that was cut short begins again.
  await chmod(version, FILE)
}

/** What PostgreSQL writes past its own rule for modes when a session begins: caches of its catalogue. */
const CACHE = 'pg_internal.init'

/** The same for these caches alone. @param folder of a database that has just been opened */
async function ownCaches(folder: string): Promise<void> {
  const databases = await readdir(join(folder, 'base'))
  for (const place of ['global', ...databases.map((name) => join('base', name))])
    await chmod(join(folder, place, CACHE), FILE).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    })
}

/**
 * @property folder null keeps everything in memory (tests)
 * @property cluster what a database in memory starts from, as `PGlite.dumpDataDir` returns it; default: a new cluster
 */
export type EmbeddedOptions = { folder: string | null; cluster?: Blob }

/** Accounts are small: the default of 128 MB of shared buffers would all be resident. */
export const SMALL = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/**
 * A function of the database is compiled a second time, to faster code, after it has run for this long (some bytes of it
 * a step). At V8's 13 million the start of a platform pays 0.7 s of processor time for functions that run once (ADR 285).
 */
setFlagsFromString('--wasm-tiering-budget=200000000')
/** One function at a time: each thread that compiles keeps up to 40 MB of what it worked with (ADR 281). */
setFlagsFromString('--wasm-num-compilation-tasks=1')

/** Opens the folder, makes it when missing, applies the migrations. Rejects while another process has it open. */
export async function embeddedDatabase({ folder, cluster }: EmbeddedOptions): Promise<AccountsDatabase> {
  const unlock = folder === null ? () => undefined : lockFolder(folder)
  try {
    if (folder !== null) {
      await makeFolder(folder)
      await ownFiles(folder)
    }
    const files = folder === null ? cluster && { loadDataDir: cluster } : { dataDir: folder }
    const pglite = await PGlite.create({ ...files, startParams: SMALL })
    if (folder !== null) await ownCaches(folder)
    await migrateEmbedded(pglite)
    const { db, work, close } = sessionOf(pglite)
    const closed = async (): Promise<void> => {
      await close()
      await pglite.close()
    }
    return { db, work, close: () => closed().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** What is asked of a migrated database in this process. `close` ends the session and leaves the database open. */
export function sessionOf(pglite: PGlite): AccountsDatabase {
  const work = signalHub(HEARING_OWN_MS)
  const prepared = preparedNames()
  const pool = embeddedPool(pglite, async (client) => {
    client.on('notification', ({ payload = '' }) => work.ring(payload))
    await client.query(`LISTEN ${WORK_CHANNEL}`)
    await prepareRecord(client)
  })
  const dialect = recordingDialect(preparingPool(pool, prepared.nameOf), prepared, () => work.ring('audit'))
  const db = new Kysely<Tables>({ dialect })
  work.setHearing(true)
  return { db, work, close: () => db.destroy() }
}

/** Applies the migrations that it lacks. */
export async function migrateEmbedded(pglite: PGlite): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: embeddedPool(pglite) }) })
  await migrate(db).finally(() => db.destroy())
}

/** Made beside its place and then moved there: a start that is cut short leaves no half-made folder behind. */
async function makeFolder(folder: string): Promise<void> {
  if (await stat(folder).catch(() => null)) return
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('make-folder.ts', import.meta.url)), draft])
  await rename(draft, folder)
}
