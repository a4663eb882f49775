import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { type Engine, startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import type { History } from '../../../connectors/history/port.ts'

export type Access = { url: string; username: string; password: string }

export type Store = {
  access: Access
  /** A client of a new, empty database. */
  fresh(limits?: {
    seconds: number
    memoryBytes: number
    rows: number
  }): Promise<{ history: History; database: string }>
  /** The same with the tables of the migrations. */
  migrated(): Promise<{ history: History; database: string }>
  /** Drops these databases, and generations beside them: the engine works a little for every table that there is. */
  clear(): Promise<void>
  /** The same store for a part of the tests, with databases of its own. Closing it clears them. */
  part(): Store
  close(): Promise<void>
}

export type OpenStore = () => Promise<Store>

/** What the migrations make, by the name of the database that they were applied to. */
type Made = { database: string; statements: string[] }

/** The migrations are a hundred statements, of which the tables that they end with are a quarter. */
async function madeIn(history: History, database: string): Promise<Made> {
  const params = { database }
  const tables = await history.query<{ made: string }>({
    sql: `SELECT create_table_query AS made FROM system.tables WHERE database = {database:String} ORDER BY engine LIKE '%View', name`,
    params,
  })
  const applied = await history.query<{ name: string; checksum: string }>({
    sql: 'SELECT name, checksum FROM migrations ORDER BY name',
    params: {},
  })
  const rows = applied.map(({ name, checksum }) => `('${name}', '${checksum}')`).join()
  const noted = `INSERT INTO migrations SELECT made.1, made.2, now64(3) FROM (SELECT arrayJoin([${rows}]) AS made)`
  return { database, statements: [...tables.map(({ made }) => made), noted] }
}

async function copied(made: Made, history: History, database: string): Promise<void> {
  for (const statement of made.statements) await history.command(statement.replaceAll(made.database, database))
}

/** @param tables what the migrations make, once that is known */
const storeAt = (access: Access, tables: { made?: Promise<Made> }, close: () => Promise<void>): Store => {
  let opened: { history: History; database: string }[] = []
  const fresh: Store['fresh'] = async (limits) => {
    const database = `t_${randomUUID().replaceAll('-', '')}`
    const history = clickhouse({ ...access, database, ...(limits && { limits }) })
    await history.command(`CREATE DATABASE ${database} ENGINE = Atomic`)
    opened.push({ history, database })
    return { history, database }
  }
  async function clear(): Promise<void> {
    const done = opened
    opened = []
    for (const { history, database } of done) {
      const sql = 'SELECT name FROM system.databases WHERE startsWith(name, {database:String})'
      for (const { name } of await history.query<{ name: string }>({ sql, params: { database } }))
        await history.command(`DROP DATABASE ${name}`)
      await history.close()
    }
  }
  return {
    access,
    fresh,
    async migrated() {
      const { history, database } = await fresh()
      if (tables.made !== undefined) await copied(await tables.made, history, database)
      else {
        tables.made = migrate(history, { mode: 'single', database }).then(() => madeIn(history, database))
        await tables.made
      }
      return { history, database }
    },
    clear,
    part: () => storeAt(access, tables, async () => undefined),
    async close() {
      await clear()
      await close()
    },
  }
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'harrier-history-'))

export const embedded = async (): Promise<Store & { engine: Engine }> => {
  const dataDir = newFolder()
  const engine = await startEngine({ dataDir })
  const { url, username, password } = engine
  const close = async (): Promise<void> => {
    await engine.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { ...storeAt({ url, username, password }, {}, close), engine }
}

const server = (address: string) => async (): Promise<Store> => {
  const url = new URL(address)
  const access = { url: url.origin, username: url.username || 'default', password: decodeURIComponent(url.password) }
  return storeAt(access, {}, async () => undefined)
}

/** Every store that the suite can reach: the embedded engine always, a server when `CLICKHOUSE_URL` names one. */
export const stores = (): { name: string; open: OpenStore }[] => {
  const address = process.env.CLICKHOUSE_URL
  const list: { name: string; open: OpenStore }[] = [{ name: 'embedded', open: embedded }]
  if (address !== undefined && address !== '') list.push({ name: 'server', open: server(address) })
  return list
}

/** A bare request of the HTTP protocol. */
export const ask = async (
  access: Access,
  params: Record<string, string>,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string | null; text: string }> => {
  const credentials = { 'x-clickhouse-user': access.username, 'x-clickhouse-key': access.password }
  const response = await fetch(`${access.url}/?${new URLSearchParams(params)}`, {
    method: 'POST',
    headers: { ...credentials, ...headers },
    ...(body !== undefined && { body }),
  })
  return {
    status: response.status,
    code: response.headers.get('x-clickhouse-exception-code'),
    text: await response.text(),
  }
}
