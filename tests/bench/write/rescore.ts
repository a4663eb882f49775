/**
 * What other scoring rules would change, over 1.85 M entities with 1 to 4 claims each, beside plain reading of the same
 * rows without scoring. Run: npm run bench -- rescore [entities] [rows at once]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import type { History } from '../../../connectors/history/port.ts'
import { blocks } from '../../../connectors/history/stores/blocks-store.ts'
import { keyRanges, rescoreStore } from '../../../connectors/history/stores/rescore-store.ts'
import { scoreOf } from '../../../pipelines/processors/intelligence/rescore.ts'
import { difference } from '../../../pipelines/processors/intelligence/rescore-difference.ts'
import { scoreColumns } from '../../../pipelines/processors/intelligence/rows/score-columns.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import { BUILT_IN, readRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { entityRow } from '../../builders/intelligence/entity-row.ts'
import { useOf } from '../parts/processes.ts'

const ENTITIES = Number(process.argv[2] ?? 1_850_000)
const AT_ONCE = Number(process.argv[3] ?? 20_000)
const BLOCK = 50_000
const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const PUBLIC = audienceId(['public'])
const RULES = readRules({
  id: 'bench',
  formula: 2,
  trust: { 'kind:feed': 0.4, 'feed:list-1': 0.9 },
  halfLives: { ip: 3, domain: 30 },
})
const KINDS = ['customer', 'feed', 'user', 'feed'] as const

/** `i` decides everything. */
function entity(i: number): EntityState {
  const [type, value] =
    i % 10 < 7 ? ['ip', `11.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`] : ['domain', `host-${i}.example.com`]
  const lastSeen = START + i
  const claims = Array.from({ length: 1 + (i % 4) }, (_, n) => {
    const at = lastSeen - n * ((i * 7) % 20) * DAY
    const kind = KINDS[(i + n) % 4]!
    const source = kind === 'feed' ? `feed:list-${(i + n) % 30}` : `${kind}-${(i * 3 + n) % 500}`
    const reputation = (i * 13 + n * 5) % 11 === 0 ? null : ((i * 31 + n * 17) % 7) - 3
    return {
      source,
      kind,
      trust: kind === 'feed' ? 0.7 : 0.6,
      reputation,
      claimedAt: at,
      at,
      keptAt: at,
      keptHash: BigInt(i),
      firstSeen: at,
    }
  })
  const row = entityRow({
    entityId: entityId(type!, value!),
    type: type!,
    value: value!,
    audience: PUBLIC,
    version: i + 1,
    sources: claims.length,
    wellKnown: i % 1000 === 0,
    tags: ['malware', `family-${i % 50}`],
    attributes: { port: `${i % 65_536}/tcp` },
    attributeTimes: { port: lastSeen },
    country: 'Iceland',
    asn: 64_512 + (i % 1000),
    aso: 'Example Net',
    firstSeen: START,
    lastSeen,
    claims,
  })
  return { ...row, ...scoreColumns(row.type, claims, lastSeen, row) }
}

async function seed(history: History): Promise<void> {
  const tables = blocks()
  for (let from = 0; from < ENTITIES; from += BLOCK) {
    for (let i = from; i < Math.min(from + BLOCK, ENTITIES); i++) tables.addEntity(entity(i))
    await history.insert('entities', tables.entities.finish(), `bench:${from}`)
  }
}

const cpu = () => useOf(process.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)

async function measured(name: string, work: () => Promise<string>): Promise<number> {
  const [from, before] = [performance.now(), cpu()]
  const told = await work()
  const seconds = (performance.now() - from) / 1000
  console.log(`${name.padEnd(40)} ${seconds.toFixed(1)} s, ${(cpu() - before).toFixed(1)} CPU-s: ${told}`)
  return seconds
}

const dataDir = mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const engine = await startEngine({ dataDir })
const history = clickhouse(engine)
try {
  await migrate(history, { mode: 'single' })
  await measured('seeding', async () => seed(history).then(() => `${ENTITIES} entities`))
  const store = rescoreStore(history, AT_ONCE)
  console.log(`load of the machine ${loadavg()[0]!.toFixed(1)}`)
  const plain = await measured('baseline: the columns, read alone', async () => {
    let rows = 0
    for await (const some of store.claims()) rows += some.length
    return `${rows} rows`
  })
  await measured('the same as a row an object', async () => {
    let rows = 0
    for (const { first, last } of keyRanges(Math.ceil(ENTITIES / AT_ONCE))) {
      const sql = `SELECT entity_id, type, audience, reputation, accuracy, well_known, toUnixTimestamp64Milli(last_seen) AS last,
        claims.source, claims.kind, claims.trust, claims.reputation, claims.at FROM entities FINAL
        WHERE key >= {first:UInt64} AND key <= {last:UInt64}`
      rows += (await history.query({ sql, params: { first, last } })).length
    }
    return `${rows} rows`
  })
  const took = await measured('read, scored and compared', async () => {
    const told = difference(BUILT_IN, RULES, 20)
    for await (const rows of store.claims()) told.add(rows.map((row) => [row, scoreOf(row, RULES)]))
    const { entities, reputation, accuracy } = told.result()
    return `${entities} entities, ${reputation} with another reputation, ${accuracy} with another accuracy`
  })
  console.log(
    `ratio: ${(took / plain).toFixed(2)} of the time of plain reading; resident ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`,
  )
} finally {
  await history.close()
  await engine.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
