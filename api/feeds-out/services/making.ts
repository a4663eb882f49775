/** Lists of feeds as files: formats that are asked for at the same time are made from one reading (ADR 210). */

import type { FeedFiles, Generation } from '../../../connectors/feed-files/port.ts'
import { type FeedLists, type ListPlace, ListReplaced } from '../../../connectors/history/feeds-out/port.ts'
import type { FeedDefinition } from '../../../connectors/postgres/feeds-out/port.ts'
import { type FeedFormat, MOST_TOLD } from '../../../schemas/feeds-out/formats/format.ts'
import { together } from '../../../schemas/feeds-out/formats/together.ts'
import { isPublicAlone } from '../../../schemas/feeds-out/rights.ts'
import { ApiError } from '../../http/errors.ts'
import { turns } from '../../intelligence/services/turns.ts'

/** Two lists are made at once, each by one thread; a long one holds one turn for a minute. */
const MAKING = { atOnce: 2, atOnceOfOne: 1, waitMs: 15 * 60_000, waiting: 1_000, waitingOfOne: 50 }
const ATTEMPTS = 5
const STAYS = new AbortController().signal

export type MakingPorts = {
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
export const madeOf = ({ name, groups }: FeedDefinition, version: string): string =>
  JSON.stringify([version, name, isPublicAlone(groups)])

export function makingOf({ lists, files, version, now }: MakingPorts) {
  const turn = turns(MAKING)
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
