/**
 * POST entity over a bare Koa echo of the same JSON, with the same client: without a log, through the embedded log
 * (durable before the 202), and on the whole platform. Sides take turns in short rounds, medians are told: neighbours
 * on the machine disturb all sides alike, and CPU time less than rates. Run: npx node tests/bench/write/post.ts
 * With `--cpu-prof --cpu-prof-dir=...` after `node`, every process leaves its profile.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { metricsOf } from '../../builders/platform/metrics.ts'
import { ADMINISTRATOR, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import type { Load, Loaded } from '../parts/post/load.ts'

const ROUNDS = 7
const ROUND_MS = 2_000
const CONNECTIONS = 64
const LOW = { connections: 1, pauseMs: 20 }
const FULL = { connections: CONNECTIONS, pauseMs: 0 }
const KEY = { 'api-key': 'key', 'api-secret': 'secret' }

type Side = { name: string; port: number; cpu: () => Promise<number>; close: () => void }
type Sample = Loaded & { micros: number }

const start = (file: string, ...args: string[]): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args)

async function ask<T>(child: ChildProcess, question: object): Promise<T> {
  child.send(question)
  return (await once(child, 'message'))[0] as T
}

async function side(name: string): Promise<Side> {
  const child = start('../parts/post/served.ts', name)
  const port = (await once(child, 'message'))[0] as number
  return { name, port, cpu: () => ask<number>(child, {}), close: () => child.disconnect() }
}

const client = start('../parts/post/load.ts')
client.once('exit', (code) => code === 0 || process.exit(1))

async function sample({ port, cpu }: Side, load: Partial<Load>): Promise<Sample> {
  const before = await cpu()
  const loaded = await ask<Loaded>(client, { port, headers: KEY, ms: ROUND_MS, ...FULL, ...load })
  return { ...loaded, micros: ((await cpu()) - before) / loaded.answers }
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

function printSamples(name: string, samples: readonly Sample[]): Sample {
  const of = (pick: (s: Sample) => number) => median(samples.map(pick))
  const all = { micros: of((s) => s.micros), rate: of((s) => s.rate), p50: of((s) => s.p50), p99: of((s) => s.p99) }
  console.log(
    `${name.padEnd(16)} ${all.micros.toFixed(1).padStart(6)} us CPU a request, ${all.rate.toFixed(0).padStart(6)} requests/s, p50 ${all.p50.toFixed(2)} ms, p99 ${all.p99.toFixed(2)} ms`,
  )
  return { ...all, answers: 0 }
}

async function compareSides(): Promise<void> {
  const sides = await Promise.all(['echo', 'memory', 'durable'].map(side))
  const samples = new Map<string, Sample[]>(sides.map(({ name }) => [name, []]))
  for (const each of sides) await sample(each, {}) // warm
  for (let round = 0; round < ROUNDS; round++)
    for (const each of sides) samples.get(each.name)!.push(await sample(each, {}))
  const medians = new Map([...samples].map(([name, taken]) => [name, printSamples(name, taken)]))
  const echo = medians.get('echo')!
  for (const name of ['memory', 'durable']) {
    const { rate, micros } = medians.get(name)!
    const pairs = samples.get(name)!.map((s, i) => s.rate / samples.get('echo')![i]!.rate)
    console.log(
      `${name} over echo: ${(rate / echo.rate).toFixed(2)} by rate (${Math.min(...pairs).toFixed(2)} to ${Math.max(...pairs).toFixed(2)} by round), ${(echo.micros / micros).toFixed(2)} by CPU time`,
    )
  }
  const durable = sides.find(({ name }) => name === 'durable')!
  printSamples('durable, low', [await sample(durable, LOW)])
  for (const each of sides) each.close()
}

/** API, log, jobs and engine as they run together; CPU time is that of the API's process alone. */
async function onPlatform(): Promise<void> {
  const folder = temporaryFolder()
  const platform = await startPlatform(folder)
  const whole: Side = {
    name: 'platform',
    port: Number(new URL(platform.url).port),
    async cpu() {
      const metrics = await metricsOf(platform.url)
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)![1]) * 1e6
    },
    close: () => undefined,
  }
  try {
    await sample(whole, { headers: ADMINISTRATOR })
    printSamples('platform, low', [await sample(whole, { headers: ADMINISTRATOR, ms: 4_000, ...LOW })])
    printSamples('platform, full', [await sample(whole, { headers: ADMINISTRATOR, ms: 4_000 })])
  } finally {
    await platform.stop()
    remove(folder)
  }
}

console.log(
  `${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_MS} ms, load of the machine ${loadavg()[0]!.toFixed(1)}`,
)
await compareSides()
if (process.argv[2] !== 'sides') await onPlatform()
client.disconnect()
