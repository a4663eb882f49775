import { beforeEach, expect, test } from 'vitest'
import { migrate } from '../../../../connectors/history/migrations/migrate.ts'
import type { History, ObservationStore } from '../../../../connectors/history/port.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { type ObservationPorts, observationJob } from '../../../../pipelines/jobs/intelligence/observations.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { fixedStore } from '../../../builders/history/observation-store.ts'
import { storedIn } from '../../../builders/history/stored-tables.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { NONE_UNDERIVED, underived } from '../../../builders/history/underived.ts'
import { NOW, observation } from '../../../builders/intelligence/observation.ts'
import { during } from '../../../builders/suite/during.ts'

const WINDOW = 2
const MONTH = 31 * 24 * 60 * 60 * 1000
const encode = encoder<Observation>(records.observation, 1)

export function rangesBegunAgain(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string

  beforeEach(async () => {
    await store.clear()
    ;({ history, database } = await store.migrated())
    for (const table of ['history', 'counts', 'entities', 'recency', 'tagged'])
      await history.command(`ALTER TABLE ${table} MODIFY SETTING non_replicated_deduplication_window = ${WINDOW}`)
    // A merge would hide rows that are there twice, sooner or later.
    await history.command('SYSTEM STOP MERGES history')
  })

  /** Batches of one observation each, as the log hands them out. */
  function jobOver(writes: ObservationStore) {
    let at = 0
    const ports: ObservationPorts = {
      log: { offsets: async () => [{}, {}], send: async () => undefined } as unknown as ObservationPorts['log'],
      registry: {
        schema: async () => records.observation,
        known: () => records.observation,
      } as unknown as ObservationPorts['registry'],
      changeSchemaId: 2,
      live: fixedStore(writes),
      // Whatever a test puts into a partition belongs there.
      partitionOf: () => at,
    }
    const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }
    const job = observationJob(ports, rules, { now: () => NOW, report: () => undefined })
    return (partition: number, from: number, observations: readonly Observation[], redelivered = false) => {
      at = partition
      return job.eachBatch({
        topic: 't',
        partition,
        messages: observations.map((o, i) => ({
          offset: from + i,
          timestamp: Math.max(NOW, o.observedAt),
          key: Buffer.from(o.entityId),
          value: encode(o),
          headers: {},
        })),
        from,
        to: from + observations.length,
        note: 'observe:v1',
        redelivered,
        highWatermark: 100,
        signal: new AbortController().signal,
      })
    }
  }

  const numbered = (i: number, given: Partial<Observation> = {}): Observation =>
    observation({
      id: `019b0000-0000-7000-8000-${String(i).padStart(12, '0')}`,
      value: `8.8.8.${i}`,
      tags: [`tag${i}`],
      ...given,
    })
  /** A store that fails once it is about to write `table`. */
  const dyingBefore = (table: 'counts' | 'entities'): ObservationStore => ({
    ...observationStore(history),
    [table]: async () => {
      throw new Error('died')
    },
  })
  const interrupted = [numbered(0), numbered(1, { observedAt: NOW - MONTH })]
  const others = Array.from({ length: WINDOW + 2 }, (_, i) => numbered(10 + i))

  /** Part of a range, then more batches of another partition than the tables remember tokens of. */
  async function begun(table: 'counts' | 'entities'): Promise<void> {
    await expect(jobOver(dyingBefore(table))(0, 0, interrupted)).rejects.toThrow('died')
    const other = jobOver(observationStore(history))
    for (const [i, o] of others.entries()) await other(1, i, [o])
  }

  /** What the same log leaves without an interruption. */
  async function expected() {
    const { history: clean, database } = await store.fresh()
    await migrate(clean, { mode: 'single', database })
    const job = jobOver(observationStore(clean))
    await job(0, 0, interrupted)
    for (const [i, o] of others.entries()) await job(1, i, [o])
    return storedIn(clean)
  }

  test('would be stored twice by its tokens alone', async () => {
    await begun('entities')
    await jobOver(observationStore(history))(0, 0, interrupted)
    const { history: found, counts } = await storedIn(history)
    const right = await expected()
    expect(found.length).toBe(right.history.length + interrupted.length)
    expect(counts).not.toEqual(right.counts)
  })

  test.each(['counts', 'entities'] as const)('is stored once when it ended before %s', async (table) => {
    await begun(table)
    await jobOver(observationStore(history))(0, 0, interrupted, true)
    expect(await storedIn(history)).toEqual(await expected())
  })

  test('is completed when some months of its history are there', async () => {
    await begun('entities')
    await history.command(`ALTER TABLE history DROP PARTITION ID '202512'`)
    await jobOver(observationStore(history))(0, 0, interrupted, true)
    expect(await storedIn(history)).toEqual(await expected())
  })

  test('fills what its first insert did not: the views of the table may not have seen it', async () => {
    const sql =
      "SELECT name, create_table_query AS made FROM system.tables WHERE database = {database:String} AND engine = 'MaterializedView'"
    const views = await history.query<{ name: string; made: string }>({ sql, params: { database } })
    const names = ['covering_marks_feed', 'due_keys_feed', 'networks_feed', 'recency_feed', 'tagged_feed']
    expect(views.map(({ name }) => name).sort()).toEqual(names)
    const mark = { type: 'cidr', value: '198.51.100.0/28', kind: 'well_known', covers: true, reputation: null } as const
    const observedAt = Date.now()
    const range = [numbered(0, { observedAt }), observation({ ...mark, observedAt })]
    const again = (redelivered: boolean) => jobOver(observationStore(history))(0, 0, range, redelivered)
    for (const { name } of views) await history.command(`DROP TABLE ${name} SYNC`)
    await again(false)
    for (const { made } of views) await history.command(made)
    const missing = { recency: 2, networks: 1, covering_marks: 1, tagged: 1, due_keys: 1 }
    expect(await underived(history)).toEqual(missing)
    await again(true)
    expect(await underived(history)).toEqual(NONE_UNDERIVED)
  })

  test('a partition keeps one mark, however many batches it had', async () => {
    const job = jobOver(observationStore(history))
    for (const [i, o] of [...interrupted, ...others].entries()) await job(0, i, [o])
    await job(1, 0, [numbered(30)])
    const sql = "SELECT key, sum(n) AS n FROM counts WHERE dim = 'batch' GROUP BY key HAVING n != 0 ORDER BY key"
    expect(await history.query({ sql, params: {} })).toEqual([
      { key: 'observe:v1:t:0:5-6', n: '1' },
      { key: 'observe:v1:t:1:0-1', n: '1' },
    ])
  })
}
