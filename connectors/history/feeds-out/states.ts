import { type FeedHead, type HeldBy, stateOf } from '../../../schemas/feeds-out/head.ts'
import type { History } from '../port.ts'
import { headsOf, heldFeeds } from '../sql/feeds-out/lists.ts'
import { headsBy } from './heads.ts'
import type { FeedStates, FeedStatus } from './port.ts'

/** Feeds of one query: an id and a head of some hundred bytes, more with the values of its selector. */
const FEEDS_A_QUERY = 500

/**
 * What is told of lists, from their heads.
 * @param home the database that belongs to no generation
 */
export function feedStates(home: Pick<History, 'query'>): FeedStates {
  return {
    async statesOf(ids) {
      const found = new Map<string, FeedStatus>()
      for (let i = 0; i < ids.length; i += FEEDS_A_QUERY)
        for (const head of await headsBy(home, headsOf(ids.slice(i, i + FEEDS_A_QUERY))))
          found.set(head.feed.id, statusOf(head))
      return found
    },

    async held() {
      const counts: Record<HeldBy, number> = { guard: 0, owner: 0 }
      for (const { by, feeds } of await home.query<{ by: HeldBy; feeds: number }>(heldFeeds)) counts[by] = feeds
      return counts
    },
  }
}

function statusOf(head: FeedHead): FeedStatus {
  const { items, sequence, inside, held, feed } = head
  const would = Math.min(inside, feed.cap ?? inside)
  return { state: stateOf(head), items, sequence, held: held === null ? null : { now: items, would } }
}
