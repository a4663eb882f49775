/** Which file a reader of a feed is given (decisions-2 11.2; ADR 210). */

import { StoreSlow, StoreUnavailable } from '../../../connectors/availability/port.ts'
import type { FeedFiles, Generation, GenerationBytes } from '../../../connectors/feed-files/port.ts'
import { type FeedLists, type ListPlace, ListReplaced } from '../../../connectors/history/feeds-out/port.ts'
import type { FeedDefinition } from '../../../connectors/postgres/feeds-out/port.ts'
import { promiseCache } from '../../../platform/promise-cache.ts'
import type { FeedFormat } from '../../../schemas/feeds-out/formats/format.ts'
import { written } from '../../../schemas/feeds-out/formats/written.ts'
import { ApiError } from '../../http/errors.ts'
import { turns } from '../../intelligence/services/turns.ts'

/** For so long nobody looks whether a list changed. A list that takes longer to make is given for as long again. */
const FRESH_MS = 1_000
const MAX_REMEMBERED = 10_000
/** Two lists are made at once; a long one holds one turn for a minute. */
const MAKING = { atOnce: 2, waiting: 1_000, waitingOfOne: 50 }
const ATTEMPTS = 5
const STAYS = new AbortController().signal

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
  const remembered = promiseCache<Current>({ max: MAX_REMEMBERED, ttlMs: FRESH_MS, now, slow: true })
  const making = turns(MAKING)

  /** Again when the list was made anew meanwhile, so often at most. */
  async function make(feed: FeedDefinition, format: FeedFormat, attempts = ATTEMPTS): Promise<Generation> {
    try {
      return await makeOnce(feed, format)
    } catch (error) {
      if (!(error instanceof ListReplaced) || attempts <= 1) throw error
      return make(feed, format, attempts - 1)
    }
  }

  async function makeOnce(feed: FeedDefinition, format: FeedFormat): Promise<Generation> {
    const read = format.write === null ? await lists.parquet(feed.id) : await lists.read(feed.id)
    if (read === null) throw new ApiError('building')
    const bytes = 'bytes' in read ? storesOwn(read.bytes) : written(format, factsOf(feed, read, now()), read.batches)
    return files.store(feed.id, format.name, { ...placeOf(read), made: madeOf(feed, version) }, bytes)
  }

  async function current(feed: FeedDefinition, format: FeedFormat): Promise<Current> {
    const last = await files.find(feed.id, format.name)
    try {
      const place = await lists.place(feed.id)
      if (place === null) throw new ApiError('building')
      const isPresent = last !== null && isOf(last, place) && last.made === madeOf(feed, version)
      const generation = isPresent ? last : await making.use(() => make(feed, format), feed.id, STAYS)
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

const placeOf = ({ epoch, sequence, items }: ListPlace): ListPlace => ({ epoch, sequence, items })

const isOf = (generation: Generation, { epoch, sequence }: ListPlace): boolean =>
  generation.epoch === epoch && generation.sequence === sequence

const madeOf = ({ name, open }: FeedDefinition, version: string): string => JSON.stringify([version, name, open])

const factsOf = ({ id, name, open }: FeedDefinition, { sequence }: ListPlace, updatedAt: number) => ({
  id,
  name,
  sequence,
  updatedAt,
  isPublic: open,
})

async function* storesOwn(bytes: AsyncIterable<Uint8Array>): GenerationBytes {
  yield* bytes
  return { skipped: 0 }
}

const isAway = (thrown: unknown): boolean => thrown instanceof StoreUnavailable || thrown instanceof StoreSlow
