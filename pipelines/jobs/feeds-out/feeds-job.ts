import type { FeedStore } from '../../../connectors/history/feeds-out/port.ts'
import type { Batch, Unread } from '../../../connectors/log/port.ts'
import { commandIn } from '../../../schemas/feeds-out/command.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import { CHANGES, FEED_COMMANDS } from '../../../schemas/log/topics.ts'
import { GUARD_MOST, GUARD_WINDOW_MS, type RecentSteps, recentSteps } from '../../processors/feeds-out/guard.ts'
import { changePositions } from '../../runtime/changes/change-positions.ts'
import { changeDecoder, changeReader } from '../../runtime/changes/change-reader.ts'
import { deadLetterWriter } from '../../runtime/dead-letter-writer.ts'
import { mutex } from '../../runtime/mutex.ts'
import { handleCommand } from './command-handler.ts'
import { forgetLeftOvers } from './forget-left-overs.ts'
import { keptLists } from './kept-lists.ts'
import { knownFeeds } from './known-feeds.ts'
import { listMaker } from './list-maker.ts'
import { FEEDS_GROUP, type FeedsOptions, type FeedsPorts } from './ports.ts'
import { publishDue } from './publish-deltas.ts'
import { stepFeeds } from './step-feeds.ts'
import { appliedIn, type TimedChange } from './steps-of-change.ts'
import { sweepLists } from './sweep-lists.ts'

/** Versions of writes are the time of the write in microseconds, or higher (see `newVersion` of the job). */
const VERSIONS_A_MS = 1_000

/** What the guard of a list knows of the last minute, as the process before this one stored it. */
export async function storedRecent(
  store: Pick<FeedStore, 'passed'>,
  { feed, held, sequence, made = 0 }: FeedHead,
  now: number,
): Promise<RecentSteps> {
  if (feed.guard === null || held !== null) return recentSteps()
  const since = now - GUARD_WINDOW_MS
  const passed = await store.passed(feed.id, { since, version: BigInt(made), to: sequence }, GUARD_MOST)
  return recentSteps(passed.map(({ entityId, added, storedAt: time }) => ({ entityId, added, time })))
}

/** Batches of several partitions that arrive together are looked at in one order. */
const SETTLE_MS = 30
/** A step has its own cost whatever comes in it: smaller portions fall behind an import, by a second of each three. */
const PORTION = { maxRecords: 25_000, maxBytes: 16 * 1024 * 1024, lingerMs: 100 }
/** Changes of one step, of all partitions together, unless one batch has more: they are in memory decoded. */
const STEP_RECORDS = 100_000

type Waiting = { batch: Batch; resolve: () => void; reject: (error: unknown) => void }

/** The first of these batches, which leave the queue: one at least, and as many more as have so many records in all. */
export function takeBatches<W extends { batch: Pick<Batch, 'messages'> }>(queue: W[], most: number): W[] {
  let records = 0
  const over = queue.findIndex(({ batch }) => {
    records += batch.messages.length
    return records > most
  })
  return queue.splice(0, over === -1 ? queue.length : Math.max(1, over))
}

/** What the job reads, and in what portions. */
export const FEEDS_READS = { group: FEEDS_GROUP, topics: [CHANGES, FEED_COMMANDS], ...PORTION }

/**
 * entity.changes + feed.commands -> members and deltas of every feed -> feed.deltas (ADR 274)
 *
 * One process keeps all lists, as long as it leads the group: what it knows in memory holds until a write fails. What a
 * change does follows from the change alone, so nothing is read before it is written but the ends of lists with a cap. A
 * step is stored with its head; until it is, it is made anew.
 */
export function feedsJob(ports: FeedsPorts, options: FeedsOptions) {
  const { log } = ports
  let isLoaded = false
  const store = keptLists(ports.store, () => {
    isLoaded = false
    feeds.clear()
  })
  const { signal, pause } = options
  const readChanges = changeReader(ports.registry)
  const moveToDeadLetters = deadLetterWriter(log, ports.breaker)
  const changeIn = changeDecoder(ports.registry)
  const feeds = knownFeeds()
  let version = 0
  let epoch = 0
  const context = {
    ports: { ...ports, store },
    options,
    feeds,
    applied: {} as Record<number, number>,
    newVersion(): number {
      version = Math.max(version + 1, options.now() * VERSIONS_A_MS)
      return version
    },
    newEpoch(): number {
      epoch = Math.max(epoch + 1, options.now())
      return epoch
    },
    positions: changePositions({ log, decode: changeIn, stored: ports.stored, pause, signal }),
    turns: mutex(),
    decode: changeIn,
  }
  const { positions, turns } = context
  const maker = listMaker(context)
  const queue: Waiting[] = []

  /** Takes the lists over, reads what the process before this one stored, and goes on with what it did not finish. */
  async function load(): Promise<void> {
    if (isLoaded) return
    feeds.clear()
    await positions.start(FEEDS_GROUP)
    version = Number(await store.claim(BigInt(context.newVersion())))
    const heads = await forgetLeftOvers(context, await store.heads())
    context.applied = appliedIn([context, ...heads])
    for (const head of heads) {
      epoch = Math.max(epoch, head.epoch, head.held?.epoch ?? 0)
      const known = feeds.add(head, await storedRecent(store, head, options.now()))
      await publishDue(context.ports, known)
    }
    for (const known of feeds.all())
      if (known.head.epoch === 0 || known.head.wanted !== null) maker.make(known, 'selector')
    isLoaded = true
  }

  async function changesOf(batch: Batch): Promise<{ records: TimedChange[] }> {
    const { records, dead } = await readChanges(batch)
    const changes = Array.from(records, ({ message, value }) => ({ change: value, time: message.timestamp }))
    await moveToDeadLetters(batch, dead)
    return { records: changes }
  }

  async function handleCommands({ messages }: Batch): Promise<void> {
    for (const { value, offset } of messages) {
      const command = commandIn(value)
      if (command !== null) await handleCommand({ ...context, make: maker.make }, command)
      else options.onFailure('a command of a feed cannot be read and is skipped', { topic: FEED_COMMANDS, offset })
    }
  }

  async function handle(batches: readonly Batch[]): Promise<void> {
    await load()
    for (const batch of batches) if (batch.topic === FEED_COMMANDS) await handleCommands(batch)
    const changed = batches.filter(({ topic }) => topic === CHANGES)
    if (changed.length > 0 && feeds.size() > 0)
      await stepFeeds(context, await Promise.all(changed.map(changesOf)), await ports.live())
    for (const { partition, to } of changed) positions.reach(partition, to)
  }

  async function drain(): Promise<void> {
    if (queue.length === 0) return
    await pause(SETTLE_MS, signal)
    const taken = takeBatches(queue, STEP_RECORDS)
    try {
      await handle(taken.map(({ batch }) => batch))
      for (const { resolve } of taken) resolve()
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }

  const watching = sweepLists(context, maker, load)
  return {
    /** Without a feed no change concerns a list. */
    skips: ({ topic, partition, to }: Unread): Promise<boolean> =>
      turns.take(async () => {
        if (topic !== CHANGES) return false
        await load()
        if (feeds.size() > 0) return false
        positions.reach(partition, to)
        return true
      }),
    eachBatch: (batch: Batch): Promise<void> =>
      new Promise((resolve, reject) => {
        queue.push({ batch, resolve, reject })
        void turns.take(drain)
      }),
    /** After `signal` was aborted. */
    async stopped(): Promise<void> {
      await Promise.allSettled([watching, maker.idle(), turns.idle()])
    },
  }
}
