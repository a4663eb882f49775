import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { History } from '../../../connectors/history/port.ts'
import { roomOn } from './disk.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'
import { skew } from './skew.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../infra/clickhouse/migrations', import.meta.url))
/** ClickHouse slows inserts down at 1,000 parts of a partition and refuses them at 3,000. */
const MANY_PARTS = 500

/** Checks the history store: reachable, migrated, correct clock, few parts, free disk space. */
export const historyCheck = (history: () => Promise<History>, now: () => number): Check => ({
  name: 'history',
  todo: 'start the server of CLICKHOUSE_URL; for the embedded engine see docs/runbooks/engine.md',
  async run() {
    const store = await history()
    await store.ping()
    return [await migrations(store), await clock(store, now), ...(await parts(store)), ...(await disks(store))]
  },
})

const ask = <Row>(store: History, sql: string): Promise<Row[]> => store.query<Row>({ sql, params: {} })

async function migrations(store: History): Promise<Omit<Finding, 'check'>> {
  const known = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  const applied = new Set((await ask<{ name: string }>(store, 'SELECT name FROM migrations')).map(({ name }) => name))
  const missing = known.filter((name) => !applied.has(name)).sort()
  if (missing.length === 0) return ok(`reachable, with all ${known.length} migrations`)
  return fail(`migrations are missing: ${missing.join(', ')}`, 'start this release once; the start applies migrations')
}

async function clock(store: History, now: () => number): Promise<Omit<Finding, 'check'>> {
  const began = now()
  const [row] = await ask<{ ms: string }>(store, 'SELECT toUnixTimestamp64Milli(now64(3)) AS ms')
  return skew('the history store', Number(row!.ms), began, now())
}

async function parts(store: History): Promise<Omit<Finding, 'check'>[]> {
  const sql = `SELECT table, toString(max(parts)) AS most FROM (SELECT table, count() AS parts FROM system.parts
    WHERE active AND database = currentDatabase() GROUP BY table, partition) GROUP BY table ORDER BY table`
  const rows = await ask<{ table: string; most: string }>(store, sql)
  const many = rows.filter(({ most }) => Number(most) > MANY_PARTS)
  if (many.length === 0) return [ok('merges keep up with inserts')]
  return many.map(({ table, most }) =>
    warn(
      `the table ${table} has ${most} parts in one partition`,
      'merges are behind: import more slowly, or use a faster disk',
    ),
  )
}

async function disks(store: History): Promise<Omit<Finding, 'check'>[]> {
  const sql = 'SELECT name, toString(unreserved_space) AS free, toString(total_space) AS total FROM system.disks'
  const rows = await ask<{ name: string; free: string; total: string }>(store, sql)
  return rows
    .filter(({ total }) => Number(total) > 0)
    .map(({ name, free, total }) => roomOn(`the disk "${name}" of the history store`, Number(free), Number(total)))
}
