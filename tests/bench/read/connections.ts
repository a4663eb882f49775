/**
 * Answers a second to many connections at once, each asking again as soon as it is answered: an exact value over HTTP, the
 * overview over HTTP, and the smallest statement that finds the value, without the API.
 * Run: npm run bench -- connections [records] [connections] [seconds] [folder to keep the records in]
 */
import { availableParallelism, loadavg } from 'node:os'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import { startApi } from '../../builders/api/api.ts'
import { analyst } from '../parts/analyst.ts'
import { useOf } from '../parts/processes.ts'
import { seededStore } from '../parts/seeded-store.ts'
import { again, at } from '../parts/timed.ts'

const [RECORDS = 10_000_000, CONNECTIONS = 32, SECONDS = 10] = process.argv.slice(2, 5).map(Number)
const GROUPS = ['public', 'group-3']
/** As the command line opens the store (decisions 5.5). */
const ANSWERS = { seconds: 5, memoryBytes: 1024 ** 3, rows: 1_000_000 }

const { engine, close } = await seededStore(RECORDS, process.argv[5])
const history = clickhouse({ ...engine, limits: ANSWERS })
const { accounts, headers } = analyst(GROUPS)
const api = await startApi({ history, accounts })

const address = (n: number): string => {
  const entity = 20 * ((n * 977) % 140_000)
  return `11.${(entity >> 16) & 255}.${(entity >> 8) & 255}.${entity & 255}`
}

async function ask(path: string, body?: object): Promise<void> {
  const response = await fetch(api.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  await response.text()
  if (response.status !== 200 && response.status !== 404) throw new Error(`${path}: ${response.status}`)
}

let next = 0
const readable = `audience IN [${GROUPS.map((group) => audienceId([group])).join()}]`
const QUESTIONS: Record<string, () => Promise<unknown>> = {
  'exact value, statement alone': () =>
    history.query({
      sql: `SELECT id, entity_id, type, value, user_id, attributes, reputation, accuracy, tags, audience, well_known, ts
        FROM history WHERE ${readable} AND has(terms, '${address(next++)}') ORDER BY ts DESC, id DESC LIMIT 10
        SETTINGS max_threads = 1`,
      params: {},
    }),
  'exact value, simple search': () => ask('/api/search/v1/entities/history/simple', { query: address(next++) }),
  overview: () => ask('/api/analytics/v1/overview?days=30'),
}

async function measure(name: string, question: () => Promise<unknown>): Promise<void> {
  const cpu = () => useOf(process.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  for (let i = 0; i < 10; i++) await question()
  const [from, before] = [performance.now(), cpu()]
  const done = () => performance.now() - from > SECONDS * 1000
  const took = (await Promise.all(Array.from({ length: CONNECTIONS }, () => again(done, question)))).flat()
  const seconds = (performance.now() - from) / 1000
  console.log(
    `${name.padEnd(30)} ${(took.length / seconds).toFixed(0).padStart(6)}/s, p50 ${at(took, 0.5).toFixed(0)} ms, ` +
      `p99 ${at(took, 0.99).toFixed(0)} ms, ${(((cpu() - before) / took.length) * 1000).toFixed(2)} ms of CPU an answer`,
  )
}

try {
  console.log(
    `${RECORDS} records, ${CONNECTIONS} connections, ${availableParallelism()} processors; load of the machine ${loadavg()[0]!.toFixed(1)}`,
  )
  for (let round = 0; round < 2; round++)
    for (const [name, question] of Object.entries(QUESTIONS)) await measure(name, question)
} finally {
  await api.close()
  await history.close()
  await close()
}
