import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../../connectors/history/feeds-out/list-rows.ts'
import { feedStore } from '../../../../../connectors/history/feeds-out/list-store.ts'
import type { History } from '../../../../../connectors/history/port.ts'
import { observationStore } from '../../../../../connectors/history/stores/observations.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import type { StixItem } from '../../../../../schemas/exchange/stix/item.ts'
import type { FeedItem } from '../../../../../schemas/feeds-out/formats/format.ts'
import { inListOrder } from '../../../../../schemas/feeds-out/order.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { PUBLIC_AUDIENCE } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Link, LinkMode, Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import type { Edge, Positioned } from '../../../../../schemas/intelligence/state/stored.ts'
import { storeApplied } from '../../../../builders/history/applied.ts'
import { headOf, item, listsIn, member, newFeed, writtenAnew } from '../../../../builders/history/feed-lists.ts'
import type { OpenStore } from '../../../../builders/history/stores.ts'
import { positioned } from '../../../../builders/intelligence/changes.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'
import { longer } from '../../../../builders/platform/longer.ts'
import { during } from '../../../../builders/suite/during.ts'

const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }
const AUDIENCES = [['public'], ['blue'], ['blue', 'red'], ['red']]
const MODES: LinkMode[] = ['association', 'aggregation']
const TYPES = [null, 'uses', 'resolves-to']
const ENTITIES = 4

const report = fc.record({
  of: fc.nat({ max: ENTITIES - 1 }),
  audience: fc.constantFrom(...AUDIENCES),
  minutes: fc.nat({ max: 90 }),
  attributes: fc.dictionary(fc.constantFrom('country', 'asn'), fc.constantFrom('one', 'two', 'three')),
  names: fc.array(fc.tuple(fc.nat({ max: ENTITIES - 1 }), fc.constantFrom(...MODES), fc.constantFrom(...TYPES)), {
    maxLength: 3,
  }),
})
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never

/** Every other one is a domain, so that types are told too. */
const said = (run: number, n: number): Pick<Observation, 'type' | 'value' | 'entityId'> => {
  const type = n % 2 === 0 ? 'domain' : 'hostname'
  const value = `e${n >> 1}-r${run}.test`
  return { type, value, entityId: entityId(type, value) }
}

const logOf = (run: number, reports: readonly Report[]): Positioned[] =>
  positioned(
    reports.map(({ of, audience, minutes, names, attributes }, n): Partial<Observation> => {
      const links = names.map(
        ([end, mode, relationship]): Link => ({ mode, entityId: said(run, end).entityId, relationship }),
      )
      const id = `019b0000-0000-7000-8000-${String(run * 1_000 + n).padStart(12, '0')}`
      return { ...said(run, of), id, audience, links, attributes, observedAt: NOW + minutes * 60_000 }
    }),
  )

type Told = Pick<StixItem, 'entityId' | 'count' | 'relations' | 'attributes'>

/** The latest of each name; of two at one time, the one that sorts last. */
function attributesOf(own: readonly Observation[]): Record<string, string> {
  const all = own.flatMap(({ attributes, observedAt }) =>
    Object.entries(attributes).map(([name, value]) => ({ name, value, observedAt })),
  )
  const inOrder = all.sort((a, b) => a.observedAt - b.observedAt || (a.value < b.value ? -1 : 1))
  return Object.fromEntries(inOrder.map(({ name, value }) => [name, value]))
}

/** What a reader of these groups should be told of items of a list, by the log alone. */
function modelled(log: readonly Positioned[], groups: readonly string[], listed: readonly FeedItem[]): Told[] {
  const readable = log
    .map(({ observation }) => observation)
    .filter(({ audience }) => audience.some((group) => group === 'public' || groups.includes(group)))
  return listed.map(({ entityId: id }) => {
    const own = readable.filter((one) => one.entityId === id)
    const stated = own.flatMap(({ links, observedAt }) => links.map((link) => ({ ...link, observedAt })))
    const inList = stated.filter((link) => link.entityId !== id && listed.some((one) => one.entityId === link.entityId))
    const same = Map.groupBy(inList, (link) => `${link.entityId} ${link.relationship ?? ''}`)
    const newest = [...same]
      .map(([name, links]) => ({ name, last: Math.max(...links.map(({ observedAt }) => observedAt)), ...links[0]! }))
      .sort((a, b) => b.last - a.last || (a.name < b.name ? -1 : 1))
    const relations = newest.map(({ entityId: to, relationship }) => {
      const { type, value } = listed.find((one) => one.entityId === to)!
      return { other: { entityId: to, type, value }, relationship }
    })
    return { entityId: id, count: own.length, relations, attributes: attributesOf(own) }
  })
}

export function toldLists(open: OpenStore): void {
  const store = during(open)
  let history: History
  let database: string

  beforeAll(async () => {
    ;({ history, database } = await store.migrated())
  })

  /** As the jobs store it. */
  async function applied(log: readonly Positioned[], name: string): Promise<void> {
    let states: ReadonlyMap<string, EntityStates> = new Map()
    for (let i = 0; i < log.length; i += 5) {
      const batch = applyBatch(states, log.slice(i, i + 5), rules)
      states = new Map([...states, ...batch.states])
      await storeApplied(history, batch, `${name}:${i}`)
    }
  }

  async function toldOf(feed: string): Promise<{ items: FeedItem[]; told: Told[] }> {
    const read = (await listsIn(history, database).readWithMore(feed))!
    const items: FeedItem[] = []
    const told: Told[] = []
    for await (const some of itemsIn(read.rows, read.items))
      for (const { count, relations, attributes, ...shown } of some as (FeedItem & Told)[]) {
        items.push(shown)
        told.push({ entityId: shown.entityId, count: count!, relations: relations!, attributes: attributes! })
      }
    return { items, told }
  }

  const written = (feed: string, groups: string[], listed: readonly FeedItem[], others: readonly FeedItem[]) => {
    const head = headOf(feed, { items: listed.length })
    const members = [
      ...listed.map((one) => member(one)),
      ...others.map((one, n) => member(one, n % 2 ? 'gone' : 'left')),
    ]
    return writtenAnew(feedStore(history, database), [
      { head: { ...head, feed: { ...head.feed, groups } }, members, deltas: [] },
    ])
  }

  test('each reader is told what it may read: how often, and of relations between items of its list', async () => {
    const [seen, found] = [{ run: 0 }, { hidden: 0, related: 0, outside: 0 }]
    const readers = fc.subarray(['public', 'blue', 'red', 'green'], { minLength: 1 })
    const logs = fc.array(report, { minLength: 4, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(logs, readers, fc.nat({ max: ENTITIES - 1 }), async (reports, groups, left) => {
        const run = seen.run++
        const log = logOf(run, reports)
        await applied(log, `run ${run}`)
        const all = Array.from({ length: ENTITIES }, (_, n) => item(n, { ...said(run, n), reputation: (n % 3) - 1 }))
        const listed = all.filter((_, n) => n !== left).toSorted(inListOrder)
        const feed = newFeed()
        await written(feed, groups, listed, [all[left]!])
        const { items, told } = await toldOf(feed)
        expect(items).toEqual(listed)
        expect(told).toEqual(modelled(log, groups, listed))
        const whole = modelled(log, ['blue', 'red'], listed)
        if (JSON.stringify(whole) !== JSON.stringify(told)) found.hidden++
        if (told.some(({ relations }) => relations!.length > 0)) found.related++
        if (modelled(log, groups, all).flatMap((one) => one.relations).length > told.flatMap((o) => o.relations).length)
          found.outside++
      }),
      { numRuns: longer(10) },
    )
    expect(Math.min(...Object.values(found))).toBeGreaterThan(0)
  }, 240_000)

  test('a file at the other end of a relation is told with its digests, which its ids follow from', async () => {
    const digests = { md5: 'a'.repeat(32), sha256: 'b'.repeat(64) }
    const file = { type: 'file', value: digests.sha256, entityId: entityId('file', digests.sha256) }
    const from = said(9_000, 0)
    const links: Link[] = [{ mode: 'association', entityId: file.entityId, relationship: 'downloads' }]
    const log = positioned([
      {
        ...file,
        id: '019b0000-0000-7000-8000-00000900f11e',
        audience: ['public'],
        attributes: digests,
        observedAt: NOW,
      },
      { ...from, id: '019b0000-0000-7000-8000-00000900d0ca', audience: ['public'], links, observedAt: NOW },
    ])
    await applied(log, 'file')
    const feed = newFeed()
    await written(feed, ['public'], [item(700, from), item(701, file)].toSorted(inListOrder), [])
    const { told } = await toldOf(feed)
    expect(told.find((one) => one.entityId === file.entityId)!.attributes).toEqual(digests)
    expect(told.find((one) => one.entityId === from.entityId)!.relations).toEqual([
      { other: { ...file, attributes: digests }, relationship: 'downloads' },
    ])
  })

  test('of an item the newest hundred relations are told, each with its end', async () => {
    const hub = item(500)
    const ends = Array.from({ length: 150 }, (_, n) => item(600 + n, { value: `198.51.100.${n}` }))
    const edges = ends.map(({ entityId: relatedId }, n): Edge => {
      const stated = { relatedId, mode: 'association' as const, relationship: 'uses', seenAt: NOW + n, offset: n }
      return { entityId: hub.entityId, audience: PUBLIC_AUDIENCE, ...stated }
    })
    await observationStore(history).associations(edges, 'hub')
    const feed = newFeed()
    await written(feed, ['public'], [hub, ...ends], [])
    const { told } = await toldOf(feed)
    const { relations } = told.find((one) => one.entityId === hub.entityId)!
    expect(relations!.map(({ other }) => other.value)).toEqual(
      Array.from({ length: 100 }, (_, n) => `198.51.100.${149 - n}`),
    )
    expect(told.filter((one) => one.relations!.length > 0)).toHaveLength(1)
  })

  test('a feed without a list has none, and an empty list is empty', async () => {
    expect(await listsIn(history, database).readWithMore(newFeed())).toBeNull()
    const feed = newFeed()
    await written(feed, ['blue'], [], [])
    expect(await toldOf(feed)).toEqual({ items: [], told: [] })
  })
}
