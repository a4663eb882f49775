import type { paths } from '../../api/schema.d.ts'
import { type FigureFilter, type SearchBody, searchOf } from '../../parts/figures/search-link.ts'
import type { BucketAggregation, FigureSearch } from '../../parts/figures/useFigureSearch.ts'

export type OverviewAnswer = paths['/api/analytics/v1/overview']['get']['responses'][200]['content']['application/json']
export type KeyCount = { key: string; count: number }
/** Entities by the UTC day on which they were last seen; `malicious` of them where that is known. */
export type Day = { day: string; count: number; malicious: number | null }

/** What the page shows of a set of entities. */
export type Figures = {
  /** Which entities these are; every figure narrows it. */
  of: FigureFilter
  entities: number
  malicious: number
  types: KeyCount[]
  reputations: KeyCount[]
  accuracies: KeyCount[]
  tags: KeyCount[]
}

type Aggregations = {
  malicious: { doc_count: number }
  types: BucketAggregation
  reputations: BucketAggregation
  accuracies: BucketAggregation
  tags: BucketAggregation
  days: { buckets: { key: number; doc_count: number; malicious: { doc_count: number } }[] }
}
export type WindowAnswer = FigureSearch<Aggregations>

/** More than the catalogue has. */
const MOST_TYPES = 1_000
const TOP_TAGS = 20
const MALICIOUS = { filter: { range: { reputation: { lt: 0 } } } }

/** The window of a timeline: its first and its last day. Both are UTC days of the platform's clock. */
export const windowOf = ({ timeline }: Pick<OverviewAnswer, 'timeline'>): { from: string; to: string } => ({
  from: timeline[0]!.timestamp.slice(0, 10),
  to: timeline.at(-1)!.timestamp.slice(0, 10),
})

/** One search for all figures of the entities last seen in a window. */
export const windowSearch = (seen: { from: string; to: string }): SearchBody => ({
  ...searchOf({ seen }),
  aggs: {
    malicious: MALICIOUS,
    types: { terms: { field: 'type', size: MOST_TYPES } },
    reputations: { terms: { field: 'reputation', size: 7 } },
    accuracies: { terms: { field: 'accuracy', size: 4 } },
    tags: { terms: { field: 'tags', size: TOP_TAGS } },
    days: { date_histogram: { field: 'lastSeen', calendar_interval: 'day' }, aggs: { malicious: MALICIOUS } },
  },
})

const keyCounts = ({ buckets }: BucketAggregation): KeyCount[] =>
  buckets.map(({ key, doc_count: count }) => ({ key: String(key), count }))

/** The figures of a window out of the answer to `windowSearch`. */
export function windowFigures(seen: { from: string; to: string }, { items, aggregations }: WindowAnswer): Figures {
  const none: BucketAggregation = { buckets: [] }
  const { malicious, types, reputations, accuracies, tags } = aggregations ?? {}
  return {
    of: { seen },
    entities: items,
    malicious: malicious?.doc_count ?? 0,
    types: keyCounts(types ?? none),
    reputations: keyCounts(reputations ?? none),
    accuracies: keyCounts(accuracies ?? none),
    tags: keyCounts(tags ?? none),
  }
}

/** The figures of everything that the caller may read. */
export const totalFigures = (answer: OverviewAnswer): Figures => ({
  of: {},
  entities: answer.total_entities,
  malicious: answer.malicious_count,
  types: answer.by_type,
  reputations: answer.by_reputation,
  accuracies: answer.by_accuracy,
  tags: answer.top_tags,
})

/** The timeline, with the malicious entities of each day once the search has answered. */
export function daysOf({ timeline }: Pick<OverviewAnswer, 'timeline'>, found: WindowAnswer | undefined): Day[] {
  const byDay = new Map(found?.aggregations?.days.buckets.map((bucket) => [bucket.key, bucket]))
  return timeline.map(({ timestamp, count }) => {
    const bucket = byDay.get(Date.parse(timestamp))
    const day = timestamp.slice(0, 10)
    if (found === undefined) return { day, count, malicious: null }
    return { day, count: bucket?.doc_count ?? 0, malicious: bucket?.malicious.doc_count ?? 0 }
  })
}

/** All keys in a fixed order, those without entities too. */
export const inOrder = (keys: readonly number[], counts: readonly KeyCount[]): KeyCount[] =>
  keys.map((key) => ({ key: String(key), count: counts.find((one) => one.key === String(key))?.count ?? 0 }))
