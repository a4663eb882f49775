import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectionStore } from '../../../../connectors/history/feeds-out/collections/collection-store.ts'
import { collections } from '../../../../connectors/history/feeds-out/collections/reads.ts'
import { collectionSource } from '../../../../connectors/history/feeds-out/collections/source.ts'
import { feedStore } from '../../../../connectors/history/feeds-out/list-store.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import type { Batch } from '../../../../connectors/log/port.ts'
import { collectionsJob } from '../../../../pipelines/jobs/exchange/collections-job.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { commonObjects, objectsOf } from '../../../../schemas/exchange/stix/objects.ts'
import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN } from '../../../../schemas/intelligence/scoring/rules.ts'
import { type EntityStates, withRow } from '../../../../schemas/intelligence/state/entity-state.ts'
import { headOf, member, newFeed, writtenAnew } from '../../../builders/history/feed-lists.ts'
import type { OpenStore, Store } from '../../../builders/history/stores.ts'
import { DAY, HOUR, NOW, observation } from '../../../builders/intelligence/observation.ts'
import { selectorOf } from '../../../builders/intelligence/selectors/view.ts'

/** The job of the collections over the real store, with a clock of the test: claims are renewed at half of their time. */
const FEED = newFeed()
/** The address that is reported again; one that nobody speaks of; and one of which those speak that the reader does not read. */
const [AGAIN, SILENT, HIDDEN] = ['198.51.100.1', '198.51.100.2', '198.51.100.3'] as const
const VALUES = [AGAIN, SILENT, HIDDEN]
/** The job looks for claims that are due every five seconds. */
const LOOK = 5_000
const RULES = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }

const itemOf = (value: string): FeedItem => ({
  entityId: entityId('ip', value),
  type: 'ip',
  value,
  reputation: -3,
  accuracy: 1,
  tags: [],
  firstSeen: NOW,
  lastSeen: NOW,
})

type Indicator = { name: string; modified: string; valid_until: string; revoked?: boolean }

export function collectionRenewals(open: OpenStore): void {
  let store: Store
  let history: History
  let database: string
  let clock = NOW
  let offset = 0
  const failures: unknown[] = []
  beforeAll(async () => {
    store = await open()
    ;({ history, database } = await store.migrated())
  }, 60_000)
  afterAll(() => store?.close())

  /** What is reported is applied to the rows, as the observation job does. */
  async function report(value: string, given: Partial<Observation> = {}): Promise<void> {
    const job = observationStore(history)
    const made = observation({ value, id: randomUUID(), observedAt: clock, ...given })
    const before = await job.rowsOf([made.entityId])
    const states: EntityStates = before.reduce<EntityStates>(withRow, [])
    const record = { observation: made, partition: 0, offset, audience: audienceId(made.audience) }
    const applied = applyBatch(new Map([[made.entityId, states]]), [record], RULES)
    await job.audiences(applied.audiences, `batch:${offset}`)
    await job.entities(applied.rows, `batch:${offset++}`)
  }

  function startJob() {
    const ending = new AbortController()
    const job = collectionsJob(
      {
        store: collectionStore(history),
        source: collectionSource(history, database),
        live: async () => ({ rules: BUILT_IN, rows: observationStore(history) }),
        write: objectsOf,
        definitions: commonObjects,
      },
      {
        now: () => clock,
        pause: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
        signal: ending.signal,
        report: () => undefined,
        onFailure: (_, error) => failures.push(error),
      },
    )
    return {
      /** Moves the clock, and has the job look once. */
      async at(time: number): Promise<void> {
        clock = time
        await job.eachBatch({ signal: ending.signal } as Batch)
      },
      async stop(): Promise<void> {
        ending.abort()
        await job.stopped()
      },
    }
  }

  /** All versions of all objects, as they are served. */
  async function served() {
    const filter = { ids: null, types: null, versions: ['all' as const], speaks21: true }
    using page = await collections(history).page({ feed: FEED, after: 0, limit: 1_000, filter, texts: true })
    expect(page.next).toBeNull()
    return page.objects.map(({ said }) => JSON.parse(`${said}`) as Indicator & { type: string; last_seen?: string })
  }
  const indicatorsOf = (objects: Awaited<ReturnType<typeof served>>, value: string): Indicator[] =>
    objects.filter((one) => one.type === 'indicator' && JSON.stringify(one).includes(`"${value}"`))
  const endOf = ({ valid_until }: Indicator): number => Date.parse(valid_until)

  test('a refresh is a new version once half of the time has passed, and not before; hidden ones are none', async () => {
    for (const value of VALUES) await report(value)
    const selector = selectorOf({ types: ['ip'], reputation: { lte: -1 } })
    const head = headOf(FEED, { items: VALUES.length, inside: VALUES.length })
    const members = VALUES.map((value) => member(itemOf(value)))
    await writtenAnew(feedStore(history, database), [
      { head: { ...head, feed: { ...head.feed, selector } }, members, deltas: [] },
    ])
    let job = startJob()
    await job.at(NOW)
    const first = await served()
    const [end] = VALUES.map((value) => endOf(indicatorsOf(first, value)[0]!))
    expect(indicatorsOf(first, SILENT)).toHaveLength(1)
    expect(end! - NOW).toBeGreaterThan(10 * DAY)
    const half = NOW + Math.ceil((end! - NOW) / 2)

    clock = NOW + DAY
    await report(AGAIN)
    await report(HIDDEN, { audience: ['red'], source: 's2', tags: ['secret'] })
    for (const time of [NOW + DAY, NOW + 2 * DAY, half - LOOK]) {
      await job.at(time)
      expect(await served()).toEqual(first)
    }

    await job.at(half)
    const second = await served()
    expect(second.slice(0, first.length)).toEqual(first)
    const added = second.slice(first.length)
    expect(added.map(({ type }) => type).sort()).toEqual(['indicator', 'relationship', 'sighting'])
    const [, renewed] = indicatorsOf(second, AGAIN)
    expect([Date.parse(renewed!.modified), endOf(renewed!), renewed!.revoked]).toEqual([half, end! + DAY, undefined])
    const sighting = added.find(({ type }) => type === 'sighting')!
    expect(sighting.last_seen).toBe(new Date(NOW + DAY).toISOString())
    // No delta is behind it.
    expect((await collectionStore(history).places()).get(FEED)).toMatchObject({ sequence: 0 })

    // A process that takes over says nothing again, and goes by the half of what is left then.
    await job.stop()
    job = startJob()
    await job.at(half + HOUR)
    await report(AGAIN)
    const next = half + Math.ceil((end! + DAY - half) / 2)
    await job.at(next - LOOK)
    expect(await served()).toEqual(second)
    await job.at(next)
    const third = await served()
    expect(endOf(indicatorsOf(third, AGAIN)[2]!)).toBe(end! + half + HOUR - NOW)

    // Whoever nobody speaks of ends as it was said, also at its end and after it.
    for (const time of [end! - LOOK, end!, end! + HOUR]) {
      await job.at(time)
      const objects = await served()
      for (const value of [SILENT, HIDDEN]) expect(indicatorsOf(objects, value)).toEqual(indicatorsOf(first, value))
    }
    await job.stop()
    expect(failures).toEqual([])
  }, 60_000)
}
