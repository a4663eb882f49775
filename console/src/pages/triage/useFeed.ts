import { useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { type Item, LIMIT } from './feed.ts'
import { type Movements, movementsOf } from './handling/movements.ts'
import { marksOf, mergedList } from './live-list.ts'
import { useLiveList } from './useLiveList.ts'

const EVERY_MS = 10_000

/** The part of the filters that the platform applies. */
export type FeedQuery = { hours: number; malicious: boolean }

/** `at`: unix milliseconds when it was brought onto the screen. */
type ListedFeed = { of: string; items: Item[]; fresh: ReadonlySet<string>; at: number; moved: Movements }

/**
 * The newest entities. `read` stays as it is until `bringIn` is called; `latest` is the platform's last answer. The
 * list is fetched every 10 s, unless `paused`, while the tab is hidden, or while changes are told as they happen (`isLive`).
 */
export function useFeed({ hours, malicious }: FeedQuery, paused: boolean, isLive: boolean) {
  const query = { hours, malicious_only: malicious, limit: LIMIT }
  const { live, updates } = useLiveList(isLive, paused, { hours, malicious }, () => void answer.refetch())
  const follows = isLive && (live.state === 'live' || live.state === 'behind')
  const answer = api.useQuery(
    'get',
    '/api/analytics/v1/recent',
    { params: { query } },
    {
      staleTime: EVERY_MS / 2,
      refetchInterval: ({ state }) =>
        paused || follows
          ? false
          : Math.max(EVERY_MS, 1_000 * (state.error ? (asProblem(state.error).retryAfter ?? 0) : 0)),
      refetchOnWindowFocus: !paused,
    },
  )
  const of = `${hours} ${malicious}`
  const items = answer.data?.items
  const latest = items && isLive ? mergedList(items, answer.dataUpdatedAt, updates) : items
  const [read, setRead] = useState<ListedFeed | null>(null)
  // After a change of the filters, or with an empty list, the answer is shown at once.
  if (latest && (read?.of !== of || (read.items.length === 0 && latest.length > 0)))
    setRead({ of, items: latest, fresh: new Set(), at: Date.now(), moved: new Map() })
  const current = read?.of === of ? read : null
  const bringIn = (): void => {
    if (!latest || !current) return
    const known = new Set(current.items.map(({ id }) => id))
    const fresh = new Set(latest.map(({ id }) => id).filter((id) => !known.has(id)))
    const moved = movementsOf(latest, current.items, current.moved, updates)
    setRead({ of, items: latest, fresh, at: Date.now(), moved })
  }
  return {
    answer,
    live,
    /** Whether changes are told as they happen, and nothing is asked for. */
    follows,
    updates,
    marks: marksOf(current?.items ?? [], updates, current?.at ?? 0),
    read: current?.items ?? null,
    /** Movements that were known when the list was brought onto the screen. */
    moved: current?.moved ?? new Map<string, number>(),
    fresh: current?.fresh ?? new Set<string>(),
    latest: latest ?? [],
    /** Unix milliseconds of the last answer. */
    at: answer.dataUpdatedAt,
    since: answer.data?.window.since ?? null,
    bringIn,
  }
}
