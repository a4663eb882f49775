import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchStore } from '../../../connectors/history/match/match-store.ts'
import type { MatchStore } from '../../../connectors/history/match/port.ts'
import { matchReads } from '../../../connectors/history/match/reads.ts'
import type { History } from '../../../connectors/history/port.ts'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import type { Consumer, EventLog } from '../../../connectors/log/port.ts'
import { untilStored } from '../../../connectors/operations/changes/until-stored.ts'
import { MATCH_READS, matchJob } from '../../../pipelines/jobs/match/match-job.ts'
import { pause } from '../../../platform/pause.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { ACCEPTED_TELEMETRY, CHANGES, MATCHES, topicsOn } from '../../../schemas/log/topics.ts'
import type { TelemetryRecord } from '../../../schemas/match/event.ts'
import { DEFAULT_SELECTOR, type OwnerSettings } from '../../../schemas/match/settings.ts'
import { knownWorld } from '../../builders/history/match-model/world.ts'
import { embedded, type Store } from '../../builders/history/stores.ts'
import { eventually } from '../../builders/platform/platform.ts'

/* The job over the store and the log, ended at each kind of write in turn, before or after it takes effect. */

const encodeChange = encoder<Change>(records.change, 1)
const encodeEvent = encoder<TelemetryRecord>(records.telemetry, 2)
const types = { 1: records.change, 2: records.telemetry } as Record<number, typeof records.change>
const folder = mkdtempSync(join(tmpdir(), 'harrier-match-'))
const WRITES = ['putIds', 'putDecision', 'putLedger', 'putMatches', 'putStates', 'putNote'] as const
/** An end costs the lease of a partition; random histories end at every write, on either side. */
export const CUTS = [...WRITES, 'send'].map((name, n): Cut => ({ name, moment: n % 2 === 0 ? 'after' : 'before' }))
const LATE_MS = 60_000

/** One for all: how far its changes were looked at is noted in the store. */
const world = knownWorld()

let history: History
let log: EventLog

type Cut = { name: string; moment: 'before' | 'after' }

/** A process that ends at the first write of a name, once; another one takes its place. */
async function processes(cut: Cut, settings: () => OwnerSettings[], world: ReturnType<typeof knownWorld>) {
  let [ended, left] = [0, true]
  let consumer: Consumer
  let stop = async (): Promise<void> => undefined
  async function begin(): Promise<void> {
    const ending = new AbortController()
    const cutting = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      if (ending.signal.aborted) throw new Error('it has ended')
      const hit = left && name === cut.name
      const done = hit && cut.moment === 'before' ? null : await work()
      if (!hit) return done as T
      left = false
      ended++
      ending.abort()
      throw new Error(`ended ${cut.moment} ${name}`)
    }
    const kept = matchStore(history)
    const writes = Object.fromEntries(
      WRITES.map((name) => [
        name,
        (...given: never[]) => cutting(name, () => (kept[name] as (...all: never[]) => Promise<void>)(...given)),
      ]),
    )
    const job = matchJob(
      {
        log: {
          send: (batches) => cutting('send', () => log.send(batches)),
          offsets: (topic) => log.offsets(topic),
          committed: (group, topic) => log.committed(group, topic),
          read: (...given) => log.read(...given),
        },
        stored: untilStored({
          log: { committed: async () => world.next.map((offset, partition) => ({ partition, offset })) },
          pause: async () => undefined,
        }),
        registry: {
          register: async () => 1,
          schema: async (id) => types[id],
          known: (id) => types[id],
          ping: async () => undefined,
        },
        settings: {
          refresh: async () => undefined,
          get: (owner) => settings().find((one) => one.owner === owner),
          all: settings,
          ended: () => [],
          put: async () => undefined,
          remove: async () => undefined,
        },
        producers: { refresh: async () => undefined, get: () => undefined },
        store: { ...kept, ...writes } as MatchStore,
        live: world.live,
        encodeMatch: ({ id, step }) => Buffer.from(`${id} ${step}`),
        encodeObservation: () => Buffer.alloc(0),
      },
      {
        now: Date.now,
        pause,
        signal: ending.signal,
        idBitsLog2: 14,
        report: () => undefined,
        onFailure: () => undefined,
      },
    )
    consumer = await log.consume({ ...MATCH_READS, lingerMs: 1 }, (batch) => job.eachBatch(batch))
    const restart = async (): Promise<void> => {
      await consumer.stop().catch(() => undefined)
      await job.stopped()
      await begin()
    }
    ending.signal.addEventListener('abort', () => {
      if (!stopping) next = restart()
    })
    stop = async () => {
      stopping = true
      ending.abort()
      await consumer.stop().catch(() => undefined)
      await job.stopped()
    }
    consumer.closed.catch(() => undefined)
  }
  let stopping = false
  let next: Promise<void> = Promise.resolve()
  await begin()
  return {
    ended: () => ended,
    async stop() {
      await next
      await stop()
    },
  }
}

/** Registers the tests of these ends. */
export function endsAt(cuts: readonly Cut[]): void {
  let store: Store
  beforeAll(async () => {
    store = await embedded()
    ;({ history } = await store.migrated())
    log = await embeddedLog({ folder })
    await log.createTopics(topicsOn('embedded'))
  }, 60_000)
  afterAll(async () => {
    await log.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(cuts)(
    'nothing is lost or told twice by an end $moment $name',
    async (cut) => {
      const owner = `customer:${randomUUID()}`
      const [early, late] = [`${randomUUID()}.example`, `${randomUUID()}.example`]
      let settings: OwnerSettings[] = []
      let revision = 0
      const choose = (selector: OwnerSettings['selector']): void => {
        const given = { groups: ['public'], retentionDays: 30, sightings: null }
        settings = [{ owner, revision: ++revision, changedAt: Date.now(), selector, ...given }]
      }
      async function report(value: string, more: object = {}): Promise<void> {
        const given = { type: 'domain', value, entityId: entityId('domain', value), observedAt: Date.now(), ...more }
        const changes = world.observe(given).map((change) => ({ key: change.entityId, value: encodeChange(change) }))
        await log.send([{ topic: CHANGES, messages: changes }])
      }
      const send = (...values: string[]) => {
        const of = { feed: '', owner, at: Date.now(), kind: null, host: null, user: null, ref: null }
        const messages = values.map((value) => ({
          key: owner,
          value: encodeEvent({ ...of, id: randomUUID(), fields: { query: [value] } }),
        }))
        return log.send([{ topic: ACCEPTED_TELEMETRY, messages }])
      }
      const reads = matchReads(history)
      const told = async () => {
        const asked = {
          owner,
          groups: ['public'],
          since: null,
          direction: null,
          entityId: null,
          after: null,
          limit: 100,
        }
        return (await reads.matches(asked)).map(
          ({ direction, event, entity, withdrawnReason }) =>
            `${direction} ${event.count} ${entity.value === early ? 'early' : 'late'} ${withdrawnReason}`,
        )
      }
      const shown = (...expected: string[]) =>
        eventually(
          async () => (await told()).sort().join(),
          (text) => text === expected.sort().join(),
          LATE_MS,
        )
      choose(DEFAULT_SELECTOR)
      await report(early)
      const running = await processes(cut, () => settings, world)
      try {
        await send(`www.${early}`, early, `a.${late}`, `a.${late}`, 'other.example')
        await shown('forward 1 early null', 'forward 1 early null')
        await report(late)
        await shown('forward 1 early null', 'forward 1 early null', 'retro 2 late null')
        await report(early, { kind: 'well_known', reputation: null })
        await shown('forward 1 early marked', 'forward 1 early marked', 'retro 2 late null')
        choose({ ...DEFAULT_SELECTOR, wellKnown: 'any', reputation: { lte: 3 }, accuracy: { gte: 0 } })
        await shown('forward 1 early null', 'forward 1 early null', 'retro 2 late null')
        expect(running.ended()).toBe(1)
        const { rows } = await reads.seen({ owner, value: late, below: true, since: 0, limit: 10 })
        expect(rows.map(({ count }) => count)).toEqual([2])
        const logged = (await log.offsets(MATCHES)).reduce((sum, { low, high }) => sum + high - low, 0)
        expect(logged).toBeGreaterThan(0)
      } finally {
        await running.stop()
      }
    },
    90_000,
  )
}
