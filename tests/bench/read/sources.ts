/**
 * Scorecards of the sources over 1.85 M entities, beside a plain scan of the columns that they are made of.
 * Run: npm run bench -- sources [entities] [rounds]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import { sourceScores } from '../../../connectors/history/sql/queries/sources-queries.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import { at, byTurns } from '../parts/timed.ts'

const ENTITIES = Number(process.argv[2] ?? 1_850_000)
const ROUNDS = Number(process.argv[3] ?? 10)
const BLOCK = 200_000
const START = Date.UTC(2026, 0, 1)
const DAY = 86_400_000
const PUBLIC = audienceId(['public'])
const TEAM = audienceId(['team'])
/** Of a thousand rows these stand in the audience of a group too. */
const PRIVATE = 5

/** A hash of the number of a row and of a claim in it. */
const hash = (salt: string): string => `cityHash64(number, ${salt}, 20260101)`

/** Half of the entities have one claim, the others up to four: of 40 feeds, 200 customers and 800 users. */
const insert = (from: number, rows: number, audience: bigint, every: number): string => `
INSERT INTO entities (key, digest, type, value, audience, version, partition, reputation, accuracy, best, worst, sources,
  well_known, first_seen, last_seen, claims.source, claims.kind, claims.trust, claims.reputation, claims.claimed_at,
  claims.at, claims.kept_at, claims.kept_hash, claims.first_seen)
SELECT reinterpretAsUInt64(reverse(substring(digest, 1, 8))), SHA256(value) AS digest,
  if(number % 10 < 7, 'ip', 'domain') AS type,
  if(type = 'ip', IPv4NumToString(toUInt32(184549376 + number)), concat('host-', toString(number), '.example.com')) AS value,
  ${audience}, number + 1, 0, -2, 1, -2, -2, length(s), if(${hash('1')} % 50 = 0, 1, 0),
  fromUnixTimestamp64Milli(arrayMin(f), 'UTC'), fromUnixTimestamp64Milli(arrayMax(a), 'UTC'),
  s, k, arrayMap(i -> 0.6, i), r, a, a, a, i, f
FROM (SELECT number, range(if(${hash('2')} % 2 = 0, 1, 1 + ${hash('3')} % 4)) AS i,
    arrayMap(i -> ${hash('10 + i')} % 10, i) AS d,
    arrayMap(d -> multiIf(d < 6, 'feed', d < 8, 'customer', 'user'), d) AS k,
    arrayMap((d, i) -> multiIf(d < 6, concat('feed-', toString((${hash('20')} + i) % 40)),
      concat('00000000-0000-4000-8000-', leftPad(toString((${hash('30')} + i) % if(d < 8, 200, 800)), 12, '0'))), d, i) AS s,
    arrayMap(i -> toNullable(toInt8(${hash('40 + i')} % 7) - 3), i) AS r,
    arrayMap(i -> toInt64(${START} + ${hash('50 + i')} % ${30 * DAY}), i) AS f,
    arrayMap((f, i) -> f + toInt64(${hash('60 + i')} % ${10 * DAY}), f, i) AS a
  FROM numbers(${from}, ${rows}) WHERE number % ${every} = 0)`

const dataDir = mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const engine = await startEngine({ dataDir })
const history = clickhouse({ ...engine, limits: { seconds: 5, memoryBytes: 1024 ** 3, rows: 1_000_000 } })
try {
  await migrate(history, { mode: 'single' })
  for (let from = 0; from < ENTITIES; from += BLOCK) {
    await history.command(insert(from, Math.min(BLOCK, ENTITIES - from), PUBLIC, 1))
    await history.command(insert(from, Math.min(BLOCK, ENTITIES - from), TEAM, 1000 / PRIVATE))
  }
  const [{ parts } = { parts: '' }] = await history.query<{ parts: string }>({
    sql: `SELECT count() AS parts FROM system.parts WHERE active AND database = currentDatabase() AND table = 'entities'`,
    params: {},
  })
  console.log(`${ENTITIES} entities in ${parts} parts; load of the machine ${loadavg()[0]!.toFixed(1)}`)
  const columns = ['source', 'kind', 'reputation', 'claimed_at', 'at', 'first_seen'].map((name) => `claims.${name}`)
  const scan = (audiences: readonly bigint[]) => ({
    sql: `SELECT ${['type', 'well_known', ...columns].map((c) => `sum(cityHash64(${c}))`).join()} FROM entities FINAL
      WHERE audience IN {audiences:Array(UInt64)}`,
    params: { audiences },
  })
  for (const [who, every, ownAudiences] of [
    ['everybody', false, []],
    ['a group', false, [TEAM]],
    ['an administrator', true, []],
    ['an administrator in a group', true, [TEAM]],
  ] as const) {
    const audiences = [PUBLIC, ...ownAudiences]
    const asked = { own: [], every, audiences, ownAudiences, limit: 10_000, now: START + 40 * DAY }
    const { ours, baseline } = await byTurns(ROUNDS, engine.pid, () => ({
      ours: () => history.query(sourceScores(asked)),
      baseline: () => history.query(scan(audiences)),
    }))
    const told = ({ took, cpu }: typeof ours) =>
      `p50 ${at(took, 0.5).toFixed(0)} ms, max ${at(took, 1).toFixed(0)} ms, ${((cpu / ROUNDS) * 1000).toFixed(0)} ms CPU`
    console.log(`${who}: scorecards ${told(ours)}; plain scan ${told(baseline)}`)
  }
} finally {
  await history.close()
  await engine.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
