/**
 * Look-ups of 10,000 values in one call over 1.5 M entities, as they reach a client over HTTP, beside the smallest
 * statement that reads the same rows by key.
 * Run: npm run bench -- lookup [entities] [rounds] [folder to keep the entities in]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import { shownRows } from '../../../connectors/history/sql/queries/entities-queries.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { entityKey } from '../../../schemas/intelligence/state/entity-state.ts'
import { startApi } from '../../builders/api/api.ts'
import { useOf } from '../parts/processes.ts'
import { named, PUBLIC, seedEntities } from '../parts/read/seeded-entities.ts'

const ENTITIES = Number(process.argv[2] ?? 1_500_000)
const ROUNDS = Number(process.argv[3] ?? 40)
/** Used again with what is in it, and left there. */
const KEPT = process.argv[4]
const VALUES = 10_000
/** Part of the asked values that is known. */
const KNOWN = 0.5

/** Other values in every round: half of them known, all over the table. */
function keysOf(round: number): number[] {
  const step = Math.floor(ENTITIES / VALUES)
  return Array.from({ length: VALUES }, (_, i) =>
    i < VALUES * KNOWN ? (i * step + round * 7919) % ENTITIES : ENTITIES + i,
  )
}

type Measured = { name: string; took: number[]; cpu: number; rows: number }

/** Milliseconds of every round, and the CPU-seconds of this process and its engine. */
async function measured(name: string, once: (round: number) => Promise<number>): Promise<Measured> {
  for (let round = 0; round < 5; round++) await once(1000 + round)
  const cpu = () => useOf(process.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const before = cpu()
  const took: number[] = []
  let rows = 0
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now()
    rows += await once(round)
    took.push(performance.now() - from)
  }
  return { name, took: took.sort((a, b) => a - b), cpu: cpu() - before, rows }
}

function printMeasured({ name, took, cpu, rows }: Measured): void {
  const at = (share: number) => took[Math.floor((took.length - 1) * share)]!.toFixed(0).padStart(4)
  console.log(
    `${name.padEnd(34)} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${((cpu / ROUNDS) * 1000).toFixed(0)} ms CPU a call, ${rows / ROUNDS} rows`,
  )
}

const dataDir = KEPT ?? mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const engine = await startEngine({ dataDir })
const history = clickhouse(engine)
try {
  await migrate(history, { mode: 'single' })
  const began = performance.now()
  await seedEntities(history, ENTITIES)
  console.log(
    `${ENTITIES} entities stored in ${((performance.now() - began) / 1000).toFixed(0)} s; load of the machine ${loadavg()[0]!.toFixed(1)}`,
  )
  const api = await startApi({ history })
  const baseline = await measured('rows by key, nothing else', async (round) => {
    const keys = keysOf(round).map((i) => entityKey(entityId(named(i).type, named(i).value)))
    const bytes = Buffer.from(BigUint64Array.from(keys).buffer).toString('base64')
    const sql = `SELECT entity_id, type, value, reputation, accuracy, best, worst, well_known, tags, attributes, first_seen,
      last_seen FROM entities WHERE key IN (SELECT arrayJoin(reinterpret(base64Decode('${bytes}'), 'Array(UInt64)')))`
    return (await history.query({ sql, params: {} })).length
  })
  const rows = await measured('the rows of the look-up', async (round) => {
    const keys = keysOf(round).map((i) => entityKey(entityId(named(i).type, named(i).value)))
    return (await history.query(shownRows(keys, [PUBLIC], 64 * 1024 * 1024))).length
  })
  const lookup = await measured('POST entities/lookup', async (round) => {
    const response = await fetch(`${api.url}/api/search/v1/entities/lookup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ values: keysOf(round).map((i) => named(i).value) }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 300)}`)
    return Number(/"items":(\d+)/.exec(text)![1])
  })
  for (const result of [baseline, rows, lookup]) printMeasured(result)
  const ratio = (of: (m: Measured) => number) => (of(lookup) / of(baseline)).toFixed(2)
  console.log(`ratio: ${ratio((m) => m.took[m.took.length >> 1]!)} of the time, ${ratio((m) => m.cpu)} of the CPU`)
  if (lookup.rows !== baseline.rows) throw new Error('the look-up found other rows than the baseline')
  await api.close()
} finally {
  await history.close()
  await engine.stop()
  if (KEPT === undefined) rmSync(dataDir, { recursive: true, force: true })
}
