import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import type { SearchBody } from './search-link.ts'

/** Buckets of a `terms`, `date_histogram` or `filter`, as far as figures are read out of them. */
export type BucketAggregation = { buckets: { key: string | number; key_as_string?: string; doc_count: number }[] }

export type FigureSearch<Aggregations> = { items: number; aggregations: Aggregations | null }

/** The number of current entities that match a search, and their aggregations. No match is an answer, not an error. */
export function useFigureSearch<Aggregations = null>(
  body: SearchBody | null,
): UseQueryResult<FigureSearch<Aggregations>, unknown> {
  return useQuery({
    queryKey: ['entities counted', body],
    enabled: body !== null,
    queryFn: async ({ signal }) => {
      try {
        const params = { query: { limit: 0 } }
        const request = client.POST('/api/search/v1/entities/advanced', { params, body: body as never, signal })
        return (await request).data as unknown as FigureSearch<Aggregations>
      } catch (thrown) {
        if (asProblem(thrown).status === 404) return { items: 0, aggregations: null }
        throw thrown
      }
    },
  })
}
