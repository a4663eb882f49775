import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { History } from '../../../connectors/history/port.ts'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import type { Credentials } from '../admin/server-context.ts'
import { roomOn } from './disk.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'
import { skew } from './skew.ts'

const TIMEOUT_MS = 5_000

/** Reports the counter drift that the running platform exposes as a metric; unknown if no platform runs. */
export const countersCheck = (url: string, administrator: () => Promise<Credentials | null>): Check => ({
  name: 'counters',
  todo: 'run: harrier counts check',
  async run() {
    const known = await administrator()
    const answer = await fetch(`${url}/metrics`, {
      ...(known && { headers: { 'api-key': known.key, 'api-secret': known.secret } }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null)
    const drift = driftIn(answer?.ok ? await answer.text() : '')
    if (drift === null) return [ok('unknown: no running platform reports counter drift')]
    if (drift === 0) return [ok('the last recount found no drift')]
    return [
      warn(`the counters differ by ${drift} from a recount`, 'run: harrier counts check, then: harrier counts repair'),
    ]
  },
})

/** The drift in a metrics exposition; null if the metric is absent. */
export function driftIn(metrics: string): number | null {
  const [, drift] = /^harrier_counts_drift (\S+)$/m.exec(metrics) ?? []
  return drift === undefined ? null : Number(drift)
}

/** Reports open circuit breakers and isolated sources. */
export const breakersCheck = (breakers: Pick<Breakers, 'list'>): Check => ({
  name: 'breakers',
  todo: '/help/operate/runbooks/breaker/',
  async run() {
    const open = (await breakers.list()).filter((state) => state.open)
    if (open.length === 0) return [ok('no circuit breaker is open')]
    return open.map(({ group, source, topic, reasons }) =>
      source !== null
        ? warn(
            `the source ${source} is isolated in ${group}; its bad records become dead letters: ${reasons.join('; ')}`,
            `see /help/operate/runbooks/breaker/, then run: harrier breaker close ${group} --source '${source}'`,
          )
        : fail(
            `the circuit breaker of ${group} is open; ${group} does not read ${topic}: ${reasons.join('; ')}`,
            `see /help/operate/runbooks/breaker/, then run: harrier breaker close ${group}`,
          ),
    )
  },
})

const MIGRATIONS = fileURLToPath(new URL('../../../infra/clickhouse/migrations', import.meta.url))
/** ClickHouse slows inserts down at 1,000 parts of a partition and refuses them at 3,000. */
const MANY_PARTS = 500

/** Checks the history store: reachable, migrated, correct clock, few parts, free disk space. */
export const historyCheck = (history: () => Promise<History>, now: () => number): Check => ({
  name: 'history',
  todo: 'start the server of CLICKHOUSE_URL; for the embedded engine see /help/operate/runbooks/engine/',
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
