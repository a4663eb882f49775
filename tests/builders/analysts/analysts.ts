import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { type Engine, startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import { applyViews } from '../../../connectors/history/migrations/views.ts'
import type { History } from '../../../connectors/history/port.ts'
import { type KeptUser, readUsers, writeUsers } from '../../../connectors/history/sql-users/file.ts'
import { keepPassword } from '../../../connectors/history/sql-users/password.ts'
import { SQL_USER_DEFAULTS } from '../../../connectors/history/sql-users/user.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'

/** In every text of the rows of `red` alone, and in no other row. */
export const CANARY = 'kanarienvogel'
export const PASSWORD = 'a password of an analyst'

/** The views that SQL users see, in order. */
export const VIEWS = readdirSync('infra/clickhouse/views')
  .filter((file) => file.startsWith('bi_'))
  .map((file) => file.replace('.sql', ''))
  .sort()

const DAY = 86_400_000
export const START = Date.UTC(2026, 4, 1)

/** Who may read which rows, and how many entities each audience knows. */
export const SETS: readonly { groups: readonly string[]; entities: number }[] = [
  { groups: ['public'], entities: 40 },
  { groups: ['soc'], entities: 20 },
  { groups: ['red', 'soc'], entities: 10 },
  { groups: ['red'], entities: 30 },
]

/** Columns as expressions. */
type Row = Record<string, string | number>

const text = (value: string): string => `'${value}'`
const texts = (values: readonly string[]): string => `[${values.map(text).join()}]`

const insert = (table: string, rows: readonly Row[]): string => {
  const columns = Object.keys(rows[0]!)
  const lines = rows.map((row) => `SELECT ${columns.map((column) => row[column]).join()}`)
  return `INSERT INTO ${table} (${columns.map((column) => `\`${column}\``).join()}) ${lines.join(' UNION ALL ')}`
}

/** Every fifth entity has verdicts: one that holds, and one that was taken back. */
export const VERDICTS_EVERY = 5

/** Rows of an audience; entity `n` has the same name in all of them, but for those of `red`. */
const rowsOf = ({ groups, entities }: (typeof SETS)[number]): { entities: Row[]; history: Row[] } => {
  const secret = groups.join() === 'red' ? CANARY : ''
  const audience = `toUInt64(${audienceId(groups)})`
  const found = Array.from({ length: entities }, (_, n) => {
    const type = ['ip', 'domain', 'url'][n % 3]!
    const value = `${secret}${type}-${n}.example`
    const at = START + n * DAY
    const time = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`
    const common = {
      digest: `SHA256('${type}${value}')`,
      type: text(type),
      value: text(value),
      audience,
      accuracy: n % 4,
      tags: texts([`tag-${n % 5}`, ...(secret ? [secret] : [])]),
      attributes: `map('country', 'Country ${n % 7}${secret}')`,
    }
    const said = [n % 7, (n + 2) % 7].map((r) => r - 3)
    const entity = {
      key: `reinterpretAsUInt64(reverse(substring(SHA256('${type}${value}'), 1, 8)))`,
      ...common,
      version: 2,
      partition: 0,
      reputation: said[0]!,
      best: Math.max(...said),
      worst: Math.min(...said),
      sources: 2,
      well_known: n % 10 === 0 ? 1 : n % 10 === 1 ? 2 : 0,
      country: text(`Country ${n % 7}${secret}`),
      asn: 64_500 + (n % 5) + (secret ? 50 : 0),
      aso: text(`Network ${n % 5}${secret}`),
      first_seen: time(at),
      last_seen: time(at + 3_600_000),
      'claims.source': texts([`feed-${n % 3}${secret}`, `customer-${n % 4}${secret}`]),
      'claims.kind': texts(['feed', 'customer']),
      'claims.trust': '[toFloat64(1), toFloat64(0.5)]',
      'claims.reputation': n % 6 === 5 ? `[${said[0]}, NULL]` : `[${said}]`,
      'claims.claimed_at': `[${at}, ${n % 6 === 5 ? 0 : at + 1000}]`,
      'claims.at': `[${at}, ${at + 3_600_000}]`,
      'claims.kept_at': `[${at}, ${at}]`,
      'claims.kept_hash': '[1, 2]',
      'claims.first_seen': `[${at}, ${at + 1000}]`,
    }
    const record = (i: number): Row => ({
      ts: time(at + i * 1000),
      id: `reinterpretAsUUID(sipHash128('${value}', '${groups.join()}', ${i}))`,
      ...common,
      user_id: text(`user-${n % 3}${secret}`),
      source: text(`feed-${n % 3}${secret}`),
      source_kind: text(i === 0 ? 'feed' : 'customer'),
      kind: text(i === 0 ? 'report' : 'sighting'),
      reputation: i === 0 ? said[0]! : 0,
      stated: i === 0 ? 1 : 0,
      well_known: 0,
      terms: texts([value]),
      submission_id: `reinterpretAsUUID(sipHash128('${value}'))`,
      topic_partition: 0,
      log_offset: n,
    })
    const verdict = (i: number): Row => ({
      ...record(i),
      source_kind: text('customer'),
      kind: text('verdict'),
      tags: texts([]),
      attributes: "map('~reason', 'decided')",
      reputation: i === 2 ? -3 : 0,
      stated: i === 2 ? 1 : 0,
    })
    const verdicts = n % VERDICTS_EVERY === 0 ? [verdict(2), verdict(3)] : []
    // An earlier version of the row, which FINAL replaces.
    return {
      entities: [{ ...entity, version: 1, reputation: 3 }, entity],
      history: [record(0), record(1), ...verdicts],
    }
  })
  return { entities: found.flatMap((of) => of.entities), history: found.flatMap((of) => of.history) }
}

/** The rows of audiences, as the jobs would have stored them. */
export const fillForAnalysts = async (history: Pick<History, 'command'>, sets = SETS): Promise<void> => {
  const audiences = sets.map(({ groups }) => ({ audience: `toUInt64(${audienceId(groups)})`, groups: texts(groups) }))
  await history.command(insert('audiences', audiences))
  for (const set of sets) {
    const rows = rowsOf(set)
    // One insert for each version: of two rows in one block only the last would be there.
    for (const version of [1, 2])
      await history.command(
        insert(
          'entities',
          rows.entities.filter((row) => row.version === version),
        ),
      )
    await history.command(insert('history', rows.history))
  }
}

export type AnalystStore = {
  engine: Engine
  history: History
  /** A user of these groups, known at once. */
  user(name: string, groups: string[], bounds?: Partial<KeptUser>): Promise<void>
  /** What that user is told, whole. */
  ask(
    name: string,
    sql: string,
    params?: Record<string, string>,
  ): Promise<{ status: number; text: string; headers: Headers }>
  close(): Promise<void>
}

/** An embedded engine with the rows above, its views, and SQL users `soc` (of soc), `red` (of red) and `guest`. */
export const analystStore = async (sets = SETS): Promise<AnalystStore> => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-analysts-'))
  const users = join(folder, 'sql-users.json')
  const engine = await startEngine({ dataDir: join(folder, 'clickhouse'), analysts: { users, home: 'harrier' } })
  const history = clickhouse({ url: engine.url, username: engine.username, password: engine.password })
  await migrate(history, { mode: 'single' })
  await applyViews(history, 'harrier', { mode: 'single' })
  await fillForAnalysts(history, sets)
  const kept = await keepPassword(PASSWORD)
  const store: AnalystStore = {
    engine,
    history,
    user: async (name, groups, bounds = {}) =>
      writeUsers(users, [...(await readUsers(users)), { name, groups, ...SQL_USER_DEFAULTS, ...bounds, ...kept }]),
    async ask(name, sql, params = {}) {
      const response = await fetch(`${engine.url}/?${new URLSearchParams(params)}`, {
        method: 'POST',
        headers: { 'x-clickhouse-user': name, 'x-clickhouse-key': PASSWORD },
        body: sql,
      })
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
    async close() {
      await history.close()
      await engine.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await store.user('soc', ['soc'])
  await store.user('red', ['red'])
  await store.user('guest', ['public'])
  return store
}
