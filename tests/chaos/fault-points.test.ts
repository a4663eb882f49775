import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventLog, LogMessage } from '../../connectors/log/port.ts'
import { type ObservationPorts, observationJob } from '../../pipelines/jobs/intelligence/observations.ts'
import { entityId } from '../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../schemas/intelligence/observations/audience.ts'
import type { Link, Observation } from '../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../schemas/intelligence/state/change.ts'
import type { EntityState } from '../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../schemas/intelligence/state/stored.ts'
import { records } from '../../schemas/log/records.ts'
import { CHANGES, OBSERVATIONS } from '../../schemas/log/topics.ts'
import { fixedStore, memoryObservationStore } from '../builders/history/observation-store.ts'
import { differences, NO_DIFFERENCES, TABLES } from '../builders/history/stored.ts'
import { comparePublished, decodeChange, TOLD_RIGHT } from '../builders/intelligence/changes.ts'
import { NOW, observation } from '../builders/intelligence/observation.ts'
import { replayed } from '../builders/intelligence/replay/replay.ts'
import { encodeObservation } from '../builders/log/sent-observations.ts'
import { Died, watched } from '../builders/platform/fault.ts'

/**
 * The observation job dies at every place where it can, one after another, and a new process is handed the same range:
 * the tables, the changes that were told, and the rows that marks may cover, must be those of the log. Named places instead of luck; `kill.test.ts` has the luck.
 */
const POINTS = [
  ...['dead letters', 'changes'].flatMap((topic) => [`before ${topic}`, `amid ${topic}`, `after ${topic}`]),
  ...[...TABLES, 'propagation'].flatMap((table) => [`before ${table}`, `after ${table}`]),
  'before commit',
]
const RANGE = 4
const rules = { dedupeWindow: 3_600_000, locate: () => ({ country: 'Peru', asn: 64500, aso: 'Example' }) }

const VALUES = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
const report = fc.record({
  value: fc.constantFrom(...VALUES),
  source: fc.constantFrom('s1', 's2'),
  audience: fc.constantFrom<string[][]>(['public'], ['blue'], ['blue', 'red']),
  reputation: fc.constantFrom(-3, -1, 0, 3, null),
  tags: fc.constantFrom<string[][]>([], ['t1'], ['t1', 't2']),
  kind: fc.constantFrom<Observation['kind']>('report', 'report', 'report', 'well_known', 'covered'),
  links: fc.constantFrom<Link[][]>(
    [],
    [{ mode: 'association', entityId: entityId('ip', '192.0.2.9'), relationship: null }],
  ),
  minutes: fc.integer({ min: 0, max: 120 }),
})
const entities = VALUES.map((value) => entityId('ip', value))
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never

/** Reports with bytes between them that are no record (null). */
const logs = fc.array(fc.option(report, { freq: 8 }), { minLength: RANGE + 1, maxLength: 4 * RANGE })

/** What a covered record may not state. */
const SILENT = { audience: [], reputation: null, tags: [], links: [] }

const observed = ({ minutes, ...given }: Report, offset: number): Observation =>
  observation({
    ...given,
    ...(given.kind === 'covered' && SILENT),
    id: `019b0000-0000-7000-8000-${String(offset).padStart(12, '0')}`,
    entityId: entityId('ip', given.value),
    observedAt: NOW + minutes * 60_000,
  })

function messageOf(given: Report | null, offset: number): LogMessage {
  const record = given && observed(given, offset)
  const value = record === null ? Buffer.from('no record') : encodeObservation(record)
  return { offset, timestamp: NOW, key: Buffer.from(record?.entityId ?? 'k'), value, headers: {} }
}

const positioned = (given: readonly (Report | null)[]): Positioned[] =>
  given.flatMap((r, offset) => {
    if (r === null) return []
    const observation = observed(r, offset)
    return [{ observation, partition: 0, offset, audience: audienceId(observation.audience) }]
  })

const registry = {
  schema: async () => records.observation,
  known: () => records.observation,
} as unknown as ObservationPorts['registry']

/** A log's worth of ranges through the job; `at` is told of every point of every range, and may throw there. */
async function run(given: readonly (Report | null)[], at: (point: string) => void, store = memoryObservationStore()) {
  const dead: string[] = []
  const changes: Change[] = []
  const shown = new Map<string, EntityState>()
  const log: Pick<EventLog, 'send' | 'offsets'> = {
    offsets: async () => [{ partition: 0, low: 0, high: given.length }],
    async send(sends) {
      expect(sends).toHaveLength(1)
      const { topic, messages } = sends[0]!
      const name = topic === CHANGES ? 'changes' : 'dead letters'
      at(`before ${name}`)
      // A send that fails may have appended some of it.
      for (const [i, m] of messages.entries()) {
        if (i === messages.length >> 1) at(`amid ${name}`)
        if (topic === CHANGES) changes.push(decodeChange(m.value))
        else dead.push(m.headers!['dead-offset']!)
      }
      at(`after ${name}`)
    },
  }
  const start = () =>
    observationJob(
      {
        log: log as EventLog,
        registry,
        changeSchemaId: 2,
        live: fixedStore(watched(store, TABLES, at)),
        partitionOf: () => 0,
      },
      rules,
      {
        now: () => NOW,
        report: () => undefined,
        stored: async (rows) => {
          at('before propagation')
          for (const row of rows) shown.set(`${row.entityId} ${row.audience}`, row)
          at('after propagation')
        },
      },
    )
  let job = start()
  let deaths = 0
  for (let from = 0; from < given.length; from += RANGE) {
    const messages = given.slice(from, from + RANGE).map((r, i) => messageOf(r, from + i))
    const to = from + messages.length
    const place = { topic: OBSERVATIONS, partition: 0, from, to, messages, highWatermark: given.length }
    for (let redelivered = false; ; redelivered = true) {
      try {
        await job.eachBatch({ ...place, note: 'observe:v1', redelivered, signal: new AbortController().signal })
        at('before commit')
        break
      } catch (error) {
        if (!(error instanceof Died)) throw error
        // Whatever the process knew is gone with it.
        job = start()
        deaths++
      }
    }
  }
  return { store, dead, changes, shown: [...shown.values()], deaths }
}

/** Dies at the given visits of a point, counted over the whole run. */
function dying(point: string, visits: readonly number[]) {
  let visit = 0
  return (at: string): void => {
    if (at === point && visits.includes(visit++)) throw new Died(at)
  }
}

for (const point of POINTS)
  test(`a job that dies ${point}, once or again and again, leaves the tables of the log`, async () => {
    let deaths = 0
    const visits = fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(logs, visits, async (given, dieAt) => {
        const ended = await run(given, dying(point, dieAt))
        deaths += ended.deaths
        expect(differences(replayed(positioned(given), rules), ended.store.stored())).toEqual(NO_DIFFERENCES)
        expect(ended.store.changedRetries()).toEqual([])
        expect(comparePublished(positioned(given), rules, ended.changes)).toEqual(TOLD_RIGHT)
        expect(new Set(ended.shown)).toEqual(new Set(await ended.store.rowsOf(entities)))
        // A dead letter may be there twice; its offset tells (dead-letter.ts).
        const bad = given.flatMap((r, offset) => (r === null ? [String(offset)] : []))
        expect([...new Set(ended.dead)]).toEqual(bad)
      }),
      { numRuns: 40, seed: 1 },
    )
    expect(deaths).toBeGreaterThan(0)
  })

test('every place where the job can die is in the list', async () => {
  const visited = new Set<string>()
  const given: (Report | null)[] = [null, ...fc.sample(report, { numRuns: 8, seed: 1 })]
  await run(given, (point) => visited.add(point))
  expect([...visited].sort()).toEqual([...POINTS].sort())
})

test('without the tokens of its writes, and without a look at what is there, the same deaths would double rows', async () => {
  const given = fc.sample(report, { numRuns: 8, seed: 1 })
  const store = memoryObservationStore()
  let writes = 0
  const forgetful = { ...store, present: async () => ({ history: new Set<number>(), counts: false }) }
  for (const table of TABLES)
    forgetful[table] = (rows: never, token: string) => store[table](rows, `${token}#${writes++}`)
  await run(given, dying('before entities', [0]), forgetful)
  const { history, counts } = differences(replayed(positioned(given), rules), store.stored())
  expect(Math.min(history.extra, counts.extra)).toBeGreaterThan(0)
})
