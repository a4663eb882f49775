/** Which file a reader of a feed is given (decisions 11.2; ADR 210). */

import { StoreSlow, StoreUnavailable } from '../../../connectors/availability/port.ts'
import type { FeedFiles, Generation } from '../../../connectors/feed-files/port.ts'
import type { FeedLists, ListPlace } from '../../../connectors/history/feeds-out/port.ts'
import type { FeedDefinition } from '../../../connectors/postgres/feeds-out/port.ts'
import { promiseCache } from '../../../platform/promise-cache.ts'
import type { FeedFormat } from '../../../schemas/feeds-out/formats/format.ts'
import { ApiError } from '../../http/errors.ts'
import { madeOf, makingOf } from './making.ts'

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
