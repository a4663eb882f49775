/**
 * POST entity over a bare Koa echo of the same JSON, with the same client. Sides: the API without a log, the API with the
 * embedded log (durable before the 202), and the whole platform with jobs, engine, accounts and limits, whose reporter
 * has a key pair and a subscription. Every report is of an address that is new.
 *
 * Sides take turns in short rounds: neighbours on the machine disturb all of them alike, and CPU time less than rates. A
 * round of the platform ends when everything is stored: what jobs and engine do later is counted as its CPU time, and
 * does not fall on the next side. Run: npm run bench -- post [rounds]
 * With `--cpu-prof --cpu-prof-dir=...` after `node`, every process leaves its profile.
 */

import { loadavg } from 'node:os'
import type { Load, Loaded } from '../parts/post/load.ts'
import { ask, platformSide, type Side, servedSide, start } from '../parts/post/sides.ts'

const ROUNDS = Number(process.argv[2] ?? 7)
const ROUND_MS = 3_000
const CONNECTIONS = 64
const LOW = { connections: 1, pauseMs: 20 }
const FULL = { connections: CONNECTIONS, pauseMs: 0 }

type Sample = Loaded & {
  /** CPU microseconds a request, by process. */
  micros: Record<string, number>
  /** Requests a second until the last report was stored. */
  stored: number
  /** Inserts into the history store for 1,000 requests. */
  inserts: number
}

const client = start('load.ts')
client.once('exit', (code) => code === 0 || process.exit(1))

async function sample(side: Side, load: Partial<Load> = {}): Promise<Sample> {
  const { port, headers } = side
  const [before, inserts] = [await side.cpu(), await side.inserts()]
  const loaded = await ask<Loaded>(client, { port, headers, ms: ROUND_MS, ...FULL, ...load })
  const answered = performance.now()
  await side.settled()
  const seconds = loaded.answers / loaded.rate + (performance.now() - answered) / 1000
  const after = await side.cpu()
  return {
    ...loaded,
    stored: loaded.answers / seconds,
    inserts: (((await side.inserts()) - inserts) / loaded.answers) * 1000,
    micros: Object.fromEntries(
      Object.entries(after).map(([name, used]) => [name, (used - (before[name] ?? 0)) / loaded.answers]),
    ),
  }
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
const total = ({ micros }: Sample): number => Object.values(micros).reduce((sum, used) => sum + used, 0)

function print(name: string, samples: readonly Sample[]): void {
  const of = (pick: (s: Sample) => number) => median(samples.map(pick))
  const processes = Object.keys(samples[0]!.micros)
  const cpu = processes.map((process) => `${process} ${of((s) => s.micros[process] ?? 0).toFixed(1)}`).join(', ')
  console.log(
    `${name.padEnd(14)} ${of((s) => s.rate).toFixed(0)} requests/s, p50 ${of((s) => s.p50).toFixed(2)} ms, p99 ${of((s) => s.p99).toFixed(2)} ms; CPU a request ${of(total).toFixed(1)} us (${cpu})`,
  )
  const inserts = of((s) => s.inserts)
  if (inserts > 0)
    console.log(
      `${''.padEnd(14)} ${of((s) => s.stored).toFixed(0)} requests/s until all were stored, ${inserts.toFixed(2)} inserts for 1,000 requests`,
    )
}

function compare(name: string, samples: readonly Sample[], echo: readonly Sample[]): void {
  const pairs = samples.map((s, i) => s.rate / echo[i]!.rate)
  const stored = median(samples.map((s, i) => s.stored / echo[i]!.rate))
  console.log(
    `${name} over echo: ${median(pairs).toFixed(2)} by rate (${Math.min(...pairs).toFixed(2)} to ${Math.max(...pairs).toFixed(2)} by round), ${stored.toFixed(2)} until stored, ${(median(echo.map(total)) / median(samples.map(total))).toFixed(2)} by CPU time of all processes`,
  )
}

console.log(
  `${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_MS} ms, load of the machine ${loadavg()[0]!.toFixed(1)}`,
)
const sides: Side[] = [...(await Promise.all(['echo', 'memory', 'durable'].map(servedSide))), await platformSide()]
try {
  const samples = new Map<string, Sample[]>(sides.map(({ name }) => [name, []]))
  for (const each of sides) await sample(each) // warm
  for (let round = 0; round < ROUNDS; round++)
    for (const each of sides) samples.get(each.name)!.push(await sample(each))
  for (const [name, taken] of samples) print(name, taken)
  for (const name of ['memory', 'durable', 'platform']) compare(name, samples.get(name)!, samples.get('echo')!)
  for (const each of sides.slice(2)) print(`${each.name}, low`, [await sample(each, LOW)])
} finally {
  for (const each of sides) await each.close()
  client.disconnect()
}
