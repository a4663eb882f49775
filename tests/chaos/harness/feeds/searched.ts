import type { Platform } from '../../../builders/platform/platform.ts'
import { beyond, type DownloadedList, shown } from './lists.ts'

/** Of one answer to a search by a selector. */
const MOST_FOUND = 1_000

/** A feed that a test follows; `began`: its list of before. */
export type FollowedFeed = {
  id: string
  as: Record<string, string>
  selector: object
  capped: boolean
  began: DownloadedList
}

/** What the API finds by the selector of a feed now; at most MOST_FOUND of them, as it lists them. */
async function searched(ask: Platform['ask'], { selector, as }: FollowedFeed) {
  const { status, body } = await ask('/api/search/v1/entities/selector', { selector, limit: MOST_FOUND }, as)
  if (status !== 200) throw new Error(`the search answered ${status}: ${JSON.stringify(body)}`)
  const items = new Map<string, string>(body.results.map((one: { id: string }) => [one.id, shown(one as never)]))
  return { found: body.items as number, items }
}

/** Entities that the search finds and the list has not, and how many more or fewer there are; a cap leaves some out. */
export async function besideSearch(
  ask: Platform['ask'],
  feed: FollowedFeed,
  list: DownloadedList,
): Promise<{ lacking: number; more: number }> {
  const { found, items } = await searched(ask, feed)
  if (!feed.capped) return { lacking: beyond({ sequence: 0, items }, list), more: list.items.size - found }
  const all = found <= MOST_FOUND
  return { lacking: all ? beyond(list, { sequence: 0, items }) : 0, more: Math.max(0, list.items.size - found) }
}
