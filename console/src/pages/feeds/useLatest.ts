import { keepPreviousData } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

const REFRESH_MS = 5_000
/** Changes shown at first. */
export const SHOWN = 100
/** The platform gives no more at once. */
export const MOST = 1_000

/** The last changes of a list, newest first, asked for again and again. */
export function useLatest(id: string, limit: number) {
  const params = { params: { path: { id }, query: { limit } } }
  return api.useQuery('get', '/api/feeds/v1/feeds/{id}/delta/latest', params, {
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })
}
