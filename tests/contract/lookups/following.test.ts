import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { rulesOf } from '../../../cli/commands/replay/rules.ts'
import { startLookups } from '../../../cli/wiring/followers/lookups-follower.ts'
import type { RunningFollower } from '../../../cli/wiring/followers/start.ts'
import { lookupFolder } from '../../../cli/wiring/open/lookups.ts'
import { geoWhenAsked } from '../../../connectors/geo/packaged.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import type { Consumer } from '../../../connectors/log/port.ts'
import { openEnvironment } from '../../../connectors/lookups/index/environment.ts'
import { indexLookups } from '../../../connectors/lookups/index/index-lookups.ts'
import { storeLookups } from '../../../connectors/lookups/store-lookups.ts'
import { untilStored } from '../../../connectors/operations/changes/until-stored.ts'
import { indexWanted } from '../../../connectors/operations/rows/row-log.ts'
import { observationJob } from '../../../pipelines/jobs/intelligence/observations.ts'
import { pause } from '../../../platform/pause.ts'
import { seededRandom } from '../../../platform/random.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { ENTITY_ROWS, OBSERVATIONS, OBSERVERS } from '../../../schemas/log/topics.ts'
import { openWorld } from '../../builders/intelligence/replay/replay-world.ts'
import { differencesOf, shownOf, subsets } from '../../builders/lookups/looked-up.ts'
import { AUDIENCES, randomObservations } from '../../builders/lookups/random-observations.ts'
import { longer } from '../../builders/platform/longer.ts'
import { eventually } from '../../builders/platform/platform.ts'
import { during } from '../../builders/suite/during.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/**
 * Random observations over a log and an engine, and the index that follows them: ended and begun again, deleted, and
 * sent what it has again, it shows every reader what the tables show.
 */
const SEED = Number(process.env.HARRIER_SEED ?? 0) || Math.floor(Math.random() * 1e6)
const ENTITIES = [
  ...['8.8.8.8', '9.9.9.9', '8.8.8.7', '9.9.9.8'].map((value) => ({ type: 'ip', value })),
  ...['8.8.8.0/24', '9.9.0.0/16'].map((value) => ({ type: 'cidr', value })),
  ...['example.com', 'example.net'].map((value) => ({ type: 'domain', value })),
  { type: 'text', value: '8.8.8.8' },
]
const VALUES = new Set(ENTITIES.map(({ value }) => value))
const IDS = ENTITIES.map(({ type, value }) => entityId(type, value))
const MANY = 64 * 1024 * 1024
const READERS = subsets(AUDIENCES.map(audienceId))
const LONG_MS = 60_000

const folder = ownFolder('following')
const ctx = during(() => openWorld(join(folder, 'data')))
const random = seededRandom(SEED)
const next = randomObservations(random, ENTITIES)
const below = (n: number): number => Math.floor(random() * n)

async function observe(n: number): Promise<void> {
  const encode = encoder<Observation>(records.observation, ctx.registry.ids.observation)
  const messages = Array.from({ length: n }, () => {
    const o = next()
    return { key: o.entityId, value: encode(o), timestamp: o.observedAt, checked: true }
  })
  await ctx.log.send([{ topic: OBSERVATIONS, messages }])
}

/** The job of the platform, a few records at a time. */
async function observing(): Promise<Consumer> {
  const { locked: _, ...current } = await ctx.generations.current()
  const live = { ...current, store: observationStore(ctx.history.at(current.database)) }
  const { log, registry } = ctx
  const job = observationJob(
    {
      log,
      registry,
      changeSchemaId: registry.ids.change,
      live: async () => live,
      partitionOf,
      indexes: { wanted: indexWanted(log, Date.now), schemaId: registry.ids.storedRows },
    },
    rulesOf(ctx.config, geoWhenAsked()),
    { now: Date.now, report: () => undefined },
  )
  return log.consume({ ...job, maxRecords: 9, lingerMs: 0 }, job.eachBatch)
}

const following = (): Promise<RunningFollower> =>
  startLookups({
    config: { ...ctx.config, clickhouseUrl: ctx.url },
    log: ctx.log,
    registry: ctx.registry,
    home: ctx.history,
    breakers: {} as never,
    stored: untilStored({ log: ctx.log, pause }),
    report: () => undefined,
    logger: pino({ level: 'silent' }),
  })

/** Some of the last rows once more, as a job sends them that was ended before they were stored. */
async function sendAgain(): Promise<void> {
  const { low, high } = (await ctx.log.offsets(ENTITY_ROWS))[0]!
  const again = await ctx.log.read(ENTITY_ROWS, 0, Math.max(low, high - 1 - below(12)), high, 100)
  const messages = again.map(({ key, value, headers }) => ({ key, value, headers, partition: 0 }))
  if (messages.length > 0) await ctx.log.send([{ topic: ENTITY_ROWS, messages }])
}

const ends = async (topic: string): Promise<number[]> =>
  (await ctx.log.offsets(topic)).sort((a, b) => a.partition - b.partition).map(({ high }) => high)

/** Waits until the index has all that was observed, and says what it shows otherwise than the tables. */
async function differences(): Promise<string[]> {
  const observed = await ends(OBSERVATIONS)
  await eventually(
    async () => new Map((await ctx.log.committed(OBSERVERS, OBSERVATIONS)).map((c) => [c.partition, c.offset ?? 0])),
    (at) => observed.every((end, partition) => (at.get(partition) ?? 0) >= end),
    LONG_MS,
  )
  const [end] = await ends(ENTITY_ROWS)
  const env = await eventually(
    async () => openIndex(),
    (opened) => {
      const state = opened?.state()
      const isThere = state?.complete === true && state.asOf > 0
      const hasAll = observed.every((end, partition) => (state?.applied[partition]?.to ?? 0) >= end)
      if (isThere && hasAll && state.position >= end!) return true
      void opened?.close()
      return false
    },
    LONG_MS,
  )
  const { database } = await ctx.generations.current()
  const store = storeLookups(ctx.history.at(database))
  const index = indexLookups(env!, store)
  const found: string[] = []
  for (const reader of READERS) {
    const [stored, indexed] = [await store.wholeRows(VALUES, reader, MANY), await index.wholeRows(VALUES, reader, MANY)]
    for (const value of VALUES)
      for (const different of differencesOf(indexed.get(value) ?? [], stored.get(value) ?? []))
        found.push(`${reader.length} audiences: ${different}`)
    const [one, other] = [await store.entities(IDS, reader), await index.entities(IDS, reader)]
    for (const id of IDS)
      if (
        JSON.stringify(shownOf(one.get(id) ?? [])) !== JSON.stringify(shownOf(other.get(id) ?? [])) ||
        one.has(id) !== other.has(id)
      )
        found.push(`${reader.length} audiences: ${id}`)
  }
  await env!.close()
  return found
}

function openIndex() {
  const path = lookupFolder(ctx.config).current()
  try {
    return path === null ? null : openEnvironment(path, null)
  } catch {
    // It is removed at this moment.
    return null
  }
}

test('the index shows every reader what the tables show, whatever comes and ends', async () => {
  const asked = lookupFolder(ctx.config)
  await observe(40)
  const observer = await observing()
  asked.ask()
  let follower = await following()
  for (let round = 0; round < longer(6); round++) {
    const what = round % 6
    await observe(10 + below(40))
    if (what === 1) await follower.stop()
    if (what === 2) await sendAgain()
    if (what === 4) {
      rmSync(asked.root, { recursive: true, force: true })
      asked.ask()
    }
    await observe(10 + below(20))
    if (what === 1) follower = await following()
    if (what === 2) await observe(5)
    if (what === 2) await sendAgain()
    if (what === 3) {
      await follower.stop()
      await sendAgain()
      follower = await following()
      await observe(below(10))
    }
    expect(await differences(), `HARRIER_SEED=${SEED}, round ${round}`).toEqual([])
  }
  await follower.stop()
  await observer.stop()
})
