import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, client } from '../../../api/client.ts'

const PATH = '/api/casework/v1/searches'
export const SAVED_PAGE = 20

/** The caller's own searches, newest first, and how many there are. */
export const useSavedSearches = (page: number) =>
  useQuery({
    queryKey: ['get', PATH, { page }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { page, limit: SAVED_PAGE }
      const { data = [], response } = await client.GET(PATH, { params: { query }, signal })
      const items = Number(response.headers.get('x-total-count'))
      return { items, pages: Math.ceil(items / SAVED_PAGE), results: data }
    },
  })

/** Changes of saved searches; each change fetches the list again. */
export function useSavedSearchChanges() {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['get', PATH] })
  return {
    make: api.useMutation('post', PATH, { onSuccess }),
    rename: api.useMutation('put', `${PATH}/{id}`, { onSuccess }),
    remove: api.useMutation('delete', `${PATH}/{id}`, { onSuccess }),
  }
}
