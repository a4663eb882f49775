import { isTooHeavy } from '../../../../schemas/intelligence/search/cost.ts'
import { type SurfaceName, sortFieldOf } from '../../../../schemas/intelligence/search/fields.ts'
import { readSearch, type Search } from '../../../../schemas/intelligence/search/read-search.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import type { Paging } from './record-search.ts'

export type PagingQuery = { limit: number; page: number; sort: string; order: 'asc' | 'desc' }

/** What an advanced search asks, body and query parameters read together. Throws a 400 that names the first fault. */
export function readAdvanced(
  { limit, page, sort, order }: PagingQuery,
  body: unknown,
  { surface, now }: { surface: SurfaceName; now: number },
): { search: Search; paging: Paging } {
  const field = sortFieldOf(sort, surface)
  if ('reason' in field) throw invalid('sort', field.reason)
  const read = readSearch(body, { surface, now, sort: field })
  if (!read.ok) throw invalid(read.param, read.message)
  if (isTooHeavy(read.search))
    throw new ApiError('query_too_expensive', {
      message: 'query: too many patterns over too many fields; use fewer patterns or name the fields',
      param: 'query',
    })
  if (read.search.after !== null && page > 1) throw invalid('page', 'must be 1 if search_after is given')
  return { search: read.search, paging: { sort: { field, order }, limit, page: Math.max(1, page) } }
}
