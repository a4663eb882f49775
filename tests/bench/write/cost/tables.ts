/**
 * What each table of the store costs: the inserts that the job makes of a feed, kept, and stored again and again in a new
 * store that lacks one table or index each time. What is missing then is what it costs, its merges among it. Parts, rows and
 * bytes are the store's own counters. Run: npm run bench -- cost tables [lines] [rounds]
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { clickhouse } from '../../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../../connectors/history/migrations/migrate.ts'
import type { Block, History } from '../../../../connectors/history/port.ts'
import { remove, temporaryFolder } from '../../../builders/platform/platform.ts'
import { useOf } from '../../parts/processes.ts'
import { at } from '../../parts/timed.ts'
import { jobOver, portionsOfFeed } from '../observe.ts'

type Insert = { table: string; block: Block; token: string }

/** Merges of small parts begin late; so long without one, milliseconds, there is none to come. */
const QUIET_MS = 3_000

/** What is left out: statements on an empty store, or inserts. */
type Without = { name: string; statements?: readonly string[]; table?: string }

const view = (table: string): Without => ({ name: table, statements: [`DROP VIEW ${table}_feed`] })
const index = (name: string): Without => ({
  name: `history, ${name}`,
  statements: [`ALTER TABLE history DROP INDEX ${name}`],
})

const WITHOUT: readonly Without[] = [
  { name: 'history', table: 'history' },
  index('by_term'),
  index('by_digest'),
  { name: 'entities and the tables that it feeds', table: 'entities' },
  view('tagged'),
  view('due_keys'),
  view('recency'),
  view('networks'),
  view('covering_marks'),
  { name: 'counts', table: 'counts' },
]

/** The inserts that the job makes of these lines. */
async function insertsOf(lines: number): Promise<{ inserts: Insert[]; records: number }> {
  const portions = await portionsOfFeed(lines)
  const inserts: Insert[] = []
  const history = {
    // The bytes are used again for the next block.
    insert: async (table: string, { rows, bytes }: Block, token: string) => {
      if (rows > 0) inserts.push({ table, token, block: { rows, bytes: Buffer.from(bytes) } })
    },
    query: async () => [],
  } as unknown as History
  const apply = jobOver(portions, history)
  for (const portion of portions) await apply(portion, 'tables')
  return { inserts, records: portions.reduce((sum, { messages }) => sum + messages.length, 0) }
}

const cpuOfEngine = (): number =>
  useOf(process.pid).reduce((sum, { pid, cpuSeconds }) => sum + (pid === process.pid ? 0 : cpuSeconds), 0)

async function untilMerged(history: History): Promise<void> {
  for (let quietAt = Date.now() + QUIET_MS; Date.now() < quietAt; await sleep(250)) {
    const [row] = await history.query<{ n: string }>({ sql: 'SELECT count() AS n FROM system.merges', params: {} })
    if (Number(row!.n) > 0) quietAt = Date.now() + QUIET_MS
  }
}

type Counted = { table: string; parts: string; rows: string; bytes: string }

const COUNTERS = `SELECT table, count() AS parts, sum(p.rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts AS p
  WHERE active AND database = currentDatabase() AND p.rows > 0 GROUP BY table ORDER BY bytes DESC`

/** CPU-seconds of the store for all inserts but those left out, and what is there afterwards. */
async function stored(
  inserts: readonly Insert[],
  without: Without | null,
): Promise<{ cpu: number; counted: Counted[] }> {
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir })
  const history = clickhouse(engine)
  try {
    await migrate(history, { mode: 'single' })
    for (const statement of without?.statements ?? []) await history.command(statement)
    await untilMerged(history)
    const before = cpuOfEngine()
    for (const { table, block, token } of inserts)
      if (table !== without?.table) await history.insert(table, block, token)
    await untilMerged(history)
    const cpu = cpuOfEngine() - before
    return { cpu, counted: await history.query<Counted>({ sql: COUNTERS, params: {} }) }
  } finally {
    await history.close()
    await engine.stop()
    remove(dataDir)
  }
}

/** @param lines of the feed */
export async function tables(lines: number, rounds: number): Promise<void> {
  const { inserts, records } = await insertsOf(lines)
  const samples = new Map<Without | null, number[]>([null, ...WITHOUT].map((one) => [one, []]))
  // By turns: neighbours on the machine disturb all of them alike.
  for (let round = 0; round < rounds; round++)
    for (const [one, took] of samples) took.push(((await stored(inserts, one)).cpu * 1e6) / records)
  const median = (one: Without | null): number => at(samples.get(one)!, 0.5)
  const all = median(null)
  console.log(`${records} observations, ${inserts.length} inserts: ${all.toFixed(2)} us each, with merges`)
  for (const one of WITHOUT) console.log(`${one.name.padEnd(40)} ${(all - median(one)).toFixed(2).padStart(6)} us`)
  const { counted } = await stored(inserts, null)
  for (const { table, parts, rows, bytes } of counted) {
    const each = (Number(bytes) / records).toFixed(1)
    console.log(
      `${table.padEnd(20)} ${parts.padStart(4)} parts ${rows.padStart(9)} rows ${each.padStart(7)} bytes each`,
    )
  }
}
