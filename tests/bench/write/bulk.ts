/**
 * Bulk reports on one connection beside single POSTs of the same reports on 64, in turns: lines a second that are durable
 * and answered, and CPU-seconds for a million of them. Sides: the API with the embedded log, and the whole platform;
 * without and with an idempotency key. A round of the platform ends when everything is stored.
 * Run: npm run bench -- bulk [rounds] [lines]; with `--cpu-prof --cpu-prof-dir=...` after `node`, every process leaves
 * its profile.
 */

import { loadavg } from 'node:os'
import { type BulkRun, bulkBody, sendBulk } from '../parts/post/bulk-client.ts'
import type { Loaded } from '../parts/post/load.ts'
import { ask, platformSide, type Side, servedSide, start } from '../parts/post/sides.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const LINES = Number(process.argv[3] ?? 50_000)
const POST_MS = 3_000

type Sample = { rate: number; firstMs: number; micros: Record<string, number> }

const client = start('load.ts')
let body = 0

async function measured(
  side: Side,
  work: () => Promise<{ count: number; rate: number; firstMs: number }>,
): Promise<Sample> {
  const before = await side.cpu()
  const { count, rate, firstMs } = await work()
  await side.settled()
  const after = await side.cpu()
  const micros = Object.fromEntries(
    Object.entries(after).map(([name, used]) => [name, (used - (before[name] ?? 0)) / count]),
  )
  return { rate, firstMs, micros }
}

const bulk = (side: Side, more: Record<string, string>) => async () => {
  const run: BulkRun = await sendBulk(side.port, { ...side.headers, ...more }, bulkBody(LINES, body++))
  return { count: run.accepted, rate: run.accepted / run.seconds, firstMs: run.firstMs }
}

const posts = (side: Side) => async () => {
  const { port, headers } = side
  const loaded = await ask<Loaded>(client, { port, headers, connections: 64, pauseMs: 0, ms: POST_MS })
  return { count: loaded.answers, rate: loaded.rate, firstMs: loaded.p50 }
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
const total = ({ micros }: Sample): number => Object.values(micros).reduce((sum, used) => sum + used, 0)

function print(name: string, samples: readonly Sample[]): void {
  const of = (pick: (sample: Sample) => number) => median(samples.map(pick))
  const processes = Object.keys(samples[0]!.micros).map(
    (process) => `${process} ${of((s) => s.micros[process] ?? 0).toFixed(1)}`,
  )
  console.log(
    `${name.padEnd(20)} ${of(({ rate }) => rate).toFixed(0)} lines/s, first answer ${of(({ firstMs }) => firstMs).toFixed(1)} ms; CPU-s for a million ${of(total).toFixed(1)} (${processes.join(', ')})`,
  )
}

const sides = [await servedSide('durable'), await platformSide()]
console.log(`${ROUNDS} rounds of ${LINES} lines, load of the machine ${loadavg()[0]!.toFixed(1)}`)
try {
  for (const side of sides) {
    const kinds = {
      posts: posts(side),
      bulk: bulk(side, {}),
      'bulk, key': async () => bulk(side, { 'idempotency-key': `bench-${body}` })(),
    }
    const samples = new Map<string, Sample[]>(Object.keys(kinds).map((kind) => [kind, []]))
    for (const work of Object.values(kinds)) await measured(side, work)
    for (let round = 0; round < ROUNDS; round++)
      for (const [kind, work] of Object.entries(kinds)) samples.get(kind)!.push(await measured(side, work))
    for (const [kind, taken] of samples) print(`${side.name}, ${kind}`, taken)
    const ratios = samples.get('bulk')!.map(({ rate }, at) => rate / samples.get('posts')![at]!.rate)
    console.log(`${side.name}: bulk over posts ${median(ratios).toFixed(2)} by rate`)
  }
} finally {
  for (const side of sides) await side.close()
  client.disconnect()
}
