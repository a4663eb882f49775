import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FeedItem } from '../../../../../connectors/feeds/parse/item.ts'
import type { StatementStore } from '../../../../../connectors/feeds/statements/port.ts'
import { openStatements } from '../../../../../connectors/feeds/statements/sqlite.ts'
import { readersOf } from '../../../../../pipelines/import/admission.ts'
import { stated } from '../../../../../pipelines/import/events/read-event.ts'
import { type EventImport, runEventImport } from '../../../../../pipelines/import/events/run-events.ts'
import { countedOnly } from '../../../../../pipelines/import/rejects.ts'
import { feedProvenance } from '../../../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { importPorts, type TestPorts } from '../../../../builders/feeds/import/ports.ts'
import { eventUuid } from '../../../../builders/feeds/misp/folder.ts'
import { longer } from '../../../../builders/platform/longer.ts'

const FEED = { name: 'partner', trust: 0.7, groups: ['public'] }
const NAMES = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example`)

type Part = { main: number; claims: boolean; tag: number; link: number | null }
/** The parts of the events of a feed; null: an event that cannot be read. */
type Step = { events: (readonly Part[] | null)[]; cut: boolean; restart: boolean }

const part = fc.record({
  main: fc.nat(4),
  claims: fc.boolean(),
  tag: fc.nat(1),
  link: fc.option(fc.nat(4)),
})
const step: fc.Arbitrary<Step> = fc.record({
  events: fc.array(fc.oneof({ weight: 5, arbitrary: fc.array(part, { maxLength: 4 }) }, fc.constant(null)), {
    maxLength: 4,
  }),
  cut: fc.boolean(),
  restart: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})

const itemOf = ({ main, claims, tag, link }: Part, i: number): FeedItem => ({
  line: i + 1,
  entity: {
    type: 'domain',
    attributes: { domain: NAMES[main]! },
    reputation: claims ? -3 : null,
    tags: tag === 0 ? [] : [`tag-${tag}`],
    ...(link === null || link === main
      ? {}
      : { associations: [{ mode: 'association', type: 'domain', attributes: { domain: NAMES[link]! } }] }),
  },
})

const contentsOf = (items: readonly FeedItem[]): string[] =>
  items.flatMap((item) => {
    const admitted = { ...item, provenance: feedProvenance(FEED, 'report', ['public'], Date.UTC(2026, 0)) }
    const statement = stated(admitted as never)
    if ('message' in statement) throw new Error(statement.message)
    return statement.said.map(({ entityId, content }) => `${entityId} ${content}`)
  })

const contentOf = (o: Observation): string => {
  const entity = {
    type: o.type,
    attributes: { ...o.attributes, [o.type]: o.value },
    reputation: o.reputation,
    tags: o.tags,
  }
  return contentsOf([{ line: 1, entity }])[0]!
}

/**
 * What the history holds of the log: no repeat of what the source said last of an entity, unless that was taken back.
 * Windows that are owed are applied after what was sent, as the command does.
 */
function history() {
  let counted: { entityId: string; at: number; content: string }[] = []
  const last = new Map<string, { at: number; content: string }>()
  return {
    apply(observations: readonly Observation[]) {
      for (const o of observations) {
        const content = contentOf(o)
        if (last.get(o.entityId)?.content === content) continue
        last.set(o.entityId, { at: o.observedAt, content })
        counted.push({ entityId: o.entityId, at: o.observedAt, content })
      }
    },
    takeBack(store: StatementStore) {
      for (let owed = store.owed(); owed !== null; owed = store.owed()) {
        const { from, to, entityIds } = owed
        const isIn = (entityId: string, at: number) => entityIds.includes(entityId) && at >= from && at <= to
        counted = counted.filter(({ entityId, at }) => !isIn(entityId, at))
        for (const [entityId, { at }] of last) if (isIn(entityId, at)) last.delete(entityId)
        store.settle(owed)
      }
    },
    contents: () => new Set(counted.map(({ content }) => content)),
  }
}

const runs = (ports: TestPorts, store: StatementStore, plan: Partial<EventImport>) =>
  runEventImport(ports, store, {
    feed: FEED,
    readers: readersOf(['public'], new Map()),
    place: 'here',
    settings: 'as ever',
    manifest: { entries: [], faults: [] },
    read: async () => [],
    rejects: countedOnly,
    restart: false,
    now: Date.now,
    maxObservations: 3,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...plan,
  })

test('what counts after each import is what the readable events say, whatever changed, was cut off or could not be read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const [ports, store, seen] = [importPorts(), openStatements(':memory:'), history()]
      const held = new Map<string, readonly FeedItem[]>()
      const applied = new Set<string>()
      let clock = 1_700_000_000_000
      try {
        for (const [i, { events, cut, restart }] of steps.entries()) {
          const entries = events.map((_, n) => ({ uuid: eventUuid(n), stamp: i + 1 }))
          const plan: Partial<EventImport> = {
            manifest: { entries, faults: [] },
            restart,
            now: () => clock,
            async read(uuid) {
              const parts = events[entries.findIndex((entry) => entry.uuid === uuid)]
              if (parts === null || parts === undefined) throw new Error('broken')
              return parts.map(itemOf)
            },
          }
          if (cut) {
            const stopping = new AbortController()
            await runs(ports, store, { ...plan, signal: stopping.signal, onProgress: () => stopping.abort() })
          }
          const result = await runs(ports, store, { ...plan, restart: restart && !cut })
          expect(result.faults.map(({ name }) => name)).toEqual(
            events.flatMap((parts, n) => (parts === null ? [eventUuid(n)] : [])),
          )
          // In the order of their partitions, which is that of each entity.
          const all = ports.observations().filter(({ id }) => !applied.has(id))
          seen.apply(all)
          for (const { id } of all) applied.add(id)
          seen.takeBack(store)
          for (const uuid of held.keys()) if (!entries.some((entry) => entry.uuid === uuid)) held.delete(uuid)
          for (const [n, parts] of events.entries()) if (parts !== null) held.set(eventUuid(n), parts.map(itemOf))
          expect(seen.contents()).toEqual(new Set([...held.values()].flatMap(contentsOf)))
          clock += 1_000
        }
        const ids = ports.observations().map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      } finally {
        store.close()
      }
    }),
    { numRuns: longer(150) },
  )
})

test('an import that dies while it sends goes on without sending anything twice', async () => {
  const [ports, store] = [importPorts(), openStatements(':memory:')]
  const items = NAMES.map((_, main) => itemOf({ main, claims: true, tag: 0, link: null }, main))
  const plan = { manifest: { entries: [{ uuid: eventUuid(1), stamp: 1 }], faults: [] }, read: async () => items }
  let batches = 0
  const dying: TestPorts = {
    ...ports,
    log: {
      ...ports.log,
      async send(topics) {
        await ports.log.send(topics)
        if (topics.some(({ topic }) => topic === 'entity.observations') && ++batches === 1) throw new Error('killed')
      },
    },
  }
  await expect(runs(dying, store, plan)).rejects.toThrow('killed')
  expect(ports.observations()).toHaveLength(3)
  const again = await runs(ports, store, plan)
  expect([again.read, again.unchanged]).toEqual([1, 0])
  const all = ports.observations()
  expect(all.map(({ value }) => value)).toEqual(NAMES)
  expect(new Set(all.map(({ observedAt }) => observedAt)).size).toBe(1)
  expect((await runs(ports, store, plan)).unchanged).toBe(1)
  expect(store.owes()).toBe(0)
  store.close()
})

test('what a run left on the log is found again, also after a run that stopped before it came to that', async () => {
  const [ports, store] = [importPorts(), openStatements(':memory:')]
  const itemsOf = (names: readonly number[], tag: number) =>
    names.map((main, i) => itemOf({ main, claims: true, tag, link: null }, i))
  const events = { [eventUuid(1)]: itemsOf([0, 1, 2], 0), [eventUuid(2)]: itemsOf([0, 1, 2, 3, 4], 1) }
  const plan = (...uuids: string[]): Partial<EventImport> => ({
    manifest: { entries: uuids.map((uuid) => ({ uuid, stamp: 1 })), faults: [] },
    read: async (uuid) => events[uuid]!,
  })
  const dying = {
    ...ports,
    log: {
      ...ports.log,
      async send(topics: Parameters<TestPorts['log']['send']>[0]) {
        await ports.log.send(topics)
        if (topics.some(({ topic }) => topic === 'entity.observations')) throw new Error('killed')
      },
    },
  }
  await expect(runs(dying, store, plan(eventUuid(1)))).rejects.toThrow('killed')
  const stopping = new AbortController()
  const both = plan(eventUuid(2), eventUuid(1))
  const stopped = { ...both, signal: stopping.signal, onProgress: () => stopping.abort() }
  expect((await runs(ports, store, stopped)).interrupted).toBe(true)
  expect((await runs(ports, store, both)).interrupted).toBe(false)
  const ids = ports.observations().map(({ id }) => id)
  expect([ids.length, new Set(ids).size]).toEqual([8, 8])
  store.close()
})

test('other settings read all events again; an older timestamp reads none', async () => {
  const [ports, store] = [importPorts(), openStatements(':memory:')]
  const read = async () => [itemOf({ main: 0, claims: true, tag: 0, link: null }, 0)]
  const at = (stamp: number) => ({ manifest: { entries: [{ uuid: eventUuid(1), stamp }], faults: [] }, read })
  await runs(ports, store, at(5))
  expect(await runs(ports, store, at(4))).toMatchObject({ read: 0, unchanged: 1 })
  const narrowed = {
    feed: { ...FEED, groups: ['soc'] },
    readers: readersOf(['soc'], new Map()),
    settings: 'for the soc',
  }
  expect(await runs(ports, store, { ...at(4), ...narrowed })).toMatchObject({ read: 1, published: 1 })
  expect(store.owes()).toBe(1)
  expect(ports.observations().map(({ audience }) => audience)).toEqual([['public'], ['soc']])
  store.close()
})

test('a name that the manifest has a fault with takes nothing away', async () => {
  const [ports, store] = [importPorts(), openStatements(':memory:')]
  const read = async () => [itemOf({ main: 0, claims: true, tag: 0, link: null }, 0)]
  await runs(ports, store, { manifest: { entries: [{ uuid: eventUuid(1), stamp: 1 }], faults: [] }, read })
  const faults = [{ name: eventUuid(1).toUpperCase(), reason: 'no timestamp' }]
  expect(await runs(ports, store, { manifest: { entries: [], faults } })).toMatchObject({ left: 0, faults })
  expect(store.owes()).toBe(0)
  store.close()
})
