import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { History } from '../port.ts'
import { type Deployment, statements } from './macros.ts'

export type MigrateOptions = Deployment & {
  /** The database that `history` was opened with; default `harrier`. */
  database?: string
  /** Default: `infra/clickhouse/migrations`. */
  folder?: string
}

type File = { name: string; sql: string; checksum: string }

const FOLDER = fileURLToPath(new URL('../../../infra/clickhouse/migrations', import.meta.url))
const NAME = /^\d{4}_[a-z0-9_]+\.sql$/

const filesOf = async (folder: string): Promise<File[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const odd = names.find((name) => !NAME.test(name))
  if (odd !== undefined) throw new Error(`migration '${odd}' is not named NNNN_words.sql`)
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Applied files must be there unchanged, and no new file may sort before an applied one. */
const pending = (files: readonly File[], applied: ReadonlyMap<string, string>): File[] => {
  const there = new Map(files.map((file) => [file.name, file]))
  for (const [name, checksum] of applied) {
    const file = there.get(name)
    if (file === undefined) throw new Error(`the applied migration ${name} is missing in this release`)
    if (file.checksum !== checksum) throw new Error(`migration ${name} was changed after it was applied`)
  }
  const last = [...applied.keys()].sort().at(-1) ?? ''
  const late = files.find((file) => !applied.has(file.name) && file.name < last)
  if (late !== undefined) throw new Error(`migration ${late.name} sorts before ${last}, which is already applied`)
  return files.filter((file) => !applied.has(file.name))
}

/** Every node keeps the whole list, whatever its shard. */
const ledger = (deployment: Deployment): string => {
  const replicated = "ReplicatedReplacingMergeTree('/clickhouse/tables/all/{database}/migrations', '{shard}-{replica}')"
  const [on, engine] =
    deployment.mode === 'single' ? ['', 'ReplacingMergeTree'] : [`ON CLUSTER '${deployment.cluster}'`, replicated]
  const columns = "name String, checksum String, applied_at DateTime64(3, 'UTC')"
  return `CREATE TABLE IF NOT EXISTS migrations ${on} (${columns}) ENGINE = ${engine} ORDER BY name`
}

/**
 * Makes the database and applies what is new in the folder, in order of the names. ClickHouse has no transaction over
 * DDL: a migration that failed half-way runs again from its start, so its statements must stand that.
 * @returns the names that were applied now
 * @throws Error that names an edited, missing, late or misnamed file
 */
export const migrate = async (history: History, options: MigrateOptions): Promise<string[]> => {
  const database = options.database ?? 'harrier'
  if (!/^[a-z_]\w{0,60}$/i.test(database)) throw new Error(`'${database}' is not a valid database name`)
  const files = await filesOf(options.folder ?? FOLDER)
  const on = options.mode === 'cluster' ? ` ON CLUSTER '${options.cluster}'` : ''
  await history.command(`CREATE DATABASE IF NOT EXISTS ${database}${on} ENGINE = Atomic`)
  await history.command(ledger(options))
  const sql = 'SELECT name, checksum FROM migrations FINAL ORDER BY name'
  const rows = await history.query<{ name: string; checksum: string }>({ sql, params: {} })
  const todo = pending(files, new Map(rows.map((row) => [row.name, row.checksum])))
  for (const file of todo) {
    for (const statement of statements(file.sql, options)) await history.command(statement)
    await history.command(`INSERT INTO migrations SELECT '${file.name}', '${file.checksum}', now64(3)`)
  }
  return todo.map((file) => file.name)
}
