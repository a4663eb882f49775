/**
 * What others notice of one anonymous caller with the heaviest searches: their calls alone, beside that caller, and
 * alone again, in the same run.
 * Run: npm run bench -- fairness [records] [seconds of each part] [folder to keep the records in]
 */
import { loadavg } from 'node:os'
import { clickhouse } from '../../connectors/history/clickhouse.ts'
import { guarded } from '../../connectors/history/guard.ts'
import { startApi } from '../builders/api.ts'
import { heavySearches } from '../builders/search/heavy.ts'
import { seededStore } from './seeded-store.ts'
import { again, at } from './timed.ts'

const RECORDS = Number(process.argv[2] ?? 1_000_000)
const SECONDS = Number(process.argv[3] ?? 15)
const FOLDER = process.argv[4]
/** As the command line opens the store (decisions 5.5). */
const ANSWERS = { seconds: 5, memoryBytes: 1024 ** 3, rows: 1_000_000 }
/** Connections of the heavy caller. */
const AT_ONCE = 4
const HEAVY = '198.51.100.1'
const LIGHT = '198.51.100.2'

const { engine, close } = await seededStore(RECORDS, FOLDER)
let away = 0
const history = guarded(clickhouse({ ...engine, limits: ANSWERS }), {
  url: engine.url,
  longestMs: 15_000,
  told: (change) => {
    away += Number(change.away)
  },
})
const api = await startApi({ history }, { trustedProxies: 1 })

async function ask(from: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`${api.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return response.ok ? '200' : `${response.status} ${/"code":"(\w+)"/.exec(text)?.[1]}`
}

const domain = (n: number): string => `host-${n}.example-${n % 997}.com`
const SEARCH = '/api/search/v1/entities'
const lights: readonly [string, (n: number) => Promise<string>][] = [
  ['overview', () => ask(LIGHT, '/api/analytics/v1/overview?days=30')],
  ['recent', () => ask(LIGHT, '/api/analytics/v1/recent?hours=24')],
  ['attribution', () => ask(LIGHT, '/api/analytics/v1/attribution')],
  ['look-up', (n) => ask(LIGHT, `${SEARCH}/lookup`, { values: [domain(n)] })],
  ['simple', (n) => ask(LIGHT, `${SEARCH}/simple`, { query: domain(n) })],
  ['history, simple', (n) => ask(LIGHT, `${SEARCH}/history/simple`, { query: domain(n) })],
  [
    'history, advanced',
    (n) =>
      ask(LIGHT, `${SEARCH}/history/advanced`, { query: { must: [{ term: { 'attributes.domain': domain(n) } }] } }),
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

async function beside(): Promise<Part> {
  const done = until(SECONDS)
  const answers = new Map<string, number>()
  let next = 0
  const heavy = async () => {
    const [surface, body] = heavySearches[next++ % heavySearches.length]!
    counted(answers, await ask(HEAVY, `${SEARCH}${surface}/advanced?limit=100`, body))
  }
  const [part, ...took] = await Promise.all([light(done), ...Array.from({ length: AT_ONCE }, () => again(done, heavy))])
  const longest = Math.round(Math.max(...took.flat()))
  console.log(`the heavy caller: ${JSON.stringify(Object.fromEntries(answers))}, longest ${longest} ms`)
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
