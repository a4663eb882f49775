/** Where the numbers of the page come from (ADR 284). */

import type { paths } from '../../api/schema.d.ts'
import { type SearchBody, searchOf } from '../../parts/figures/search-link.ts'
import type { BucketAggregation, FigureSearch } from '../../parts/figures/useFigureSearch.ts'
import { type Attribution, locatedEntities, type Which } from './dimensions.ts'

export type CountedAnswer =
  paths['/api/analytics/v1/attribution']['get']['responses'][200]['content']['application/json']

type Terms = BucketAggregation['buckets'][number]
export type LocatedSearch = FigureSearch<{
  country: BucketAggregation
  asn: { buckets: (Terms & { aso: BucketAggregation })[] }
}>

/** Lines that are read of each list: those of the map, and of the longest table. */
export const LINES = 100

/** One search for the total, the countries, and the systems each with the organisation that most of its entities have. */
export const locatedSearch = (which: Which): SearchBody => ({
  ...searchOf(locatedEntities(which)),
  aggs: {
    country: { terms: { field: 'country', size: LINES } },
    asn: { terms: { field: 'asn', size: LINES }, aggs: { aso: { terms: { field: 'aso', size: 1 } } } },
  },
})

/**
 * The lists of the page. Without a period they are the counters of the platform, which are there at once; the search adds
 * the names of organisations. With one they are those of the search. Null while they are not there.
 */
export function attributionOf(
  since: string | null,
  counted: CountedAnswer | undefined,
  found: LocatedSearch | undefined,
): Attribution | null {
  const systems = found?.aggregations?.asn.buckets ?? []
  const organisations = new Map(systems.map(({ key, aso }) => [String(key), String(aso.buckets[0]?.key ?? '')]))
  const named = ({ key, count }: { key: string; count: number }) => {
    return { key, count, organisation: organisations.get(key) ?? '' }
  }
  if (since === null) return counted ? { country: counted.by_country, asn: counted.by_asn.map(named) } : null
  if (found === undefined) return null
  const lines = (buckets: readonly Terms[]) => buckets.map(({ key, doc_count: count }) => ({ key: String(key), count }))
  return { country: lines(found.aggregations?.country.buckets ?? []), asn: lines(systems).map(named) }
}
