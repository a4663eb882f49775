import { useInfiniteQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import type { Direction, MatchPage } from './match.ts'

const PATH = '/api/match/v1/matches'
const EVERY_MS = 30_000

export type MatchFilter = {
  direction: Direction | null
  /** The id of an entity. */
  entity: string | null
  /** Milliseconds before now; null: any time. */
  within: number | null
}

/** A page belongs to the moment from which its first page was asked for: a cursor is good for the same question alone. */
type Place = { since: number | null; cursor: string | null }
type Page = MatchPage & { since: number | null }

/**
 * Matches of the caller's owner, newest first, a page more with each `fetchNextPage`.
 * @param limit matches a page
 */
export function useMatches({ direction, entity, within }: MatchFilter, limit = 100) {
  return useInfiniteQuery({
    queryKey: ['get', PATH, { direction, entity, within, limit, pages: true }],
    initialPageParam: null as Place | null,
    queryFn: async ({ signal, pageParam }): Promise<Page> => {
      const since = pageParam === null ? sinceOf(within) : pageParam.since
      const query = {
        limit,
        ...(direction === null ? {} : { direction }),
        ...(entity === null ? {} : { entity }),
        ...(since === null ? {} : { since: String(since) }),
        ...(pageParam?.cursor ? { cursor: pageParam.cursor } : {}),
      }
      return { ...(await client.GET(PATH, { params: { query }, signal })).data!, since }
    },
    getNextPageParam: ({ more, cursor, since }): Place | null => (more ? { since, cursor } : null),
    refetchInterval: EVERY_MS,
  })
}

const sinceOf = (within: number | null): number | null => (within === null ? null : Date.now() - within)
