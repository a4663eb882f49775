import { expect, test } from 'vitest'
import { narrow } from '../../../../../../console/src/pages/search/advanced/narrow.ts'
import { type Bucket, readAggregations } from '../../../../../../console/src/pages/search/aggregations/results.ts'
import { readSearch } from '../../../../../../schemas/intelligence/search/read-search.ts'

const valid = (body: unknown) =>
  readSearch(body, { surface: 'entities', now: 0, sort: { name: 'lastSeen', kind: 'date' } })

const day = { key_as_string: '2026-11-20T00:00:00.000Z', key: 1763596800000, doc_count: 2 }
const cases: [name: string, asked: object, found: object, want: Partial<Bucket>][] = [
  [
    'terms',
    { terms: { field: 'type' } },
    { key: 'ip', doc_count: 3 },
    { name: 'ip', count: 3, clause: { term: { type: 'ip' } } },
  ],
  [
    'booleans',
    { terms: { field: 'wellKnown' } },
    { key: 1, key_as_string: 'true', doc_count: 1 },
    { name: 'true', clause: { term: { wellKnown: true } } },
  ],
  [
    'days',
    { date_histogram: { field: 'lastSeen', interval: 'day' } },
    day,
    {
      name: '2026-11-20',
      count: 2,
      clause: { range: { lastSeen: { gte: day.key_as_string, lt: `${day.key_as_string}||+1d` } } },
    },
  ],
  [
    'quarters',
    { date_histogram: { field: 'lastSeen', calendar_interval: 'quarter' } },
    day,
    { clause: { range: { lastSeen: { gte: day.key_as_string, lt: `${day.key_as_string}||+3M` } } } },
  ],
  [
    'minutes',
    { date_histogram: { field: 'lastSeen', fixed_interval: '5m' } },
    day,
    {
      name: '2026-11-20 00:00',
      clause: { range: { lastSeen: { gte: day.key_as_string, lt: `${day.key_as_string}||+5m` } } },
    },
  ],
  [
    'steps',
    { histogram: { field: 'reputation', interval: 2 } },
    { key: -4, doc_count: 1 },
    { name: '-4', clause: { range: { reputation: { gte: -4, lt: -2 } } } },
  ],
  [
    'ranges',
    { range: { field: 'accuracy', ranges: [{ to: 2 }] } },
    { key: '*-2', to: 2, doc_count: 1 },
    { clause: { range: { accuracy: { lt: 2 } } } },
  ],
]

for (const [name, asked, found, want] of cases)
  test(`a bucket of ${name} names what only it has`, () => {
    const [said] = readAggregations({ aggs: { a: asked } }, { a: { buckets: [found], sum_other_doc_count: 4 } })
    expect(said).toMatchObject({ is: 'buckets', buckets: [want], otherCount: 4 })
    const clause = said?.is === 'buckets' ? said.buckets[0]!.clause! : {}
    expect(valid(narrow({}, clause)).ok).toBe(true)
  })

test('numbers, and what is inside of buckets', () => {
  const aggs = {
    mean: { avg: { field: 'reputation' } },
    sizes: { stats: { field: 'accuracy' } },
    types: {
      terms: { field: 'type' },
      aggs: { mean: { avg: { field: 'reputation' } }, tags: { terms: { field: 'tags' } } },
    },
    top: { top_hits: {} },
  }
  const answer = {
    mean: { value: -1.5 },
    sizes: { count: 2, min: 1, max: null, avg: 1.23456, sum: 3 },
    types: {
      buckets: [{ key: 'ip', doc_count: 2, mean: { value: -2 }, tags: { buckets: [{ key: 'a', doc_count: 1 }] } }],
    },
    top: { hits: { total: { value: 0 }, hits: [] } },
  }
  const [mean, sizes, types, top] = readAggregations({ aggs }, answer)
  expect(mean).toMatchObject({ is: 'numbers', numbers: [['', '-1.5']] })
  expect(sizes).toMatchObject({
    numbers: expect.arrayContaining([
      ['max', '–'],
      ['avg', '1.235'],
    ]),
  })
  const bucket = types?.is === 'buckets' ? types.buckets[0]! : null
  expect(bucket?.numbers.get('mean')).toBe('-2')
  expect(bucket?.inside.get('tags')).toMatchObject([{ name: 'a', count: 1 }])
  expect(top?.is).toBe('raw')
})

test('one clause more keeps what `should` meant', () => {
  const clause = { term: { type: 'ip' } }
  expect(narrow({ query: { should: [{ term: { tags: 'a' } }] }, search_after: [1, 'a'] }, clause)).toEqual({
    query: { should: [{ term: { tags: 'a' } }], must: [clause], minimum_should_match: 1 },
  })
  const once = narrow({}, clause)
  expect(narrow(once, clause)).toBe(once)
})
