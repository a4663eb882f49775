/** Which entities a figure counts; every member narrows it further, and none of them means all. */
export type FigureFilter = {
  /** Of the last sighting, both ends included: UTC days (`YYYY-MM-DD`) or instants. */
  seen?: { from: string; to?: string }
  /** Negative reputation. */
  malicious?: boolean
  types?: readonly string[]
  reputation?: number
  accuracy?: number
  tag?: string
  /** Where addresses and networks are, as attribution counts it. */
  country?: string
  asn?: string
  aso?: string
}

/** The body of `POST /api/search/v1/entities/advanced` (docs/use/search.md), as far as the console writes it itself. */
export type SearchBody = { query?: { filter: object[] }; aggs?: Record<string, object> }

/** The link to the search that counts the figure. */
export function searchOf({ seen, malicious, types, reputation, accuracy, tag, ...location }: FigureFilter): SearchBody {
  const filter: object[] = []
  if (seen) filter.push({ range: { lastSeen: { gte: seen.from, ...(seen.to ? { lte: seen.to } : {}) } } })
  if (malicious) filter.push({ range: { reputation: { lt: 0 } } })
  if (types) filter.push({ terms: { type: types } })
  if (reputation !== undefined) filter.push({ term: { reputation } })
  if (accuracy !== undefined) filter.push({ term: { accuracy } })
  if (tag !== undefined) filter.push({ term: { tags: tag } })
  for (const [field, value] of Object.entries(location)) filter.push({ term: { [field]: value } })
  return filter.length === 0 ? {} : { query: { filter } }
}

/** The address of the search page that shows what a figure counts. */
export const searchLink = (figure: FigureFilter): string =>
  `/search?mode=advanced&index=entities&dsl=${encodeURIComponent(JSON.stringify(searchOf(figure)))}`
