/** Which file a reader of a feed is given (decisions 11.2; ADR 274). */

import { StoreSlow, StoreUnavailable } from '../../../connectors/availability/port.ts'
import type { FeedFiles, Generation } from '../../../connectors/feed-files/port.ts'
import { type FeedLists, type ListPlace, ListReplaced } from '../../../connectors/history/feeds-out/port.ts'
import type { FeedDefinition } from '../../../connectors/postgres/feeds-out/port.ts'
import { promiseCache } from '../../../platform/promise-cache.ts'
import { type FeedFormat, MOST_TOLD } from '../../../schemas/feeds-out/formats/format.ts'
import { together } from '../../../schemas/feeds-out/formats/shared-reading.ts'
import { isPublicAlone } from '../../../schemas/feeds-out/rights.ts'
import { ApiError } from '../../http/errors.ts'
import { fairQueue } from '../../intelligence/services/fair-queue.ts'

// Lists of feeds as files: formats that are asked for at the same time are made from one reading (ADR 274).

/** Two lists are made at once, each by one thread; a long one holds one turn for a minute. */
const MAKING = { atOnce: 2, atOnceOfOne: 1, waitMs: 15 * 60_000, waiting: 1_000, waitingOfOne: 50 }
const ATTEMPTS = 5
const STAYS = new AbortController().signal

type MakingPorts = {
  lists: Pick<FeedLists, 'read' | 'readWithMore' | 'parquet'>
  files: Pick<FeedFiles, 'store' | 'storeList'>
  /** Of the program: another one may write a format in another way. */
  version: string
  /** Unix milliseconds. */
  now: () => number
}

/** Formats that will be made from one reading, until it begins. */
type Gathering = { formats: Set<FeedFormat>; made: Promise<ReadonlyMap<string, Generation>> }

/** What a file follows from beside the items and their order. */
const madeOf = ({ name, groups }: FeedDefinition, version: string): string =>
  JSON.stringify([version, name, isPublicAlone(groups)])

function makingOf({ lists, files, version, now }: MakingPorts) {
  const turn = fairQueue(MAKING)
  const gathering = new Map<string, Gathering>()

  /** @param about how many items there are, or were a moment before */
  async function store(feed: FeedDefinition, formats: ReadonlySet<FeedFormat>, about: number, begins: () => void) {
    const [first] = formats
    if (first!.write === null) {
      begins()
      return [await storeOwn(feed, first!)]
    }
    // The store sorts the list before its first row comes: formats that are asked for until then come along.
    const read = await lists[first!.saysMore && about <= MOST_TOLD ? 'readWithMore' : 'read'](feed.id)
    begins()
    if (read === null) throw new ApiError('building')
    const { epoch, sequence, items, rows, mayHoldWellKnown } = read
    const of = { epoch, sequence, made: madeOf(feed, version) }
    return files.storeList(feed.id, [...formats], of, {
      facts: { ...factsOf(feed, read, now()), mayHoldWellKnown },
      items,
      rows,
    })
  }

  /** A file of the history store itself; again when the list was made anew meanwhile, so often at most. */
  async function storeOwn(feed: FeedDefinition, format: FeedFormat, attempts = ATTEMPTS): Promise<Generation> {
    const read = await lists.parquet(feed.id)
    if (read === null) throw new ApiError('building')
    const of = { ...placeOf(read), made: madeOf(feed, version) }
    try {
      return await files.store(feed.id, format.name, of, storesOwn(read.bytes))
    } catch (error) {
      if (!(error instanceof ListReplaced) || attempts <= 1) throw error
      return storeOwn(feed, format, attempts - 1)
    }
  }

  async function gathered(
    feed: FeedDefinition,
    { name, key, items }: { name: string; key: string; items: number },
    formats: ReadonlySet<FeedFormat>,
  ) {
    const begins = (): void => {
      if (gathering.get(key)?.formats === formats) gathering.delete(key)
    }
    try {
      const all = await turn.use(() => store(feed, formats, items, begins), `${feed.id} ${name}`, STAYS)
      return new Map(all.map((one) => [one.format, one]))
    } finally {
      begins()
    }
  }

  /**
   * Makes the list of a feed in a format, from a reading that begins after `place` was read, and not before. Throws 503
   * `building` while the feed has no list, `busy` when too many lists wait to be made, and what the store throws.
   */
  return async (feed: FeedDefinition, format: FeedFormat, place: ListPlace): Promise<Generation> => {
    const name = together(format, place.items)
    const key = [feed.id, feed.revision, name, place.epoch, place.sequence].join(' ')
    let one = gathering.get(key)
    if (one === undefined) {
      const formats = new Set<FeedFormat>()
      // Begins when this caller waits, and the format is among them.
      one = { formats, made: Promise.resolve().then(() => gathered(feed, { name, key, items: place.items }, formats)) }
      gathering.set(key, one)
    }
    one.formats.add(format)
    return (await one.made).get(format.name)!
  }
}

const placeOf = ({ epoch, sequence, items }: ListPlace): ListPlace => ({ epoch, sequence, items })

const factsOf = ({ id, name, groups }: FeedDefinition, { sequence }: ListPlace, updatedAt: number) => ({
  id,
  name,
  sequence,
  updatedAt,
  isPublic: isPublicAlone(groups),
})

async function* storesOwn(bytes: AsyncIterable<Uint8Array>) {
  yield* bytes
  return { skipped: 0 }
}

/** For so long nobody looks whether a list changed. */
const FRESH_MS = 1_000
/** A list that takes longer to make is given for as long again, at most so long: it is not made without a pause. */
const PAUSE_MS = 2_000
const MAX_REMEMBERED = 10_000

export type GenerationPorts = {
  lists: FeedLists
  files: FeedFiles
  /** Of the program: another one may write a format in another way. */
  version: string
  /** Unix milliseconds. */
  now: () => number
}

/** `away`: the store of lists does not answer, so there may be a newer one. */
export type Current = { generation: Generation; held: boolean; away: boolean }

export function generations({ lists, files, version, now }: GenerationPorts) {
  const remembered = promiseCache<Current>({ max: MAX_REMEMBERED, ttlMs: FRESH_MS, now, slowMs: PAUSE_MS })
  const make = makingOf({ lists, files, version, now })

  async function current(feed: FeedDefinition, format: FeedFormat): Promise<Current> {
    const last = await files.find(feed.id, format.name)
    try {
      const place = await lists.place(feed.id)
      if (place === null) throw new ApiError('building')
      const isPresent = last !== null && isOf(last, place) && last.made === madeOf(feed, version)
      const generation = isPresent ? last : await make(feed, format, place)
      return { generation, held: place.held, away: false }
    } catch (thrown) {
      if (last === null || !isAway(thrown)) throw thrown
      return { generation: last, held: false, away: true }
    }
  }

  return {
    /**
     * The present list of a feed in a format, made when it is not there yet; callers at the same time share the work.
     * Throws 503 `building` while the feed has no list, `busy` when too many lists are being made, and what the store
     * throws when no list is left of before. `anew`: what was answered last is gone.
     */
    current: (feed: FeedDefinition, format: FeedFormat, anew = false): Promise<Current> =>
      remembered[anew ? 'refresh' : 'get'](`${feed.id} ${format.name} ${feed.revision}`, () => current(feed, format)),
  }
}

export type Generations = ReturnType<typeof generations>

const isOf = (generation: Generation, { epoch, sequence }: ListPlace): boolean =>
  generation.epoch === epoch && generation.sequence === sequence

const isAway = (thrown: unknown): boolean => thrown instanceof StoreUnavailable || thrown instanceof StoreSlow
