import { useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { type Item, LIMIT } from './feed.ts'

const EVERY_MS = 10_000

/** The part of the filters that the platform applies. */
export type FeedQuery = { hours: number; malicious: boolean }

type ListedFeed = { of: string; items: Item[]; fresh: ReadonlySet<string> }

/**
 * The newest entities. `read` stays as it is until `bringIn` is called; `latest` is the platform's last answer. The
 * list is fetched every 10 s, unless `paused` or while the tab is hidden.
 */
export function useFeed({ hours, malicious }: FeedQuery, paused: boolean) {
  const query = { hours, malicious_only: malicious, limit: LIMIT }
  const answer = api.useQuery(
    'get',
    '/api/analytics/v1/recent',
    { params: { query } },
    {
      staleTime: EVERY_MS / 2,
      refetchInterval: ({ state }) =>
        paused ? false : Math.max(EVERY_MS, 1_000 * (state.error ? (asProblem(state.error).retryAfter ?? 0) : 0)),
      refetchOnWindowFocus: !paused,
    },
  )
  const of = `${hours} ${malicious}`
  const latest = answer.data?.items
  const [read, setRead] = useState<ListedFeed | null>(null)
  // After a change of the filters, or with an empty list, the answer is shown at once.
  if (latest && (read?.of !== of || (read.items.length === 0 && latest.length > 0)))
    setRead({ of, items: latest, fresh: new Set() })
  const current = read?.of === of ? read : null
  const bringIn = (): void => {
    if (!latest || !current) return
    const known = new Set(current.items.map(({ id }) => id))
    setRead({ of, items: latest, fresh: new Set(latest.map(({ id }) => id).filter((id) => !known.has(id))) })
  }
  return {
    answer,
    read: current?.items ?? null,
    fresh: current?.fresh ?? new Set<string>(),
    latest: latest ?? [],
    /** Unix milliseconds of the last answer. */
    at: answer.dataUpdatedAt,
    since: answer.data?.window.since ?? null,
    bringIn,
  }
}
