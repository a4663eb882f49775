import { useInfiniteQuery } from '@tanstack/react-query'
import { api, client } from '../../../api/client.ts'
import type { AlertPage, ReadState } from './alerts.ts'

const PATH = '/api/casework/v1/alerts'
const PAGE = 50
const EVERY_MS = 30_000
const NOTHING_READ: ReadState = { read_until: null, read: [] }

/** Alerts, newest first, a page more with each `fetchNextPage`; and what of them was read. */
export function useInbox(unread: boolean) {
  const alerts = useInfiniteQuery({
    queryKey: ['get', PATH, { unread, pages: true }],
    initialPageParam: null as string | null,
    queryFn: async ({ signal, pageParam }): Promise<AlertPage> => {
      const query = { unread, limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) }
      return (await client.GET(PATH, { params: { query }, signal })).data!
    },
    getNextPageParam: ({ items }) => (items.length < PAGE ? null : items.at(-1)!.id),
    refetchInterval: EVERY_MS,
  })
  const read = api.useQuery('get', `${PATH}/read-state`, {}, { refetchInterval: EVERY_MS })
  return { alerts, readState: read.data ?? NOTHING_READ, readError: read.error }
}
