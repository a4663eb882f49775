/**
 * Fifteen questions to Harrier and to OpenSearch over the same records and entities, by turns; every answer has to be the
 * same. Neither side may remember answers or filters. Both are merged: an index to one segment, a table to one part a month.
 * Run: npm run bench -- compare --opensearch <url> [records] [entities] [rounds] [folder to keep the records in]
 * One node without Docker: infra/dev/opensearch.sh start
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { storeLookups } from '../../../connectors/lookups/store-lookups.ts'
import { startApi } from '../../builders/api/api.ts'
import { analyst } from '../parts/analyst.ts'
import { openSearch } from '../parts/opensearch/client.ts'
import { entityQuestions } from '../parts/opensearch/entity-questions.ts'
import { load } from '../parts/opensearch/load.ts'
import { GROUPS, type Question, searches } from '../parts/opensearch/questions.ts'
import { useOf } from '../parts/processes.ts'
import { makeIndex, stillLookups } from '../parts/read/still-lookups.ts'
import { seededStore, settled } from '../parts/seeded-store.ts'
import { at } from '../parts/timed.ts'

const { values, positionals } = parseArgs({ options: { opensearch: { type: 'string' } }, allowPositionals: true })
if (values.opensearch === undefined) {
  console.error('name the OpenSearch to compare with: --opensearch http://127.0.0.1:9200')
  process.exit(2)
}
const [RECORDS = 1_640_000, ENTITIES = 1_520_000, ROUNDS = 15] = positionals.slice(0, 3).map(Number)
/** As the command line opens the store (decisions 5.5). */
const ANSWERS = { seconds: 5, memoryBytes: 1024 ** 3, rows: 1_000_000 }
/** Answers of analytics are shared for 100 ms (ADR 266): a measured one is computed. */
const UNSHARED_MS = 120

const os = await openSearch(values.opensearch.replace(/\/$/, ''))
const { engine, history: store, close } = await seededStore(RECORDS, positionals[3], ENTITIES)
await load(os, store, { history: RECORDS, entities: ENTITIES })
for (const table of ['history', 'entities', 'tagged', 'recency'])
  await store.command(`OPTIMIZE TABLE ${table} FINAL SETTINGS optimize_skip_merged_partitions = 1`)
await settled(store)
const history = clickhouse({ ...engine, limits: ANSWERS })
const uncached = {
  ...history,
  query: ({ sql, params }: Parameters<typeof history.query>[0], signal?: AbortSignal) => {
    const joined = /\bSETTINGS\b[^()]*$/.test(sql) ? ',' : '\nSETTINGS'
    return history.query<never>({ sql: `${sql}${joined} use_query_condition_cache = 0`, params }, signal)
  },
}
const caller = analyst(GROUPS)
/** The index of look-ups, as it is once somebody has asked. */
const folder = mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const index = join(folder, 'lookup-index')
await makeIndex(index, store)
const api = await startApi({
  history: uncached,
  accounts: caller.accounts,
  lookups: stillLookups(index, storeLookups(uncached)),
})

async function askUs({ path, body }: ReturnType<Question['ours']>): Promise<unknown> {
  const response = await fetch(api.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...caller.headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.status === 404) return response.text().then(() => null)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const askThem = ({ index, body }: ReturnType<Question['theirs']>): Promise<unknown> =>
  os.ask('POST', `/${index}/_search?request_cache=false`, body)

/** CPU-seconds of this process, which is the API, and of the engine; and of OpenSearch. */
const cpuOfUs = async () => useOf(process.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)

type Side = { took: number[]; cpu: number }

async function timed(side: Side, cpu: () => Promise<number>, ask: () => Promise<unknown>): Promise<unknown> {
  const before = await cpu()
  const from = performance.now()
  const answer = await ask()
  side.took.push(performance.now() - from)
  side.cpu += (await cpu()) - before
  return answer
}

/** Both by turns; two rounds that are not counted go first. @throws Error where the answers differ */
async function compare({ name, ours, theirs, same }: Question): Promise<[Side, Side]> {
  let [us, them] = [side(), side()]
  for (let round = -2; round < ROUNDS; round++) {
    if (round === 0) [us, them] = [side(), side()]
    const turns = [
      async () => same.ours(await timed(us, cpuOfUs, () => askUs(ours(round)))),
      async () => same.theirs(await timed(them, os.cpuSeconds, () => askThem(theirs(round)))),
    ]
    await sleep(UNSHARED_MS)
    const inTurn = round % 2 === 0 ? turns : turns.toReversed()
    const [first, second] = [await inTurn[0]!(), await inTurn[1]!()]
    if (!isDeepStrictEqual(first, second))
      throw new Error(
        `${name}: ${JSON.stringify(first).slice(0, 600)}\nis not\n${JSON.stringify(second).slice(0, 600)}`,
      )
  }
  return [us, them]
}

const side = (): Side => ({ took: [], cpu: 0 })
const ms = (n: number): string => n.toFixed(1).padStart(8)

try {
  console.log(
    `${RECORDS} records, ${ENTITIES} entities, ${ROUNDS} rounds, OpenSearch ${os.version}; load of the machine ${loadavg()[0]!.toFixed(1)}`,
  )
  console.log(`${''.padEnd(30)} Harrier ms p50, CPU | OpenSearch ms p50, CPU | ratio of the medians, of the CPU`)
  for (const question of [...entityQuestions(ENTITIES), ...searches]) {
    const [us, them] = await compare(question)
    const [a, b] = [at(us.took, 0.5), at(them.took, 0.5)]
    const cpu = (one: Side) => (one.cpu / ROUNDS) * 1000
    console.log(
      `${question.name.padEnd(30)}${ms(a)}${ms(cpu(us))} |${ms(b)}${ms(cpu(them))} | ${(a / b).toFixed(2)} ${(cpu(us) / cpu(them)).toFixed(2)}`,
    )
  }
} finally {
  await api.close()
  await history.close()
  await close()
  rmSync(folder, { recursive: true, force: true })
}
