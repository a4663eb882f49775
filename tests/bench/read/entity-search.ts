/**
 * Searches of current entities, as anybody and as a member of a group. CPU-seconds are the engine's, beside the smallest
 * statement that counts the same table. Searches by tag are whole answers, a count and a page, by turns with the same
 * answers read from the entities alone.
 * Run: npm run bench -- entity-search [entities] [rounds by tag] [folder to keep the entities in] [tags]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reader } from '../../../api/intelligence/services/readers.ts'
import { advancedEntities } from '../../../api/intelligence/services/search/entity-search-service.ts'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import type { Query } from '../../../connectors/history/port.ts'
import { entitySurface } from '../../../connectors/history/sql/queries/entity-search-queries.ts'
import { searchPage, searchTotals } from '../../../connectors/history/sql/queries/search-queries.ts'
import type { ViewReader } from '../../../connectors/history/sql/search/entity-surface.ts'
import { storeSource } from '../../../connectors/lookups/store-lookups.ts'
import type { Clause, Field } from '../../../schemas/intelligence/search/clause.ts'
import { simpleClause } from '../../../schemas/intelligence/search/simple.ts'
import { settled } from '../parts/seeded-store.ts'
import { at, byTurns } from '../parts/timed.ts'

const COUNT = Number(process.argv[2] ?? 1_500_000)
const ROUNDS = 4
const ROUNDS_BY_TAG = Number(process.argv[3] ?? 15)
/** Used again with what is in it, and left there. */
const KEPT = process.argv[4]
/** Only the searches by tag. */
const ONLY_TAGS = process.argv[5] === 'tags'
const BLOCK = 100_000
const [PUBLIC, OWN] = [1n, 2n]
const FACTS = (n: string) =>
  `map('asn', toString(64512 + ${n} % 1000), 'country', 'Iceland', 'port', concat(toString(${n} % 65536), '/tcp'))`
const COMMON = `SHA256(concat('entity ', toString(n))) AS d, ['ip', 'domain', 'url', 'sha256'][1 + n % 4] AS t,
  concat('host-', toString(n), '.example-', toString(n % 997), '.test') AS v,
  fromUnixTimestamp64Milli(toInt64(1700000000000 + n * 1000), 'UTC') AS seen`

const entities = (from: number, count: number, step: number, audience: bigint, version: number): string =>
  `INSERT INTO entities SELECT reinterpretAsUInt64(reverse(substring(d, 1, 8))), d, t, v, ${audience}, ${version}, 0,
    toInt8((n + ${version}) % 7) - 3, n % 4, 1, -2, 2, n % 1000 = 0, ['malware', concat('family-', toString(n % 50)), concat('campaign-', toString(n % 20000))],
    ${FACTS('n')}, map('asn', 1, 'country', 1, 'port', 1), 'Iceland', 64512 + n % 1000, '', seen, seen, seen, seen,
    ['customer-1', 'customer-2'], ['customer', 'customer'], [0.6, 0.9], [toInt8(n % 7) - 3, NULL], [1, 0],
    [1700000000000 + n * 1000, 1700000000000], [1, 1], [1, 1], [1, 1]
  FROM (SELECT toUInt64(number * ${step} + ${from}) AS n, ${COMMON} FROM numbers(${count}))`

const reports = (from: number, count: number): string =>
  `INSERT INTO history (ts, id, digest, type, value, attributes, audience, terms)
  SELECT seen, generateUUIDv4(), d, t, v, ${FACTS('n')}, ${PUBLIC},
    [v, toString(64512 + n % 1000), 'iceland', concat(toString(n % 65536), '/tcp')]
  FROM (SELECT toUInt64(number + ${from}) AS n, ${COMMON} FROM numbers(${count}))`

const field = (name: 'reputation'): Field => ({ name, kind: 'number' })
const equals = (of: Field, value: string | number): Clause => ({
  is: 'equals',
  field: of,
  values: [value],
  caseless: false,
})
const term = (query: string): Clause => simpleClause({ query, accuracy: null, reputation: null })
const QUESTIONS: Record<string, Clause> = {
  all: { is: 'all' },
  'by reputation': equals(field('reputation'), -3),
  'by a number in attributes': equals({ name: 'attribute', attribute: 'asn', kind: 'number' }, 64_600),
  'by an exact value': term('host-77.example-77.test'),
  'by an attribute of few': term('77/tcp'),
  'by a word of all': term('iceland'),
}

const dataDir = KEPT ?? mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const engine = await startEngine({ dataDir })
const history = clickhouse(engine)

/** CPU-seconds of the children of this process: the engine is the only one. */
const cpuSeconds = (): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => {
      const stat = statOf(pid)
      return stat[1] === String(process.pid) ? sum + (Number(stat[11]) + Number(stat[12])) / 100 : sum
    }, 0)

function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  } catch {
    return []
  }
}

async function measure(name: string, query: Query): Promise<void> {
  await history.query(query)
  const cpu = cpuSeconds()
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now()
    await history.query(query)
    took.push(performance.now() - from)
  }
  const each = ((cpuSeconds() - cpu) / ROUNDS).toFixed(2)
  console.log(`${name.padEnd(48)} ${Math.round(Math.min(...took))} ms at best, ${each} CPU-s each`)
}

const TAGS = { 'family-7': 'one in 50', 'campaign-77': 'one in 20,000', malware: 'all' }
const SORT = { field: { name: '@timestamp', kind: 'date' }, order: 'desc' } as const

/** Milliseconds of an answer and CPU-milliseconds of both processes, ours and from the entities alone. */
async function byTag(reader: ViewReader, name: string): Promise<void> {
  for (const [tag, part] of Object.entries(TAGS)) {
    const clause: Clause = { is: 'equals', field: { name: 'tags', kind: 'keyword' }, values: [tag], caseless: false }
    const search = { clause, aggs: new Map(), source: { includes: [], excludes: [] }, after: null, collapse: null }
    const { narrow: _, ...alone } = entitySurface(reader)
    const asked = { surface: alone, clause, sort: SORT, after: null, collapse: null }
    const timed = await byTurns(ROUNDS_BY_TAG, engine.pid, () => ({
      ours: () =>
        advancedEntities({ history, lookups: storeSource(history) }, reader as Reader, search, {
          sort: SORT,
          limit: 10,
          page: 1,
        }),
      baseline: async () => {
        await history.query(searchPage(asked, 10, 0))
        await history.query(searchTotals(asked))
      },
    }))
    const shown = ({ took, cpu }: (typeof timed)['ours']) =>
      `${at(took, 0.5).toFixed(0).padStart(5)} ms, ${((cpu / ROUNDS_BY_TAG) * 1000).toFixed(0).padStart(4)} ms CPU`
    const ratio = (at(timed.baseline.took, 0.5) / at(timed.ours.took, 0.5)).toFixed(1)
    console.log(`${name}: tag of ${part}`.padEnd(36), `${shown(timed.ours)} | ${shown(timed.baseline)} | 1 : ${ratio}`)
  }
}

async function fill(): Promise<void> {
  for (let from = 0; from < COUNT; from += BLOCK) {
    await history.command(entities(from, Math.min(BLOCK, COUNT - from), 1, PUBLIC, 1))
    await history.command(reports(from, Math.min(BLOCK, COUNT - from)))
  }
  // A tenth has been stored again, and a group speaks of some that are public and of as many that are not.
  await history.command(entities(0, Math.floor(COUNT / 10), 10, PUBLIC, 2))
  await history.command(entities(0, Math.floor(COUNT / 75), 70, OWN, 1))
  await history.command(entities(COUNT, Math.floor(COUNT / 75), 1, OWN, 1))
}

const READERS = [
  { name: 'anybody', audiences: [PUBLIC], own: [] },
  { name: 'a member', audiences: [PUBLIC, OWN], own: [OWN] },
]

try {
  await migrate(history, { mode: 'single' })
  const [there] = await history.query<{ n: string }>({ sql: 'SELECT count() AS n FROM entities', params: {} })
  if (there!.n === '0') await fill()
  await settled(history)
  for (const reader of READERS) await byTag(reader, reader.name)
  const bare = `SELECT count() FROM entities FINAL WHERE audience = ${PUBLIC}`
  if (!ONLY_TAGS) await measure('baseline: rows of one audience', { sql: bare, params: {} })
  for (const reader of ONLY_TAGS ? [] : READERS)
    for (const [name, clause] of Object.entries(QUESTIONS)) {
      const search = { surface: entitySurface(reader), clause, sort: SORT, after: null, collapse: null }
      await measure(`${reader.name}: count ${name}`, searchTotals(search))
      await measure(`${reader.name}: page ${name}`, searchPage(search, 10, 0))
    }
} finally {
  await history.close()
  await engine.stop()
  if (KEPT === undefined) rmSync(dataDir, { recursive: true, force: true })
}
