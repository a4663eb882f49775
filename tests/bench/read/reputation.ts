/**
 * Reputation out of the index of a host: single values over a bare Koa echo of an answer of the same size, with the same
 * client by turns; batches of JSON and lines of NDJSON; what the index takes, and how long it takes to be built.
 * Run: npm run bench -- reputation [entities] [rounds] [folder to keep the entities in]
 */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import { ask, start, startApiSide } from '../parts/post/sides.ts'
import { useOf } from '../parts/processes.ts'
import { named, seedEntities } from '../parts/read/seeded-entities.ts'
import { makeIndex } from '../parts/read/still-lookups.ts'
import type { ValueLoad, ValuesLoaded } from '../parts/read/value-client.ts'

const ENTITIES = Number(process.argv[2] ?? 1_850_000)
const ROUNDS = Number(process.argv[3] ?? 5)
/** Used again with what is in it, and left there. */
const KEPT = process.argv[4]
const ROUND_MS = 3_000
const CONNECTIONS = 32
const VALUES = 10_000
const LINES = 100_000

const dataDir = KEPT ?? mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const root = join(dataDir, 'lookup-index')

const cpu = (): number => useOf(process.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)

async function buildIndex(): Promise<void> {
  const engine = await startEngine({ dataDir })
  const history = clickhouse(engine)
  try {
    await migrate(history, { mode: 'single' })
    await seedEntities(history, ENTITIES)
    rmSync(root, { recursive: true, force: true })
    const [began, used] = [performance.now(), cpu()]
    const bytes = await makeIndex(root, history)
    const seconds = (performance.now() - began) / 1000
    console.log(
      `index of ${ENTITIES} entities: built in ${seconds.toFixed(1)} s (${(cpu() - used).toFixed(1)} CPU-s), ${(bytes / 1024 ** 2).toFixed(0)} MiB`,
    )
  } finally {
    await history.close()
    await engine.stop()
  }
}

type Side = { name: string; child: ChildProcess; port: number }

async function sideOf(name: string): Promise<Side> {
  const child = startApiSide('../read/reputation-side.ts', name, root)
  return { name, child, port: (await once(child, 'message'))[0] as number }
}

const median = (all: number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1]!

async function single(sides: readonly Side[], asks: ValueLoad['asks']): Promise<void> {
  const client = start('../read/value-client.ts')
  const seen = new Map<string, (ValuesLoaded & { micros: number })[]>(sides.map(({ name }) => [name, []]))
  for (let round = -1; round < ROUNDS; round++)
    for (const { name, child, port } of sides) {
      const before = await ask<number>(child, {})
      const load = { port, connections: CONNECTIONS, ms: ROUND_MS, entities: ENTITIES, asks }
      const loaded = await ask<ValuesLoaded>(client, load)
      const micros = ((await ask<number>(child, {})) - before) / loaded.answers
      if (round >= 0) seen.get(name)!.push({ ...loaded, micros })
    }
  client.disconnect()
  const of = (name: string, pick: (one: ValuesLoaded & { micros: number }) => number) =>
    median(seen.get(name)!.map(pick))
  for (const { name } of sides)
    console.log(
      `${asks}, ${name.padEnd(5)} ${of(name, (s) => s.rate).toFixed(0)} answers/s, p99 ${of(name, (s) => s.p99).toFixed(2)} ms, ` +
        `${of(name, (s) => s.micros).toFixed(1)} us CPU an answer: ${(1e6 / of(name, (s) => s.micros)).toFixed(0)} a core`,
    )
  const ratio = of('echo', (s) => s.micros) / of('api', (s) => s.micros)
  console.log(`ratio to the echo: ${ratio.toFixed(2)} of the answers a CPU-second`)
}

const valuesOf = (count: number, round: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const at = (i * 7919 + round * 104_729) % ENTITIES
    return named(i % 2 === 0 ? at : ENTITIES + at).value
  })

async function many(
  { child, port }: Side,
  name: string,
  count: number,
  media: string,
  path = 'reputation',
): Promise<void> {
  const micros: number[] = []
  const took: number[] = []
  for (let round = -2; round < ROUNDS; round++) {
    const values = valuesOf(count, round + 2)
    const body =
      media === 'application/json'
        ? JSON.stringify({ values })
        : values.map((value) => `${JSON.stringify(value)}\n`).join('')
    const before = await ask<number>(child, {})
    const began = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/api/search/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': media, 'api-key': '0123456789abcdef', 'api-secret': 'secret' },
      body,
    })
    const text = await answer.text()
    if (answer.status !== 200 || (path === 'reputation' && answer.headers.get('x-answered-by') !== 'index'))
      throw new Error(`${answer.status} ${answer.headers.get('x-answered-by')} ${text.slice(0, 200)}`)
    if (round < 0) continue
    took.push(performance.now() - began)
    micros.push(((await ask<number>(child, {})) - before) / count)
  }
  console.log(
    `${name} of ${count}: ${median(took).toFixed(0)} ms, ${median(micros).toFixed(2)} us CPU a value: ${(1e6 / median(micros)).toFixed(0)} values a CPU-second`,
  )
}

try {
  console.log(`load of the machine ${loadavg()[0]!.toFixed(1)}`)
  await buildIndex()
  const [echo, api] = [await sideOf('echo'), await sideOf('api')]
  for (const asks of ['reputation', 'entity', 'entity by id'] as const) await single([echo, api], asks)
  await many(api, 'JSON', VALUES, 'application/json')
  await many(api, 'NDJSON', LINES, 'application/x-ndjson')
  await many(api, 'entities/lookup', VALUES, 'application/json', 'entities/lookup')
  const files = readdirSync(root).filter((name) => name.startsWith('of-') && statSync(join(root, name)).isDirectory())
  console.log(
    `the API takes ${useOf(api.child.pid!).map(({ anonymous }) => anonymous.toFixed(0))} MiB besides files; ${files.length} index`,
  )
  echo.child.disconnect()
  api.child.disconnect()
} finally {
  if (KEPT === undefined) rmSync(dataDir, { recursive: true, force: true })
}
