import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { useMay } from '../../session/caller.ts'
import { idIn } from './ids.ts'

const PATH = '/api/admin/v1/names'
/** Of one question. A page that shows more keeps the ids of the others. */
const MOST = 200
const FRESH_MS = 60_000
const NONE: ReadonlyMap<string, string> = new Map()

/** What the ids in these texts are called now, for operators; by id. What is gone, and everything for others, has no name. */
export function useNames(texts: readonly (string | null | undefined)[]): ReadonlyMap<string, string> {
  const may = useMay('auth_admin')
  const ids = [...new Set(texts.flatMap((text) => (text == null ? [] : (idIn(text) ?? []))))].sort().slice(0, MOST)
  const { data } = useQuery({
    queryKey: ['post', PATH, ids],
    enabled: may && ids.length > 0,
    staleTime: FRESH_MS,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data } = await client.POST(PATH, { body: { ids }, signal })
      return new Map(data!.names.map(({ id, name }) => [id, name]))
    },
  })
  return data ?? NONE
}
