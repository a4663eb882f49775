import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import type { paths } from '../../../api/schema.d.ts'
import type { SearchAddress } from './address.ts'
import type { Json } from './json.ts'

type HistoryAnswer =
  paths['/api/search/v1/entities/history/advanced']['post']['responses'][200]['content']['application/json']
/** A current entity or a history record; `source` may leave fields out. */
export type ResultRecord = Partial<HistoryAnswer['results'][number]>

export type Network = { id: string; value: string; reputation: number; accuracy: number }

/** One page of an answer, and how long it took. */
export type SearchAnswer = {
  items: number
  pages: number
  results: (ResultRecord & { sort: (string | number | null)[] })[]
  aggregations: Json | null
  /** Networks that the address lies in; of simple searches. */
  coveredBy?: Network[]
  /** Milliseconds from question to answer, the way there and back included. */
  ms: number
}

export type SearchRequest = Pick<SearchAddress, 'index' | 'sort' | 'order' | 'page' | 'limit' | 'after'> & {
  route: 'simple' | 'advanced'
  body: Json
}

// The four routes differ in their addresses alone; a union of their types has no common call.
const post = client.POST as unknown as (path: string, init: object) => Promise<{ data: Omit<SearchAnswer, 'ms'> }>

/** Calls one of the four search routes. No result is an answer too. Rejects with a Problem. */
async function search(question: SearchRequest, signal: AbortSignal): Promise<SearchAnswer> {
  const { index, route, sort, order, page, limit, body } = question
  const path = `/api/search/v1/entities/${index === 'history' ? 'history/' : ''}${route}`
  const begun = performance.now()
  const ms = () => Math.round(performance.now() - begun)
  try {
    const { data } = await post(path, { params: { query: { sort, order, page, limit } }, body, signal })
    return { ...data, ms: ms() }
  } catch (thrown) {
    if (asProblem(thrown).status !== 404) throw thrown
    return { items: 0, pages: 0, results: [], aggregations: null, ms: ms() }
  }
}

/** The answer to a question; null sends no request. No retries: each attempt counts against a limit. */
export const useSearchAnswer = (question: SearchRequest | null) =>
  useQuery({
    queryKey: ['search', question],
    queryFn: ({ signal }) => search(question!, signal),
    enabled: question !== null,
    retry: false,
    // The next page replaces this one; another question starts empty.
    placeholderData: (before, query) =>
      differInPageOnly(query?.queryKey[1], question) ? keepPreviousData(before) : undefined,
  })

function differInPageOnly(one: unknown, other: SearchRequest | null): boolean {
  if (one === null || one === undefined || other === null) return false
  const { page: _, after: __, ...rest } = one as SearchRequest
  const { page: ___, after: ____, ...wanted } = other
  return JSON.stringify(rest) === JSON.stringify(wanted)
}
