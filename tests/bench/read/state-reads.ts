/**
 * What the observation job reads before it writes: the rows of a batch's entities, of which some are new (ADR 265).
 * `npm run bench -- state-reads <million rows>[,...] [folder]`: makes `entities` of each size and prints, for each batch,
 * granules, rows, bytes and CPU; takes some 170 bytes of disk for a row, which it gives back.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { type Engine, startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import type { History } from '../../../connectors/history/port.ts'
import { rowsByKey } from '../../../connectors/history/sql/queries/entities-queries.ts'
import { fillEntities, keysOfBatch } from '../parts/state-table.ts'
import { at, cpuSeconds } from '../parts/timed.ts'

const [sizes = '1', parent = tmpdir()] = process.argv.slice(2)
const ROUNDS = 5
/** Entities of a batch, and the share of them that is new. */
const BATCHES = [1_000, 5_000, 25_000].flatMap((size) => [0, 0.5, 1].map((unknown) => ({ size, unknown })))
const EVENTS = ['SelectedMarks', 'SelectedRows', 'SelectedBytes', 'ReadCompressedBytes', 'MarkCacheMisses'] as const

type Events = Record<(typeof EVENTS)[number], number>

async function eventsOf(history: History): Promise<Events> {
  const sql = 'SELECT event, value FROM system.events WHERE event IN {events:Array(String)}'
  const rows = await history.query<{ event: keyof Events; value: string }>({ sql, params: { events: EVENTS } })
  const counted = Object.fromEntries(rows.map(({ event, value }) => [event, Number(value)]))
  return Object.fromEntries(EVENTS.map((name) => [name, counted[name] ?? 0])) as Events
}

async function describeTable(history: History): Promise<void> {
  const sql = `SELECT count() AS parts, sum(rows) AS rows, sum(marks) AS marks, sum(bytes_on_disk) AS disk,
      sum(marks_bytes) AS marks_bytes, sum(primary_key_bytes_in_memory) AS index_bytes
    FROM system.parts WHERE active AND table = 'entities' AND database = currentDatabase()`
  const [row] = await history.query<Record<string, string>>({ sql, params: {} })
  const [n, disk] = [Number(row!.rows), Number(row!.disk)]
  console.log(
    `\n${n / 1e6} M rows, ${row!.parts} parts, ${row!.marks} granules, ${(disk / n).toFixed(0)} bytes a row on disk, ` +
      `primary index ${(Number(row!.index_bytes) / 1e6).toFixed(1)} MB, marks ${(Number(row!.marks_bytes) / 1e6).toFixed(1)} MB`,
  )
  console.log('batch   new   granules      rows   MB read   MB on disk   CPU ms   engine ms   ms (median)   found')
}

type Read = { events: Events; took: number; cpu: number; engine: number; found: number }

async function readOnce(history: History, engine: Engine, keys: readonly bigint[]): Promise<Read> {
  const query = rowsByKey(keys)
  const before = await eventsOf(history)
  const [began, cpu, engineCpu] = [performance.now(), cpuSeconds(engine.pid), cpuSeconds(engine.pid, false)]
  const found = (await history.query(query)).length
  const took = performance.now() - began
  const [spent, engineSpent] = [cpuSeconds(engine.pid) - cpu, cpuSeconds(engine.pid, false) - engineCpu]
  const after = await eventsOf(history)
  const events = Object.fromEntries(EVENTS.map((name) => [name, after[name] - before[name]])) as Events
  return { events, took, cpu: spent * 1000, engine: engineSpent * 1000, found }
}

async function measure(rows: number): Promise<void> {
  mkdirSync(parent, { recursive: true })
  const dataDir = mkdtempSync(join(parent, 'state-reads-'))
  const engine = await startEngine({ dataDir })
  const history = clickhouse(engine)
  try {
    await migrate(history, { mode: 'single' })
    await fillEntities(history, rows)
    await describeTable(history)
    let round = 0
    for (const { size, unknown } of BATCHES) {
      const reads: Read[] = []
      for (let i = 0; i <= ROUNDS; i++) {
        const asked = { rows, unknown: size * unknown, known: size * (1 - unknown), round: ++round }
        const read = await readOnce(history, engine, await keysOfBatch(history, asked))
        // The first of each kind loads what stays in memory.
        if (i > 0) reads.push(read)
      }
      const mean = (of: (r: Read) => number): number => reads.reduce((sum, r) => sum + of(r), 0) / reads.length
      const cells = [
        mean((r) => r.events.SelectedMarks)
          .toFixed(0)
          .padStart(10),
        mean((r) => r.events.SelectedRows)
          .toFixed(0)
          .padStart(9),
        (mean((r) => r.events.SelectedBytes) / 1e6).toFixed(1).padStart(9),
        (mean((r) => r.events.ReadCompressedBytes) / 1e6).toFixed(1).padStart(12),
        mean((r) => r.cpu)
          .toFixed(0)
          .padStart(8),
        mean((r) => r.engine)
          .toFixed(0)
          .padStart(11),
        at(
          reads.map((r) => r.took),
          0.5,
        )
          .toFixed(0)
          .padStart(13),
        mean((r) => r.found)
          .toFixed(0)
          .padStart(7),
      ]
      console.log(`${String(size).padStart(5)} ${`${unknown * 100} %`.padStart(5)} ${cells.join(' ')}`)
    }
  } finally {
    await history.close()
    await engine.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

for (const millions of sizes.split(',').map(Number)) await measure(millions * 1e6)
