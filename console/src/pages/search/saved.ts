import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { isKind } from './kinds.ts'
import { type Place, readPlace } from './place.ts'
import type { Json } from './write.ts'

const PATH = '/api/casework/v1/searches'
export const SAVED_PAGE = 20

/** The caller's own searches, newest first. */
export const useSaved = (page: number) =>
  api.useQuery('get', PATH, { params: { query: { page, limit: SAVED_PAGE } } }, { placeholderData: keepPreviousData })

/** Changes of saved searches; each makes the list be asked again. */
export function useSaving() {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['get', PATH] })
  return {
    make: api.useMutation('post', PATH, { onSuccess }),
    rename: api.useMutation('put', `${PATH}/{id}`, { onSuccess }),
    remove: api.useMutation('delete', `${PATH}/{id}`, { onSuccess }),
  }
}

/** What is kept of a place: what was asked, not how far somebody has read. null: nothing was asked. */
export function keptOf({ mode, index, q, as, dsl, sort, order }: Place): Json | null {
  const common = { mode, index, sort, order }
  if (mode === 'advanced') return dsl === null ? null : { ...common, dsl }
  return q.trim() === '' ? null : { ...common, q, ...(as === null ? {} : { as }) }
}

/** The place of something kept, here or by another program; null when it is nothing that can be opened. */
export function placeOf(kept: Json): Place | null {
  const usual = readPlace('')
  const text = (name: string) => (typeof kept[name] === 'string' ? (kept[name] as string) : null)
  const common = {
    ...usual,
    index: kept.index === 'history' ? ('history' as const) : usual.index,
    sort: text('sort') ?? usual.sort,
    order: kept.order === 'asc' ? ('asc' as const) : usual.order,
  }
  const as = text('as')
  const q = text('q')
  if (kept.mode === 'quick' && q !== null) return { ...common, mode: 'quick', q, as: isKind(as) ? as : null }
  // Programs keep the body itself.
  const dsl = text('dsl') ?? (kept.mode === undefined ? JSON.stringify(kept) : null)
  return dsl === null ? null : { ...common, mode: 'advanced', dsl }
}
