import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { useFigureSearch } from '../../parts/figures/useFigureSearch.ts'
import type { Which } from './dimensions.ts'
import { attributionOf, LINES, type LocatedSearch, locatedSearch } from './figures.ts'

/** The lists of the page, the total that their shares are of (null: not known), and the question that may have failed. */
export function useAttribution({ malicious, since }: Which) {
  const query = { size: LINES, malicious_only: malicious }
  const counted = api.useQuery(
    'get',
    '/api/analytics/v1/attribution',
    { params: { query } },
    { enabled: since === null },
  )
  const search = useMemo(() => locatedSearch({ malicious, since }), [malicious, since])
  const found = useFigureSearch<LocatedSearch['aggregations']>(search)
  const { data, error, isPending, refetch } = since === null ? counted : found
  return {
    attribution: attributionOf(since, counted.data, found.data as LocatedSearch | undefined),
    total: found.data?.items ?? null,
    asked: { data, error, isPending, refetch },
  }
}
