import type { Deployment } from '../migrations/macros.ts'
import { migrate } from '../migrations/migrate.ts'
import { applyViews } from '../migrations/views.ts'
import type { History } from '../port.ts'
import { isNotMade } from '../store-errors.ts'
import { HOME_TABLES } from './home-tables.ts'
import { GRACE_MS, lockJobs, NEWEST, type Pointer, SHORT } from './lock.ts'
import type { Generation, Generations, RescoredFrom, StoredGeneration } from './port.ts'

/** Tables of the home database that belong to no generation. */
const OWN: readonly string[] = ['generations', 'migrations', ...HOME_TABLES]

export type GenerationsOptions = Deployment & {
  /** The database that `history` was opened with: it is the first generation and holds the pointer. */
  home: string
  /** Folder of the migrations; default: those of the project. */
  folder?: string
}

/** Every node of a cluster has all rows, and a read sees every acknowledged write. */
const table = (deployment: Deployment): string => {
  const replicated = "ReplicatedMergeTree('/clickhouse/tables/all/{database}/generations', '{shard}-{replica}')"
  const [on, engine] =
    deployment.mode === 'single' ? ['', 'MergeTree'] : [`ON CLUSTER '${deployment.cluster}'`, replicated]
  return `CREATE TABLE IF NOT EXISTS generations ${on} (n UInt64, live String, held_until DateTime64(3, 'UTC'),
    holder String, rules String, applied Array(UInt64), note String, at DateTime64(3, 'UTC'),
    rules_before String, rules_since Array(UInt64)) ENGINE = ${engine} ORDER BY n`
}

/** To a table that an older release made (ADR 271). */
const added = (on: string): string =>
  `ALTER TABLE generations${on} ADD COLUMN IF NOT EXISTS rules_before String, ADD COLUMN IF NOT EXISTS rules_since Array(UInt64)`

/** All columns: a table of before may lack some. */
const CURRENT = `SELECT *, held_until > now64(3) - INTERVAL ${GRACE_MS} MILLISECOND AS held
  FROM (${NEWEST}) SETTINGS select_sequential_consistency = 1, ${SHORT}`

const FIRST = `INSERT INTO generations (n, live, held_until, holder, rules, applied, note, at) SELECT 0, {home:String}, 0, '', '', [], '', now64(3)
  WHERE (SELECT count() FROM generations) = 0 SETTINGS insert_deduplicate = 0`

const LIST = `SELECT name AS database, toUInt32(countIf(t.engine LIKE '%MergeTree' AND t.name NOT IN {own:Array(String)})) AS tables,
    toString(sumIf(t.total_rows, t.name NOT IN {own:Array(String)})) AS rows,
    toString(sumIf(t.total_bytes, t.name NOT IN {own:Array(String)})) AS bytes
  FROM system.databases AS d LEFT JOIN system.tables AS t ON t.database = d.name
  WHERE d.name = {home:String} OR match(d.name, {pattern:String}) GROUP BY name ORDER BY length(name), name`

const rescoredIn = ({ rules_before: before = '', rules_since: since = [] }: Pointer): RescoredFrom | null =>
  since.length === 0 ? null : { before, since: since.map(Number) }

/**
 * Generations of the tables (ADR 132): blue/green databases. The home database is the first generation, `<home>_g<n>`
 * are the later ones. A table of the home database records which generation is live: its newest row is the pointer,
 * and one statement moves it.
 * @throws Error when `home` is not a valid database name
 */
export function generations(history: History, options: GenerationsOptions): Generations & { make(): Promise<void> } {
  const { home, folder: _migrations, ...deployment } = options
  if (!/^[a-z_]\w{0,40}$/i.test(home)) throw new Error(`'${home}' is not a valid database name`)
  const pattern = `^${home}_g[0-9]{1,6}$`
  const on = options.mode === 'cluster' ? ` ON CLUSTER '${options.cluster}'` : ''

  const newest = async (signal?: AbortSignal): Promise<Pointer | null> => {
    try {
      const [row] = await history.query<Pointer>({ sql: CURRENT, params: {} }, signal)
      return row ?? null
    } catch (error) {
      // The store was created by an earlier release, or not yet.
      if (isNotMade(error)) return null
      throw error
    }
  }

  const current = async (signal?: AbortSignal): Promise<Generation> => {
    const row = await newest(signal)
    return row === null
      ? { database: home, locked: false, rules: '', applied: [], rescored: null }
      : {
          database: row.live,
          locked: Boolean(row.held),
          rules: row.rules,
          applied: row.applied.map(Number),
          rescored: rescoredIn(row),
        }
  }

  const list = async (): Promise<StoredGeneration[]> => {
    const params = { home, pattern, own: OWN }
    const [{ database: live }, rows] = await Promise.all([
      current(),
      history.query<{ database: string; tables: number; rows: string; bytes: string }>({ sql: LIST, params }),
    ])
    return rows.map(({ database, tables, rows: n, bytes }) => ({
      database,
      live: database === live,
      tables,
      rows: Number(n),
      bytes: Number(bytes),
    }))
  }

  return {
    /** Creates the pointer if there is none. Idempotent. */
    async make() {
      await history.command(table(options))
      await history.command(added(on))
      await history.command(FIRST, { home })
    },
    current,
    list,
    async lock(note) {
      const held = await lockJobs(history, newest, note, on)
      return {
        ...held,
        async promote(next) {
          await held.promote(next)
          await applyViews(history, next.database, { ...deployment, home })
        },
      }
    },
    async shadow() {
      const numbers = (await list()).map(({ database }) => Number(/_g(\d+)$/.exec(database)?.[1] ?? 0))
      const database = `${home}_g${Math.max(0, ...numbers) + 1}`
      await migrate(history.at(database), { ...options, database })
      return database
    },
    async drop(database) {
      const found = (await list()).find((generation) => generation.database === database)
      if (found === undefined) throw new Error(`no such generation: '${database}'`)
      if (found.live) throw new Error(`'${database}' is the live generation`)
      if (database !== home) return history.command(`DROP DATABASE ${database}${on} SYNC`)
      // The pointer is stored in the home database, so only the tables that it no longer refers to are emptied.
      const sql = `SELECT name FROM system.tables WHERE database = {home:String} AND engine LIKE '%MergeTree'
        AND name NOT IN {own:Array(String)}`
      for (const { name } of await history.query<{ name: string }>({ sql, params: { home, own: OWN } }))
        await history.command(`TRUNCATE TABLE ${name}${on} SYNC`)
    },
  }
}
