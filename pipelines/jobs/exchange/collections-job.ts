import type { ListReached } from '../../../connectors/history/feeds-out/collections/port.ts'
import type { Batch } from '../../../connectors/log/port.ts'
import { untilNext } from '../../../platform/pause.ts'
import { FEED_DELTAS } from '../../../schemas/log/topics.ts'
import { persist } from '../../runtime/job.ts'
import { mutex } from '../../runtime/mutex.ts'
import { unwritten } from '../../runtime/unwritten.ts'
import { deltaWrite, writeOf } from './apply-deltas.ts'
import { type KnownFeed, knownFeed } from './known-feed.ts'
import { knownSteps } from './known-steps.ts'
import { COLLECTIONS_GROUP, type CollectionsOptions, type CollectionsPorts } from './ports.ts'
import { renewClaims } from './renew.ts'
import { endOf, validities } from './validity.ts'
import { type CollectionWriting, collectionWriting } from './writing.ts'

/** Entities that left unseen, at once. */
const LEFT_AT_ONCE = 2_000

/**
 * Makes a collection what the list is, by what differs: its first list, one that was cut off in the middle, and one whose
 * deltas are not kept any more. How far it is, is said with the last row.
 */
async function fillCollection(
  ports: CollectionsPorts,
  feed: KnownFeed,
  writing: CollectionWriting,
  { now, report, signal }: Pick<CollectionsOptions, 'now' | 'report' | 'signal'>,
): Promise<void> {
  const began = now()
  const list = await ports.source.list(feed.id)
  if (list === null) return
  let objects = 0
  const lastOf = (): number => writing.place(feed.id)?.added ?? 0
  const put = async (steps: Awaited<ReturnType<typeof knownSteps>>, sequence: number | null): Promise<void> => {
    objects += steps.rows().length
    await writing.add(writeOf(feed, steps, sequence))
    // What is known of the next portion is read from the store.
    await writing.flush()
  }
  const isNew = writing.place(feed.id) === undefined
  const common = ports.definitions(feed.facts)
  const definitions = common.map(({ id }) => id)
  const first = await knownSteps({ ports, feed, last: lastOf(), now: now() }, { items: [], gone: [], definitions })
  first.define(common)
  await put(first, null)
  for await (const items of list.items) {
    signal.throwIfAborted()
    const at = now()
    const valid = await validities(await ports.live(), feed, items, at)
    const steps = await knownSteps({ ports, feed, last: lastOf(), now: at }, { items, gone: [] })
    for (const item of items) steps.put(item, endOf(item, valid, at))
    await put(steps, null)
  }
  while (!isNew) {
    const gone = await ports.store.left(feed.id, list.epoch, LEFT_AT_ONCE)
    if (gone.length === 0) break
    const steps = await knownSteps({ ports, feed, last: lastOf(), now: now() }, { items: [], gone })
    for (const entityId of gone) steps.remove(entityId)
    await put(steps, null)
  }
  const end = await knownSteps({ ports, feed, last: lastOf(), now: now() }, { items: [], gone: [] })
  end.note()
  await put(end, list.sequence)
  report({ kind: 'filled', feed: feed.id, objects, took: now() - began })
}

/** How often lists are looked at that nothing was told of: new ones, and those of feeds that are gone. */
const EVERY_MS = 1_000
/** How often it is looked for claims that are due. */
const LOOKS_MS = 5_000

/** What the job reads, and in what portions: deltas say that there is something to do, and the store says what. */
export const COLLECTIONS_READS = {
  group: COLLECTIONS_GROUP,
  topics: [FEED_DELTAS],
  maxRecords: 50_000,
  maxBytes: 16 * 1024 * 1024,
  lingerMs: 100,
}

/**
 * feed.deltas -> lists and deltas as they are stored -> objects of collections (ADR 274)
 *
 * One process keeps all collections, as long as it leads the group. How far each is, is stored with its objects, so a step
 * that was cut off is made anew, and a record that was sent again does nothing.
 */
export function collectionsJob(ports: CollectionsPorts, options: CollectionsOptions) {
  const { now, signal, pause } = options
  const writing = collectionWriting(ports, options)
  const feeds = new Map<string, KnownFeed>()
  const turns = mutex()
  /** Feeds whose collections could not be brought on the last time. */
  const failed = new Set<string>()
  const seen = unwritten(ports.written, now)
  let isLoaded = false
  let next: Promise<void> | null = null
  let looksAt = 0

  async function feedOf(id: string, revision: number): Promise<KnownFeed | null> {
    const known = feeds.get(id)
    if (known?.revision === revision) return known
    const head = await ports.source.head(id)
    if (head === null) return null
    const found = { ...knownFeed(head), lookedAt: known?.lookedAt ?? 0 }
    feeds.set(id, found)
    return found
  }

  async function bringOn(feed: KnownFeed, to: number): Promise<void> {
    for (;;) {
      const place = writing.place(feed.id)
      const sequence = place?.sequence ?? null
      if (place === undefined || sequence === null) return fillCollection(ports, feed, writing, options)
      if (sequence >= to) return
      const write = await deltaWrite(ports, feed, { sequence, added: place.added }, to, now())
      if (write === null) return fillCollection(ports, feed, writing, options)
      await writing.add(write)
      if (write.sequence === to) return
      await writing.flush()
    }
  }

  async function load(): Promise<void> {
    if (!isLoaded) await writing.begin()
    isLoaded = true
  }

  async function bringUp({ feed: id, revision, epoch, sequence }: ListReached, isLook: boolean): Promise<void> {
    const feed = epoch === 0 ? null : await feedOf(id, revision)
    if (feed === null) return
    await bringOn(feed, sequence)
    if (!isLook) return
    await writing.flush()
    if (await renewClaims(ports, feed, epoch, writing, now())) looksAt = 0
  }

  async function step(): Promise<void> {
    const answered = seen.asking()
    await load()
    const lists = await ports.store.lists()
    const present = new Set(lists.map(({ feed }) => feed))
    for (const id of [...writing.known()])
      if (!present.has(id)) {
        feeds.delete(id)
        failed.delete(id)
        await writing.remove(id)
      }
    const isLook = now() >= looksAt
    if (isLook) looksAt = now() + LOOKS_MS
    const errors: unknown[] = []
    // What failed comes last, when what the others said is stored: it stops nothing but itself.
    for (const list of [...lists].sort((a, b) => Number(failed.has(a.feed)) - Number(failed.has(b.feed)))) {
      signal.throwIfAborted()
      await load()
      if (failed.has(list.feed)) await writing.flush()
      try {
        await bringUp(list, isLook)
        failed.delete(list.feed)
      } catch (error) {
        if (signal.aborted) throw error
        failed.add(list.feed)
        errors.push(error)
        // Nobody knows what was stored.
        isLoaded = false
      }
    }
    if (isLoaded) await writing.flush()
    if (errors.length > 0) throw new AggregateError(errors, `of feeds ${[...failed].join(', ')}`)
    // Of no list, no claim becomes due.
    answered(lists.length === 0 ? undefined : looksAt)
  }

  /** Brings all collections on; whoever asks before it begins shares it. */
  function round(): Promise<void> {
    next ??= turns.take(async () => {
      next = null
      try {
        await step()
      } catch (error) {
        // Nobody knows what was stored.
        isLoaded = false
        throw error
      }
    })
    return next
  }

  async function keepLooking(): Promise<void> {
    while (!signal.aborted) {
      if (!seen.holds())
        await round().catch(
          (error: unknown) => signal.aborted || options.onFailure('cannot update the collections of feeds', error),
        )
      await pause(untilNext(EVERY_MS), signal)
    }
  }

  const looking = keepLooking()
  return {
    /** Resolves once what the batch tells of is in the collections. */
    eachBatch: (batch: Batch): Promise<void> =>
      persist(batch, round, {
        pause,
        term: signal,
        onFailure: (error) => options.onFailure('cannot update the collections of feeds; retrying', error),
      }),
    /** After `signal` was aborted. */
    async stopped(): Promise<void> {
      await Promise.allSettled([looking, turns.idle()])
    },
  }
}
