import { useInfiniteQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import type { AlertPage, AlertState } from './alerts.ts'

const PATH = '/api/casework/v1/alerts'
const PAGE = 50
const EVERY_MS = 30_000

/** Alerts in a state (null: in any), newest first, a page more with each `fetchNextPage`. */
export function useInbox(state: AlertState | null, unread: boolean) {
  return useInfiniteQuery({
    queryKey: ['get', PATH, { state, unread, pages: true }],
    initialPageParam: null as string | null,
    queryFn: async ({ signal, pageParam }): Promise<AlertPage> => {
      const narrowed = { unread, limit: PAGE, ...(state === null ? {} : { state }) }
      const query = { ...narrowed, ...(pageParam === null ? {} : { before: pageParam }) }
      return (await client.GET(PATH, { params: { query }, signal })).data!
    },
    getNextPageParam: ({ items }) => (items.length < PAGE ? null : items.at(-1)!.id),
    refetchInterval: EVERY_MS,
  })
}
