import type { ListReached } from '../../../connectors/history/feeds-out/collections/port.ts'
import type { Batch } from '../../../connectors/log/port.ts'
import { untilNext } from '../../../platform/pause.ts'
import { FEED_DELTAS } from '../../../schemas/log/topics.ts'
import { persist } from '../../runtime/job.ts'
import { mutex } from '../../runtime/mutex.ts'
import { unwritten } from '../../runtime/unwritten.ts'
import { type Behind, deltaWrite, follows, type Portion, portionOf, portionsAhead, writeOf } from './apply-deltas.ts'
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
    const [valid] = await validities(await ports.live(), [{ feed, items }], at)
    const steps = await knownSteps({ ports, feed, last: lastOf(), now: at }, { items, gone: [] })
    for (const item of items) steps.put(item, endOf(item, valid!, at))
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

/**
 * A round asks the store some questions for each list that moved, however few entities moved it. After it the job rests for
 * some times what it took, so that many lists that move all the time take a part of the store and not all of it.
 */
const REST = 3
const MOST_REST_MS = 5_000

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
  /** When the next round may begin. */
  let restsUntil = 0

  async function feedOf(id: string, revision: number): Promise<KnownFeed | null> {
    const known = feeds.get(id)
    if (known?.revision === revision) return known
    const head = await ports.source.head(id)
    if (head === null) return null
    const found = { ...knownFeed(head), lookedAt: known?.lookedAt ?? 0 }
    feeds.set(id, found)
    return found
  }

  /** @param ready the first portion, if it was read ahead */
  async function bringOn(feed: KnownFeed, to: number, ready: Portion | null): Promise<void> {
    for (let ahead = ready; ; ahead = null) {
      const place = writing.place(feed.id)
      const from = place?.sequence ?? null
      if (place === undefined || from === null) return fillCollection(ports, feed, writing, options)
      if (from >= to) return
      // After an error another place may be the stored one.
      const next = follows(ahead, from) ? ahead : await portionOf(ports, { feed, from, to }, now())
      if (next === null) return fillCollection(ports, feed, writing, options)
      await writing.add(await deltaWrite(ports, feed, { last: place.added, now: now() }, next))
      if (next.deltas.at(-1)!.sequence === to) return
      await writing.flush()
    }
  }

  async function load(): Promise<void> {
    if (!isLoaded) await writing.begin()
    isLoaded = true
  }

  /** Lists whose collections exist and are behind, of feeds that are known. */
  const behind = (lists: readonly ListReached[]): Behind[] =>
    lists.flatMap(({ feed: id, revision, epoch, sequence: to }) => {
      const feed = feeds.get(id)
      const from = writing.place(id)?.sequence ?? null
      const isBehind = epoch !== 0 && from !== null && from < to
      return isBehind && feed?.revision === revision && !failed.has(id) ? [{ feed, from, to }] : []
    })

  async function bringUp(lists: readonly ListReached[]): Promise<unknown[]> {
    const waiting = behind(lists)
    let ahead = new Map<string, Portion | null>()
    return forEach(lists, async ({ feed: id, revision, epoch, sequence }) => {
      const feed = epoch === 0 ? null : await feedOf(id, revision)
      if (feed === null) return
      const at = waiting.findIndex((one) => one.feed === feed)
      if (at !== -1 && !ahead.has(id)) ahead = await portionsAhead(ports, waiting.slice(at), now())
      await bringOn(feed, sequence, ahead.get(id) ?? null)
    })
  }

  /** Works through lists: one that fails stops nothing but itself, and is told of at the end. */
  async function forEach(
    lists: readonly ListReached[],
    work: (list: ListReached) => Promise<void>,
  ): Promise<unknown[]> {
    const errors: unknown[] = []
    // What failed comes last, when what the others said is stored.
    for (const list of [...lists].sort((a, b) => Number(failed.has(a.feed)) - Number(failed.has(b.feed)))) {
      signal.throwIfAborted()
      await load()
      if (failed.has(list.feed)) await writing.flush()
      try {
        await work(list)
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
    return errors
  }

  /** Looks for claims that are due: one question tells which collections have any. */
  async function renewDue(lists: readonly ListReached[]): Promise<unknown[]> {
    const until = now()
    looksAt = until + LOOKS_MS
    const known = lists.filter(({ feed }) => feeds.has(feed) && !failed.has(feed))
    if (known.length === 0) return []
    const since = known.reduce((least, { feed }) => Math.min(least, feeds.get(feed)!.lookedAt), until)
    const due = await ports.store.feedsDue(since, until)
    return forEach(known, async ({ feed: id, epoch }) => {
      const feed = feeds.get(id)!
      if (!due.has(id)) feed.lookedAt = until
      else if (await renewClaims(ports, feed, epoch, writing, until)) looksAt = 0
    })
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
    const errors = await bringUp(lists)
    if (now() >= looksAt) errors.push(...(await renewDue(lists)))
    if (errors.length > 0) throw new AggregateError(errors, `of feeds ${[...failed].join(', ')}`)
    // Of no list, no claim becomes due.
    answered(lists.length === 0 ? undefined : looksAt)
  }

  /** Brings all collections on; whoever asks before it begins shares it. */
  function round(): Promise<void> {
    next ??= turns.take(async () => {
      const restMs = Math.min(MOST_REST_MS, restsUntil - now())
      if (restMs > 0) await pause(restMs, signal)
      next = null
      signal.throwIfAborted()
      const began = now()
      try {
        await step()
      } catch (error) {
        // Nobody knows what was stored.
        isLoaded = false
        throw error
      } finally {
        restsUntil = now() + REST * (now() - began)
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
