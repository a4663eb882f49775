/** The collections of feeds in memory, with the manners of the store, and the lists that they are made of. */

import type {
  CollectionSource,
  CollectionStore,
  ListReached,
} from '../../../connectors/history/feeds-out/collections/port.ts'
import type { CollectionsOptions, CollectionsPorts, LiveRows } from '../../../pipelines/jobs/exchange/ports.ts'
import { commonObjects, objectsOf } from '../../../schemas/exchange/stix/objects.ts'
import type { EntityInCollection, PlacedObject } from '../../../schemas/feeds-out/collections/object.ts'
import type { CollectionRow, CollectionWrite } from '../../../schemas/feeds-out/collections/write.ts'
import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import { headOf, member } from '../history/feed-lists.ts'
import { NOW } from '../intelligence/observation.ts'

type Kept = { rows: CollectionRow[]; sequence: number | null }

/** The store; `before` runs before each write, and may throw. */
export function memoryCollections(lists: () => ListReached[], present: (feed: string) => ReadonlySet<string>) {
  const kept = new Map<string, Kept>()
  const writes: (readonly CollectionWrite[])[] = []
  const hooks = { before: (): void => undefined }
  let last = 0

  /** Entities as their last rows say them, with the last versions of their objects. */
  function entitiesOf(feed: string): Map<string, EntityInCollection> {
    const objects = new Map<string, Map<string, PlacedObject>>()
    const found = new Map<string, EntityInCollection>()
    for (const { added, entity, object } of kept.get(feed)?.rows ?? []) {
      if (entity === null) continue
      const own = objects.get(entity.entityId) ?? new Map<string, PlacedObject>()
      objects.set(entity.entityId, own)
      if (object !== null) own.set(object.id, { ...object, added })
      found.set(entity.entityId, { ...entity, objects: [] })
    }
    for (const [id, entity] of found) found.set(id, { ...entity, objects: [...objects.get(id)!.values()] })
    return found
  }
  const placed = (feed: string) =>
    (kept.get(feed)?.rows ?? []).flatMap(({ added, object }) => (object === null ? [] : [{ added, ...object }]))

  const store: CollectionStore = {
    lists: async () => lists(),
    places: async () =>
      new Map([...kept].map(([feed, { rows, sequence }]) => [feed, { added: rows.at(-1)!.added, sequence }])),
    claim: async (least) => (last = Math.max(least, last + 1)),
    async write(given, version, after) {
      hooks.before()
      if (after !== last) return false
      last = version
      writes.push([...given])
      for (const { feed, rows, sequence } of given) {
        const known = kept.get(feed) ?? { rows: [], sequence: null }
        kept.set(feed, { rows: [...known.rows, ...rows], sequence: sequence ?? known.sequence })
      }
      return true
    },
    entities: async (feed, ids) => new Map([...entitiesOf(feed)].filter(([id]) => ids.includes(id))),
    objects: async (feed, ids) =>
      new Map(
        placed(feed)
          .filter(({ id }) => ids.includes(id))
          .map((one) => [one.id, one]),
      ),
    texts: async (feed, places) =>
      new Map(
        placed(feed)
          .filter(({ added }) => places.includes(added))
          .map(({ id, text }) => [id, text]),
      ),
    due: async (feed, since, until, limit) =>
      [...entitiesOf(feed).values()]
        .filter(({ live, lookAt }) => live && lookAt > since && lookAt <= until)
        .map(({ entityId }) => entityId)
        .slice(0, limit),
    feedsDue: async (since, until) =>
      new Set(
        [...kept].flatMap(([feed, { rows }]) =>
          rows.some(({ entity }) => entity !== null && entity.lookAt > since && entity.lookAt <= until) ? [feed] : [],
        ),
      ),
    left: async (feed, _, limit) =>
      [...entitiesOf(feed).values()]
        .filter(({ live, entityId }) => live && !present(feed).has(entityId))
        .map(({ entityId }) => entityId)
        .slice(0, limit),
    remove: async (feed) => void kept.delete(feed),
  }
  return { store, writes, hooks, kept, placed }
}

/** One feed with its list and deltas, its collection, and all that the job of collections is given. */
export function collectionWorld(id: string, given: Partial<FeedHead> = {}) {
  const state = {
    head: headOf(id, given) as FeedHead | null,
    items: [] as FeedItem[],
    deltas: [] as FeedDelta[],
    rows: [] as EntityState[],
    groups: new Map<bigint, readonly string[]>(),
    now: NOW,
    failures: [] as string[],
    reports: [] as Parameters<CollectionsOptions['report']>[0][],
  }
  const ending = new AbortController()
  const reached = (): ListReached[] =>
    state.head === null
      ? []
      : [{ feed: id, revision: state.head.feed.revision, epoch: state.head.epoch, sequence: state.head.sequence }]
  const memory = memoryCollections(reached, () => new Set(state.items.map(({ entityId }) => entityId)))
  const source: CollectionSource = {
    head: async () => state.head,
    list: async () =>
      state.head && {
        epoch: state.head.epoch,
        sequence: state.head.sequence,
        items: (async function* () {
          for (let from = 0; from < state.items.length; from += 2) yield state.items.slice(from, from + 2)
        })(),
      },
    deltas: async (_, after, to, limit) =>
      state.deltas.filter(({ sequence }) => sequence > after && sequence <= to).slice(0, limit),
    members: async (_feed, _epoch, ids) =>
      new Map(state.items.filter(({ entityId }) => ids.includes(entityId)).map((one) => [one.entityId, member(one)])),
  }
  const live = async (): Promise<LiveRows> => ({
    rules: BUILT_IN,
    rows: {
      rowsOf: async (ids) => state.rows.filter(({ entityId }) => ids.includes(entityId)),
      groupsOf: async () => state.groups,
    },
  })
  const ports: CollectionsPorts = { store: memory.store, source, live, write: objectsOf, definitions: commonObjects }
  const options: CollectionsOptions = {
    now: () => state.now,
    pause: (_, signal) =>
      signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    signal: ending.signal,
    report: (news) => void state.reports.push(news),
    onFailure: (what) => void state.failures.push(what),
  }
  /** What the collection says of indicators: values, with `-` before one that was taken back. */
  const said = (): string[] =>
    memory
      .placed(id)
      .filter(({ type }) => type === 'indicator')
      .map(({ text }) => `${text.includes('"revoked":true') ? '-' : ''}${JSON.parse(text).name}`)
  return { state, ending, ports, options, memory, said }
}
