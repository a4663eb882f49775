/**
 * What others notice of one anonymous caller with the heaviest searches: their calls alone, beside that caller, and
 * alone again, in the same run.
 * Run: npm run bench -- fairness [records] [seconds of each part] [folder to keep the records in]
 */
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { Worker } from 'node:worker_threads'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { guardReads } from '../../../connectors/history/guard.ts'
import { startApi } from '../../builders/api/api.ts'
import type { HeavyCaller, HeavyReport } from '../parts/fairness-heavy.ts'
import { seededStore } from '../parts/seeded-store.ts'
import { at } from '../parts/timed.ts'

const RECORDS = Number(process.argv[2] ?? 1_000_000)
const SECONDS = Number(process.argv[3] ?? 15)
const FOLDER = process.argv[4]
/** As the command line opens the store (decisions 5.5). */
const ANSWERS = { seconds: 5, memoryBytes: 1024 ** 3, rows: 1_000_000 }
const LIGHT = '198.51.100.2'

const { engine, close } = await seededStore(RECORDS, FOLDER)
let away = 0
const history = guardReads(clickhouse({ ...engine, limits: ANSWERS }), {
  url: engine.url,
  longestMs: 15_000,
  onChange: (change) => {
    away += Number(change.unavailable)
  },
})
const api = await startApi({ history }, { trustedProxies: 1 })

async function ask(path: string, body?: object): Promise<string> {
  const response = await fetch(`${api.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': LIGHT },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return response.ok ? '200' : `${response.status} ${/"code":"(\w+)"/.exec(text)?.[1]}`
}

const domain = (n: number): string => `host-${n}.example-${n % 997}.com`
const SEARCH = '/api/search/v1/entities'
const lights: readonly [string, (n: number) => Promise<string>][] = [
  ['overview', () => ask('/api/analytics/v1/overview?days=30')],
  ['recent', () => ask('/api/analytics/v1/recent?hours=24')],
  ['attribution', () => ask('/api/analytics/v1/attribution')],
  ['look-up', (n) => ask(`${SEARCH}/lookup`, { values: [domain(n)] })],
  ['simple', (n) => ask(`${SEARCH}/simple`, { query: domain(n) })],
  ['history, simple', (n) => ask(`${SEARCH}/history/simple`, { query: domain(n) })],
  [
    'history, advanced',
    (n) => ask(`${SEARCH}/history/advanced`, { query: { must: [{ term: { 'attributes.domain': domain(n) } }] } }),
  ],
]

type Part = { took: number[][]; bad: Map<string, number> }

const until = (seconds: number): (() => boolean) => {
  const end = performance.now() + seconds * 1000
  return () => performance.now() > end
}

const counted = (into: Map<string, number>, answer: string): void => void into.set(answer, (into.get(answer) ?? 0) + 1)

async function light(done: () => boolean): Promise<Part> {
  const part: Part = { took: lights.map(() => []), bad: new Map() }
  for (let n = 10; !done(); n += 20)
    for (const [i, [, call]] of lights.entries()) {
      const from = performance.now()
      const answer = await call(n)
      part.took[i]!.push(performance.now() - from)
      if (answer !== '200' && !answer.startsWith('404')) counted(part.bad, answer)
    }
  return part
}

/** The heavy caller has a thread of its own: what it costs to write such bodies is no wait of the API. */
async function beside(): Promise<Part> {
  const workerData: HeavyCaller = { url: `${api.url}${SEARCH}`, seconds: SECONDS }
  const worker = new Worker(new URL('../parts/fairness-heavy.ts', import.meta.url), { workerData })
  const [[report], part] = await Promise.all([once(worker, 'message'), light(until(SECONDS))])
  const { answers, longestMs } = report as HeavyReport
  console.log(`the heavy caller: ${JSON.stringify(answers)}, longest ${Math.round(longestMs)} ms`)
  return part
}

const ms = (took: readonly number[], share: number): string => at(took, share).toFixed(1).padStart(7)

try {
  console.log(`${RECORDS} records, ${SECONDS} s each; load of the machine ${loadavg()[0]!.toFixed(1)}`)
  await light(until(2))
  const parts = [await light(until(SECONDS)), await beside(), await light(until(SECONDS))]
  console.log('milliseconds p50, p99 (calls): alone | beside | alone again | ratio of p99 to alone, and to alone again')
  const row = (name: string, all: readonly (readonly number[])[]) => {
    const ratio = (n: number) => (at(all[1]!, 0.99) / at(all[n]!, 0.99)).toFixed(2)
    const cells = all.map((took) => `${ms(took, 0.5)}${ms(took, 0.99)} (${took.length})`)
    console.log(`${name.padEnd(18)}${cells.join(' | ')} | ${ratio(0)} ${ratio(2)}`)
  }
  for (const [i, [name]] of lights.entries())
    row(
      name,
      parts.map(({ took }) => took[i]!),
    )
  row(
    'all',
    parts.map(({ took }) => took.flat()),
  )
  console.log(
    `failed: ${JSON.stringify(parts.map(({ bad }) => Object.fromEntries(bad)))}; the store was called away ${away} times`,
  )
} finally {
  await api.close()
  await history.close()
  await close()
}
