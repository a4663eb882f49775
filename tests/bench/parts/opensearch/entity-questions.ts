import { bucketCounts, type Question, readableByThem, samePage } from './questions.ts'

const VALUES = 10_000
const HOURS = 24

/** Half of the values are known, spread over all entities, others in every round. */
function values(entities: number, round: number): string[] {
  const step = Math.max(1, Math.floor((2 * entities) / VALUES))
  return Array.from({ length: VALUES }, (_, i) => {
    const e = i % 2 === 0 ? ((i >> 1) * step + round * 7919) % entities : entities + 5_000_000 + i
    return e % 20 < 10 ? `11.${(e >> 16) & 255}.${(e >> 8) & 255}.${e & 255}` : `host-${e}.example-${e % 997}.com`
  })
}

const terms = (field: string, size: number) => ({
  terms: { field, size, order: [{ _count: 'desc' }, { _key: 'asc' }] },
})
const everything = { bool: { filter: [readableByThem] } }
const malicious = { bool: { filter: [readableByThem, { range: { reputation: { lt: 0 } } }] } }

type Buckets = { key: string; count: number }[]
const ofBuckets = (buckets: Buckets) => buckets.map(({ key, count }) => [key, count])

/** Questions to what is known of `entities` entities. */
export const entityQuestions = (entities: number): readonly Question[] => [
  {
    name: 'overview',
    ours: () => ({ path: '/api/analytics/v1/overview?days=30' }),
    theirs: () => ({
      index: 'entities',
      body: {
        track_total_hits: true,
        size: 0,
        query: everything,
        aggs: {
          types: terms('type', 200),
          reputations: terms('reputation', 10),
          accuracies: terms('accuracy', 10),
          tags: terms('tags', 20),
          days: { date_histogram: { field: 'first_seen', calendar_interval: 'day' } },
        },
      },
    }),
    same: {
      ours: (a) => [a.total_entities, ...[a.by_type, a.by_reputation, a.by_accuracy, a.top_tags].map(ofBuckets)],
      theirs: ({ hits, aggregations: a }) => [
        hits.total.value,
        ...[a.types, a.reputations, a.accuracies, a.tags].map(bucketCounts),
      ],
    },
  },
  {
    name: 'attribution',
    ours: () => ({ path: '/api/analytics/v1/attribution' }),
    theirs: () => ({
      index: 'entities',
      body: {
        size: 0,
        query: malicious,
        aggs: { countries: terms('country', 20), asns: terms('asn', 20), asos: terms('aso', 20) },
      },
    }),
    same: {
      ours: (a) => [a.by_country, a.by_asn, a.by_aso].map(ofBuckets),
      theirs: ({ aggregations: a }) => [a.countries, a.asns, a.asos].map(bucketCounts),
    },
  },
  {
    name: 'recent',
    ours: () => ({ path: `/api/analytics/v1/recent?hours=${HOURS}` }),
    theirs: () => ({
      index: 'entities',
      body: {
        size: 50,
        query: {
          bool: {
            filter: [
              readableByThem,
              { range: { reputation: { lt: 0 } } },
              { range: { last_seen: { gte: Date.now() - HOURS * 3_600_000 } } },
            ],
          },
        },
        sort: [{ last_seen: 'desc' }, { id: 'asc' }],
      },
    }),
    same: {
      ours: (a) => a.items.map(({ id }: { id: string }) => id),
      theirs: (a) => a.hits.hits.map(({ _id }: { _id: string }) => _id),
    },
  },
  {
    name: 'current entities by tag',
    ours: () => ({
      path: '/api/search/v1/entities/advanced',
      body: { query: { must: [{ term: { tags: 'family-7' } }] } },
    }),
    theirs: () => ({
      index: 'entities',
      body: {
        track_total_hits: true,
        size: 10,
        query: { bool: { filter: [readableByThem, { term: { tags: 'family-7' } }] } },
        sort: [{ first_seen: 'desc' }, { id: 'desc' }],
      },
    }),
    same: samePage,
  },
  {
    name: 'look-up of 10,000',
    ours: (round) => ({ path: '/api/search/v1/entities/lookup', body: { values: values(entities, round) } }),
    theirs: (round) => ({
      index: 'entities',
      body: {
        size: VALUES,
        query: { bool: { filter: [readableByThem, { terms: { value: values(entities, round) } }] } },
      },
    }),
    same: {
      ours: (a) => a.results.flatMap(({ entities: of }: Found) => of.map(({ id }) => id)).toSorted(),
      theirs: (a) => a.hits.hits.map(({ _id }: { _id: string }) => _id).toSorted(),
    },
  },
]

type Found = { entities: { id: string }[] }
