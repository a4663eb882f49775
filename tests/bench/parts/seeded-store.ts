import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { type Engine, startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import type { History } from '../../../connectors/history/port.ts'
import { recount } from '../../../connectors/history/stores/recount-store.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import { makeDigests } from './seeded-digests.ts'

export const DAY = 86_400_000
export const DAYS = 60
export const START = Date.UTC(2026, 0, 1)
/** In one record of 5,000, and in no value besides. */
export const RARE = 'zebulon'
const ENTITIES = 3_000_000
const GROUPS = 14
/** Rows of one insert: below a GiB of memory. */
const BLOCK = 500_000

/** Seven records of ten may be read by everybody, the others by one group each. */
export const audiences: readonly (readonly string[])[] = [
  ['public'],
  ...Array.from({ length: GROUPS }, (_, i) => [`group-${i}`]),
]
const ids = `[${audiences.map((groups) => audienceId(groups)).join()}]`

/** A hash of the number of a row, another for every salt: the same rows on every machine. */
const hash = (salt: number, of = 'number'): string => `cityHash64(${of}, ${salt}, 20260101)`
/** From 0 up to 1. */
const share = (salt: string | number, of = 'number'): string =>
  `(cityHash64(${of}, ${salt}, 20260101) / 18446744073709551616)`
/** Eight words; the first of 20,000 are a hundred times as frequent as the middle. */
const WORDS = `arrayStringConcat(arrayMap(i -> concat('word', toString(toUInt32(20000 * pow(${share('100 + i')}, 3)))), range(8)), ' ')`

/** The columns of an entity `e`: type, main value, and what is known of it. */
const ENTITY = `
  multiIf(e % 20 < 10, 'ip', e % 20 < 15, 'domain', e % 20 < 17, 'url', e % 20 < 19, 'sha256', 'malware') AS type,
  concat('host-', toString(e), '.example-', toString(e % 997), '.com') AS host,
  multiIf(type = 'ip', IPv4NumToString(toUInt32(184549376 + e)), type = 'domain', host, type = 'url',
    concat('http://', host, '/path'), type = 'sha256', lower(hex(SHA256(toString(e)))), concat('malware ', toString(e))) AS value,
  SHA256(concat(type, value)) AS digest,
  if(e % 4 = 0, 'United States', concat('Country ', toString(e % 200))) AS country,
  toUInt32(64512 + e % 1000) AS asn, concat('Network ', toString(asn)) AS aso`

const history = (from: number, rows: number, all: number): string => `
INSERT INTO history (ts, id, digest, type, value, user_id, source, source_kind, kind, reputation, stated, accuracy, tags,
  attributes, audience, well_known, terms, submission_id, topic_partition, log_offset)
SELECT fromUnixTimestamp64Milli(toInt64(${START} + number * ${(DAYS * DAY) / all}), 'UTC'),
  reinterpretAsUUID(sipHash128(number, 2)), digest, type, value, concat('user-', toString(${hash(3)} % 200)),
  concat('customer-', toString(${hash(4)} % 25)), 'customer', 'report', toInt8(${hash(5)} % 7) - 3, 1,
  ${hash(6)} % 4, arraySlice(['malware', concat('family-', toString(${hash(7)} % 50)), 'c2'], 1, ${hash(8)} % 4),
  mapFilter((k, v) -> v != '', map('country', country, 'asn', toString(asn), 'aso', aso, 'port', port, 'text', text))
    AS attributes,
  if(${share(12)} < 0.7, ${ids}[1], ${ids}[2 + ${hash(13)} % ${GROUPS}]), 0,
  arrayDistinct(arrayConcat([value], arrayMap(v -> lower(v), mapValues(attributes)), splitByNonAlpha(lower(aso)),
    splitByNonAlpha(text), if(type = 'malware', splitByNonAlpha(value), []))),
  reinterpretAsUUID(sipHash128(number, 14)), number % 2, number
FROM (SELECT number, ${ENTITY}, if(${hash(10)} % 5 = 0, concat(toString(${hash(11)} % 65536), '/tcp'), '') AS port,
    multiIf(rare, concat('seen with ${RARE} ', words), ${hash(9)} % 3 = 0, words, '') AS text
  FROM (SELECT number, toUInt32(${ENTITIES} * pow(${share(1)}, 1.5)) AS e, ${hash(15)} % 5000 = 0 AS rare,
    ${WORDS} AS words FROM numbers(${from}, ${rows})))`

/** The entities of the audience of everybody, as many as may be read beside so many records. */
const entities = (from: number, rows: number): string => `
INSERT INTO entities (key, digest, type, value, audience, version, partition, reputation, accuracy, best, worst, sources,
  well_known, tags, attributes, country, asn, aso, first_seen, last_seen)
SELECT reinterpretAsUInt64(reverse(substring(digests.digest, 1, 8))) AS key, digests.digest, type, value, ${ids}[1] AS audience,
  number + 1 AS version, 0 AS partition, toInt8(${hash(5)} % 7 - 3) AS reputation, toUInt8(${hash(6)} % 4) AS accuracy,
  reputation AS best, reputation AS worst, 1 AS sources, 0 AS well_known,
  ['malware', concat('family-', toString(${hash(7)} % 50))] AS tags, map('port', '443/tcp') AS attributes, country, asn,
  aso, fromUnixTimestamp64Milli(toInt64(${START}), 'UTC') AS first_seen,
  now64(3, 'UTC') - toIntervalSecond(${hash(16)} % ${(DAYS * DAY) / 1000}) AS last_seen
FROM (SELECT number, number AS e, ${ENTITY} FROM numbers(${from}, ${rows})) AS made
INNER JOIN (SELECT * FROM digests WHERE e >= ${from} AND e < ${from + rows}) AS digests ON digests.e = made.number`

async function fill(store: History, rows: number, known: number): Promise<void> {
  await makeDigests(store, known)
  for (const [name, statement, count] of [
    ['history', (from: number, some: number) => history(from, some, rows), rows],
    ['entities', entities, known],
  ] as const)
    for (let from = 0; from < count; from += BLOCK) {
      await store.command(statement(from, Math.min(BLOCK, count - from)))
      process.stderr.write(`\r${name}: ${Math.min(count, from + BLOCK)} rows`)
    }
  process.stderr.write('\n')
  await store.command('DROP TABLE digests')
  const groups = audiences.map((each) => `(${audienceId(each)}, [${each.map((group) => `'${group}'`).join()}])`)
  await store.command(
    `INSERT INTO audiences (audience, groups) SELECT a.1, a.2 FROM (SELECT arrayJoin([${groups}]) AS a)`,
  )
  const snapshot = await recount(async () => store).open()
  await snapshot.copy()
  await snapshot.correct()
  await snapshot.close()
}

/** Merges take the processors that a measurement needs. */
export async function settled(store: Pick<History, 'query'>): Promise<void> {
  for (let quiet = 0; quiet < 5; await sleep(400)) {
    const [merges] = await store.query<{ n: string }>({ sql: 'SELECT count() AS n FROM system.merges', params: {} })
    quiet = Number(merges!.n) === 0 ? quiet + 1 : 0
  }
}

export type Seeded = { engine: Engine; history: History; close(): Promise<void> }

/**
 * The embedded engine with the tables of a new platform.
 * @param kept a folder that is used again with what is in it, and left there; else a temporary one
 */
export async function emptyStore(kept?: string): Promise<Seeded> {
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'harrier-bench-'))
  const engine = await startEngine({ dataDir })
  const history = clickhouse(engine)
  await migrate(history, { mode: 'single' })
  return {
    engine,
    history,
    async close() {
      await history.close()
      await engine.stop()
      if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * The embedded engine with so many history records, made by the store itself from the number of each row, and a tenth
 * as many entities, or `known`, with their counters. Returns once nothing is merged any more.
 * @param kept a folder that is used again with what is in it, and left there; else a temporary one
 */
export async function seededStore(rows: number, kept?: string, known = Math.ceil(rows / 10)): Promise<Seeded> {
  const store = await emptyStore(kept)
  const { history } = store
  const sql = '(SELECT count() FROM history) AS history, (SELECT count() FROM counts) AS counts'
  const [there] = await history.query<{ history: string; counts: string }>({ sql: `SELECT ${sql}`, params: {} })
  if (Number(there!.history) === 0) await fill(history, rows, known)
  else if (Number(there!.history) !== rows || there!.counts === '0') throw new Error(`${kept} holds something else`)
  await settled(history)
  return store
}
