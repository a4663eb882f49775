import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import { address, time } from '../search-cases.ts'
import { RARE } from '../seeded-store.ts'

export const GROUPS = ['public', 'group-3']
const readable = { terms: { audience: GROUPS.map((group) => String(audienceId([group]))) } }

/** One question to both, and what of the two answers has to be equal. */
export type Question = {
  name: string
  ours: (round: number) => { path: string; body?: object }
  theirs: (round: number) => { index: 'history' | 'entities'; body: object }
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path
  same: { ours: (answer: any) => unknown; theirs: (answer: any) => unknown }
}

const HISTORY = '/api/search/v1/entities/history'

type Hits = { hits: { total: { value: number }; hits: { _id: string }[] } }
type Found = { items: number; results: { sort: unknown[] }[] } | null

/** Totals and ids of the page; ours answers 404 where nothing is found. */
const page: Question['same'] = {
  ours: (found: Found) => [found?.items ?? 0, (found?.results ?? []).map(({ sort }) => sort[1])],
  theirs: ({ hits }: Hits) => [hits.total.value, hits.hits.map(({ _id }) => _id)],
}

type Terms = { buckets: { key: unknown; doc_count: number }[] }
const counts = ({ buckets }: Terms) => buckets.map(({ key, doc_count }) => [String(key), doc_count])

const where = (...filter: object[]) => ({ bool: { filter: [readable, ...filter] } })
const newest = [{ ts: 'desc' }, { id: 'desc' }]
/** A page of records, with the exact total, as ours has it. */
const records = (query: object, more: object = {}) => ({
  index: 'history' as const,
  body: { track_total_hits: true, size: 10, sort: newest, query, ...more },
})

/** A search of the history in both languages. */
const search = (
  name: string,
  ours: (round: number) => object,
  theirs: (round: number) => ReturnType<typeof records>,
  paging = '',
): Question => ({
  name,
  ours: (round) => ({ path: `${HISTORY}/advanced?${paging}`, body: ours(round) }),
  theirs,
  same: page,
})

const anywhere = (value: string) => ({
  bool: {
    should: [{ term: { anywhere: value } }, { match: { words: { query: value, operator: 'and' } } }],
    minimum_should_match: 1,
  },
})
const exactly = (round: number) => records(where({ term: { 'attributes.ip': address(round) } }))

export const searches: readonly Question[] = [
  {
    name: 'exact value, simple',
    ours: (round) => ({ path: `${HISTORY}/simple`, body: { query: address(round) } }),
    theirs: (round) => records(where(anywhere(address(round)))),
    same: page,
  },
  search(
    'exact value, advanced',
    (round) => ({ query: { must: [{ term: { 'attributes.ip': address(round) } }] } }),
    exactly,
  ),
  {
    name: 'exact value, nothing found',
    ours: (round) => ({ path: `${HISTORY}/simple`, body: { query: `10.0.${round + 1}.77` } }),
    theirs: (round) => records(where(anywhere(`10.0.${round + 1}.77`))),
    same: page,
  },
  search(
    'a word of 1 in 5,000 records',
    () => ({ query: { must: [{ term: { 'attributes.text': RARE } }] } }),
    () => records(where({ match: { 'attributes.text': RARE } })),
  ),
  search(
    'an attribute of a quarter',
    () => ({ query: { must: [{ term: { 'attributes.country': 'United States' } }] } }),
    () => records(where({ term: { 'attributes.country': 'United States' } })),
  ),
  search(
    'everything, newest',
    () => ({}),
    () => records(where()),
  ),
  search(
    'page 900 of 1,000 each',
    () => ({}),
    () => records(where(), { size: 1000, from: 899_000 }),
    'limit=1000&page=900',
  ),
  search(
    'search_after at the middle',
    () => ({ search_after: [time(0.5), '00000000-0000-4000-8000-000000000000'] }),
    () => records(where(), { search_after: [time(0.5), '00000000-0000-4000-8000-000000000000'] }),
  ),
  {
    ...search(
      'bool, date_histogram, avg',
      () => ({
        query: {
          must: [{ term: { type: 'ip' } }, { range: { '@timestamp': { gte: time(0.25) } } }],
          must_not: [{ term: { tags: 'family-7' } }],
        },
        aggs: {
          days: {
            date_histogram: { field: '@timestamp', interval: 'day' },
            aggs: { mean: { avg: { field: 'reputation' } } },
          },
        },
      }),
      () =>
        records(
          {
            bool: {
              filter: [readable, { term: { type: 'ip' } }, { range: { ts: { gte: time(0.25) } } }],
              must_not: [{ term: { tags: 'family-7' } }],
            },
          },
          {
            size: 0,
            aggs: {
              days: {
                date_histogram: { field: 'ts', calendar_interval: 'day' },
                aggs: { mean: { avg: { field: 'reputation' } } },
              },
            },
          },
        ),
      'limit=0',
    ),
    same: { ours: means, theirs: means },
  },
  {
    ...search(
      'terms of the tags',
      () => ({ aggs: { tags: { terms: { field: 'tags' } } } }),
      () => records(where(), { size: 0, aggs: { tags: { terms: { field: 'tags' } } } }),
      'limit=0',
    ),
    same: { ours: ofTags, theirs: ofTags },
  },
]

type Days = { buckets: { doc_count: number; mean: { value: number } }[] }

function means({ aggregations }: { aggregations: { days: Days } }) {
  return aggregations.days.buckets.map(({ doc_count, mean }) => [doc_count, mean.value.toFixed(9)])
}

function ofTags({ aggregations }: { aggregations: { tags: Terms } }) {
  return counts(aggregations.tags)
}

export const bucketCounts = counts
export { page as samePage, readable as readableByThem }
