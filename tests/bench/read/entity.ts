/**
 * Single entities out of the store, by id and by type and value: over a bare Koa echo of an answer of the same size, with the
 * same client by turns, and beside one statement of the store for each, with all columns.
 * Run: npm run bench -- entity [entities] [rounds] [folder to keep the entities in]
 */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import type { History } from '../../../connectors/history/port.ts'
import { COLUMNS } from '../../../connectors/history/sql/queries/entities-queries.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { entityKey } from '../../../schemas/intelligence/state/entity-state.ts'
import { ask, start } from '../parts/post/sides.ts'
import { useOf } from '../parts/processes.ts'
import { named, PUBLIC, seedEntities } from '../parts/read/seeded-entities.ts'
import type { ValueLoad, ValuesLoaded } from '../parts/read/value-client.ts'

const ENTITIES = Number(process.argv[2] ?? 400_000)
const ROUNDS = Number(process.argv[3] ?? 5)
/** Used again with what is in it, and left there. */
const KEPT = process.argv[4]
const ROUND_MS = 3_000
const CONNECTIONS = 32

/** One way to be asked, with the CPU microseconds so far of what answers, without and with the store. */
type Side = {
  name: string
  load(): Promise<ValuesLoaded>
  cpu(): Promise<number>
}

type Seen = ValuesLoaded & { own: number; store: number }

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1]!

async function served(name: string, asks: ValueLoad['asks'], side: ChildProcess, client: ChildProcess): Promise<Side> {
  const port = await portOf(side)
  const load = { port, connections: CONNECTIONS, ms: ROUND_MS, entities: ENTITIES, asks }
  return { name, load: () => ask(client, load), cpu: () => ask(side, {}) }
}

const ports = new Map<ChildProcess, Promise<number>>()
function portOf(side: ChildProcess): Promise<number> {
  const port = ports.get(side) ?? once(side, 'message').then(([first]) => first as number)
  ports.set(side, port)
  return port
}

/** What each look-up was before look-ups shared statements. */
function oneStatementEach(history: History): Side {
  let next = 0
  const one = async (): Promise<void> => {
    const { type, value } = named((next++ * 7919) % ENTITIES)
    const sql = `SELECT ${COLUMNS} FROM entities PREWHERE key IN (${entityKey(entityId(type, value))})
      WHERE audience IN {audiences:Array(UInt64)}`
    if ((await history.query({ sql, params: { audiences: [PUBLIC] } })).length !== 1) throw new Error('not found')
  }
  const load = async (): Promise<ValuesLoaded> => {
    const began = performance.now()
    const took: number[] = []
    const line = async (): Promise<void> => {
      while (performance.now() < began + ROUND_MS) {
        const from = performance.now()
        await one()
        took.push(performance.now() - from)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, line))
    took.sort((a, b) => a - b)
    const at = (share: number) => took[Math.floor(took.length * share)]!
    const rate = took.length / ((performance.now() - began) / 1000)
    return { answers: took.length, rate, p50: at(0.5), p99: at(0.99) }
  }
  const cpu = async () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  return { name: 'a statement each', load, cpu }
}

async function measured(sides: readonly Side[], store: () => number): Promise<Map<string, Seen[]>> {
  const seen = new Map<string, Seen[]>(sides.map(({ name }) => [name, []]))
  for (let round = -1; round < ROUNDS; round++)
    for (const { name, load, cpu } of sides) {
      const before = [await cpu(), store()] as const
      const loaded = await load()
      const own = ((await cpu()) - before[0]) / loaded.answers
      if (round >= 0) seen.get(name)!.push({ ...loaded, own, store: (store() - before[1]) / loaded.answers })
    }
  return seen
}

const dataDir = KEPT ?? mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const engine = await startEngine({ dataDir })
const history = clickhouse(engine)
try {
  await migrate(history, { mode: 'single' })
  await seedEntities(history, ENTITIES)
  const client = start('../read/value-client.ts')
  const echo = start('../read/entity-side.ts', 'echo')
  const api = start('../read/entity-side.ts', 'api', JSON.stringify(engine))
  const sides = [
    oneStatementEach(history),
    await served('echo, POST', 'entity', echo, client),
    await served('POST entity', 'entity', api, client),
    await served('GET entity/{id}', 'entity by id', api, client),
  ]
  const storeCpu = () => useOf(engine.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds * 1e6, 0)
  const seen = await measured(sides, storeCpu)
  const of = (name: string, pick: (one: Seen) => number) => median(seen.get(name)!.map(pick))
  console.log(`${ENTITIES} entities, ${CONNECTIONS} connections, load of the machine ${loadavg()[0]!.toFixed(1)}`)
  for (const { name } of sides)
    console.log(
      `${name.padEnd(17)} ${of(name, (s) => s.rate).toFixed(0)} answers/s, p50 ${of(name, (s) => s.p50).toFixed(1)} ms, ` +
        `p99 ${of(name, (s) => s.p99).toFixed(1)} ms, CPU an answer ${of(name, (s) => s.own).toFixed(0)} us and ` +
        `${of(name, (s) => s.store).toFixed(0)} us of the store: ${(2e6 / of(name, (s) => s.own + s.store)).toFixed(0)} on two cores`,
    )
  for (const child of [client, echo, api]) child.disconnect()
} finally {
  await history.close()
  await engine.stop()
  if (KEPT === undefined) rmSync(dataDir, { recursive: true, force: true })
}
