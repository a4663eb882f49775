/** What changed in a list since a cursor (decisions 11.3). */

import type { FeedLists } from '../../../connectors/history/feeds-out/port.ts'
import type { Seals } from '../../../schemas/cursors/seal.ts'
import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import { feedCursor, sequenceIn } from '../../../schemas/feeds-out/feed-cursor.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import type { Waiting } from './waiting.ts'

export type DeltaQuestion = {
  feed: string
  from?: string
  limit: number
  /** Seconds. */
  wait: number
  /** Aborts when the caller goes away. */
  gone: AbortSignal
  /** Throws when the caller may not read the feed any more. Asked after a wait. */
  mayStill: () => Promise<void>
}

export type DeltaPage = { deltas: FeedDelta[]; cursor: string; more: boolean }

type DeltaPorts = { lists: FeedLists; seals: () => Promise<Seals>; waiting: Waiting }

export function deltaService({ lists, seals, waiting }: DeltaPorts) {
  const cursor = async (feed: string, sequence: number): Promise<string> => feedCursor(await seals(), feed, sequence)

  return {
    cursor,

    /** The last deltas, newest first; fewer when older ones are not kept any more. Throws 503 while the feed has no list. */
    async latest(feed: string, limit: number): Promise<FeedDelta[]> {
      const place = await lists.place(feed)
      if (place === null) throw new ApiError('building')
      const found = await lists.deltas(feed, Math.max(0, place.sequence - limit), limit)
      return (found?.deltas ?? []).toReversed()
    },

    /**
     * Deltas after a cursor, waited for when there are none. Throws 400 without a cursor and for one that is not of this
     * feed, 410 for one from before what is kept, 503 while the feed has no list; after a wait also what
     * `mayStill` throws.
     */
    async page({ feed, from, limit, wait, gone, mayStill }: DeltaQuestion): Promise<DeltaPage> {
      const after = await placeIn(feed, from)
      const read = async () => {
        const found = await lists.deltas(feed, after, limit)
        if (found === null) throw new ApiError('building')
        if (!found.complete) throw expired(feed)
        return found
      }
      let found = await read()
      if (found.deltas.length === 0 && wait > 0) {
        await waiting.until(feed, after, wait * 1_000, gone)
        await mayStill()
        found = await read()
      }
      const last = found.deltas.at(-1)?.sequence ?? after
      return { deltas: found.deltas, cursor: await cursor(feed, last), more: last < found.now }
    },
  }

  async function placeIn(feed: string, from: string | undefined): Promise<number> {
    if (from === undefined) throw invalid('from', `is required: the x-feed-cursor of ${itemsOf(feed)}`)
    const sequence = sequenceIn(await seals(), feed, from)
    if (sequence === null) throw new ApiError('bad_cursor', { param: 'from' })
    return sequence
  }
}

export type DeltaService = ReturnType<typeof deltaService>

const itemsOf = (feed: string): string => `/api/feeds/v1/feeds/${feed}/items.{format}`

const expired = (feed: string): ApiError =>
  new ApiError('cursor_expired', {
    message: `the cursor is older than the deltas that are kept: read ${itemsOf(feed)} and continue from its x-feed-cursor`,
  })
