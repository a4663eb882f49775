/**
 * One entity that many sources report again and again, beside two baselines by the same rules: one entity with one
 * source, and as many entities with one source each. First the rules alone, then what storing the row costs, then the
 * whole job of a platform over embedded stores. Run: npm run bench -- hot-entity [sources] [rules|store|job]
 */
import { join } from 'node:path'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { applyBatch } from '../../../pipelines/processors/intelligence/apply-batch.ts'
import { PORTION } from '../../../pipelines/runtime/job.ts'
import { BUILT_IN, readRules, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records as types } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { drained } from '../parts/drained.ts'
import { useOf } from '../parts/processes.ts'
import { type Case, casesOf, recordsOf } from '../parts/records/hot-records.ts'

const SOURCES = Number(process.argv[2] ?? 10_000)
const PART = process.argv[3]
/** Of the platform, whose first batches compile what it runs. */
const PASSES = 20
/** As the embedded registry numbers it. */
const OBSERVATION_SCHEMA = 2
const LOCATE = () => ({ country: 'Testland', asn: 64_500, aso: 'Test' })

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}
const us = (n: number): string => `${n.toFixed(1)} us`.padStart(11)

/** Microseconds of CPU for each observation, garbage collection among it, once its rows are in memory. */
function rulesAlone(name: Case, scoring: ScoringRules): number {
  const states = new Map<string, EntityStates>()
  let took = 0
  let n = 0
  for (let batch = 0; n < PORTION.maxRecords * 4 && (took < 5e6 || batch < 4); batch++) {
    const records = recordsOf(name, SOURCES, batch * SOURCES, SOURCES)
    const before = cpu()
    const applied = applyBatch(states, records, { dedupeWindow: 3_600_000, locate: LOCATE, scoring })
    // What is stored is read: the claims of the last row.
    for (const row of applied.rows) if (row.claims.length === 0) throw new Error('a row lost its claims')
    if (batch > 1) {
      took += cpu() - before
      n += records.length
    }
    for (const [id, rows] of applied.states) states.set(id, rows)
  }
  return took / n
}

const RULES: readonly [string, ScoringRules][] = [
  ['built-in', BUILT_IN],
  ['median', readRules({ id: 'median', formula: 2 })],
  ['trust by source', readRules({ id: 'trust', trust: { 'kind:feed': 0.4, 's-17': 0.9 } })],
]

function rules(): void {
  for (const [set, scoring] of RULES) {
    const took = casesOf(SOURCES).map((name) => [name, rulesAlone(name, scoring)] as const)
    const [[, one]] = took as [readonly [Case, number]]
    for (const [name, each] of took)
      console.log(`rules (${set}), ${name.padEnd(34)} ${us(each)} an observation, ${(each / one).toFixed(2)} times`)
  }
}

/** What storing the row of the entity costs: encoding, the insert in the engine, and reading it back. */
async function store(): Promise<void> {
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir })
  const history = clickhouse(engine)
  try {
    await migrate(history, { mode: 'single' })
    const [one, hot] = casesOf(SOURCES) as [Case, Case]
    for (const name of [one, hot]) {
      const { rows } = applyBatch(new Map(), recordsOf(name, SOURCES, 0, SOURCES), { dedupeWindow: 1, locate: LOCATE })
      let bytes = 0
      const counted: typeof history = {
        ...history,
        insert: (table, block, token) => {
          if (table === 'entities') bytes = block.bytes.length
          return history.insert(table, block, token)
        },
      }
      const stored = observationStore(counted)
      const rounds = 50
      const use = () => useOf(process.pid).map(({ cpuSeconds }) => cpuSeconds * 1000)
      const run = async (what: string, work: (i: number) => Promise<unknown>): Promise<void> => {
        for (let i = -5; i < 0; i++) await work(i)
        const before = use()
        for (let i = 0; i < rounds; i++) await work(i)
        const [ours = 0, engine = 0] = use().map((ms, i) => (ms - before[i]!) / rounds)
        console.log(
          `${what}, ${name.padEnd(34)} ${ours.toFixed(1)} ms of CPU here, ${engine.toFixed(1)} in the engine; ${bytes} bytes`,
        )
      }
      await run('storing a row', (i) => stored.entities(rows, `${name}:${i}`))
      await run('reading it   ', () => stored.rowsOf([rows[0]!.entityId]))
    }
  } finally {
    await history.close()
    await engine.stop()
    remove(dataDir)
  }
}

/** The platform drains a log that holds the same observations again and again. */
async function job(): Promise<void> {
  for (const name of casesOf(SOURCES)) {
    const dataDir = temporaryFolder()
    try {
      await (await startPlatform(dataDir)).stop()
      const log = await embeddedLog({ folder: join(dataDir, 'log') })
      const encode = encoder(types.observation, OBSERVATION_SCHEMA)
      for (let pass = 0; pass < PASSES; pass++) {
        const messages = recordsOf(name, SOURCES, pass * SOURCES, SOURCES).map(({ observation: o }) => ({
          key: o.entityId,
          value: encode(o),
          timestamp: o.observedAt,
        }))
        await log.send([{ topic: OBSERVATIONS, messages }])
      }
      await log.close()
      console.log(`whole job: ${name}`)
      const { platform } = await drained(dataDir)
      await platform.stop()
    } finally {
      remove(dataDir)
    }
  }
}

for (const [name, part] of Object.entries({ rules, store, job })) if (PART === undefined || PART === name) await part()
