import { expect, test } from 'vitest'
import type { Query } from '../../../../../../../connectors/history/port.ts'
import { TooManyBuckets } from '../../../../../../../connectors/history/sql/search/aggregate/aggregation-bounds.ts'
import type { AnswerRow } from '../../../../../../../connectors/history/sql/search/aggregate/metric-answer.ts'
import { aggregate } from '../../../../../../../connectors/history/sql/search/aggregate/run-aggregations.ts'
import { historySurface } from '../../../../../../../connectors/history/sql/search/surface.ts'
import type {
  Aggregation,
  Aggregations,
} from '../../../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import { FIELDS } from '../../../../../../builders/search/aggregations.ts'

const scope = { surface: historySurface([5n]), query: { is: 'all' } as const }
const records = { of: (row: AnswerRow) => row }

/** The queries of a search whose answers are given, one after the other; none is an empty one. */
async function runAggregations(aggs: Record<string, Aggregation>, answers: AnswerRow[][] = []) {
  const queries: Query[] = []
  const ask = async (query: Query): Promise<AnswerRow[]> => answers[queries.push(query) - 1] ?? []
  const counts = await aggregate(new Map(Object.entries(aggs)), scope, ask, records)
  return { queries, counts }
}

const avg: Aggregation = { kind: 'avg', field: FIELDS.reputation }
const perDay = (aggs: Aggregations): Aggregation => ({
  kind: 'date_histogram',
  field: FIELDS.time,
  interval: { unit: 'day', n: 1 },
  minDocCount: 0,
  order: [],
  keyed: false,
  aggs,
})
const terms = (field: (typeof FIELDS)[keyof typeof FIELDS], aggs: Aggregations, size = 2): Aggregation => ({
  kind: 'terms',
  field,
  size,
  minDocCount: 1,
  order: [{ by: 'count', order: 'desc' }],
  aggs,
})

test('an average per day, the total and what stands beside it are one query', async () => {
  const rows = [
    { k0: '0', c: '3', m0_value: 1.5, g: '0' },
    { k0: '0', c: '3', r1_value: -1, g: '1' },
  ]
  const { queries, counts } = await runAggregations({ days: perDay(new Map([['avg', avg]])), all: avg }, [rows])
  expect(queries).toHaveLength(1)
  expect(counts).toEqual({
    items: 3,
    aggregations: {
      days: { buckets: [{ key_as_string: '1970-01-01T00:00:00.000Z', key: 0, doc_count: 3, avg: { value: 1.5 } }] },
      all: { value: -1 },
    },
  })
})

test('terms of few values carry the total beside the best of them, whatever their least number', async () => {
  const rows = [
    { k0: '', c: '5', r0_values: '5', g: '1' },
    { k0: 'ip', c: '4', r0_values: '4', g: '0' },
  ]
  const types = { ...terms(FIELDS.type, new Map(), 1), minDocCount: 3 } as Aggregation
  const { queries, counts } = await runAggregations({ types }, [rows])
  expect(queries).toHaveLength(1)
  expect(queries[0]!.sql).toMatch(
    /HAVING c >= \{p1:UInt64\} OR g = 1\nORDER BY g desc, c desc, k0 asc\nLIMIT \{p2:UInt32\}$/,
  )
  expect(queries[0]!.params).toMatchObject({ p1: 3, p2: 2 })
  expect(counts).toEqual({
    items: 5,
    aggregations: {
      types: { doc_count_error_upper_bound: 0, sum_other_doc_count: 1, buckets: [{ key: 'ip', doc_count: 4 }] },
    },
  })
})

test('records that are in no bucket of what carries the total are counted in it', async () => {
  const rows = [
    { k0: null, c: '2', g: '0' },
    { k0: '0', c: '3', g: '0' },
    { k0: null, c: '5', g: '1' },
  ]
  const { queries, counts } = await runAggregations(
    { seen: { ...perDay(new Map()), field: FIELDS.seen } as Aggregation },
    [rows],
  )
  expect(queries).toHaveLength(1)
  expect(queries[0]!.sql).not.toContain('isNotNull')
  expect(counts).toMatchObject({ items: 5, aggregations: { seen: { buckets: [{ key: 0, doc_count: 3 }] } } })
})

test('without aggregations the records are counted', async () => {
  const { queries, counts } = await runAggregations({}, [[{ c: '7' }]])
  expect(queries[0]!.sql).toBe(
    'SELECT count() AS c FROM (SELECT 1 FROM history WHERE (audience IN {p0:Array(UInt64)}))',
  )
  expect(counts).toEqual({ items: 7, aggregations: {} })
})

test('below terms only the chosen are asked about, and all that is from outside is bound', async () => {
  const evil = "x') OR 1=1 --"
  const country = { name: 'attribute', attribute: evil, kind: 'keyword' } as const
  const below = terms(country as never, new Map([['days', perDay(new Map())]]))
  const { queries } = await runAggregations({ users: terms(FIELDS.userID, new Map([['countries', below]])) }, [
    [{ c: '5' }],
    [{ k0: evil, c: '5' }],
    [{ k0: evil, k1: `${evil}{p0:String}`, c: '5' }],
  ])
  expect(queries).toHaveLength(4)
  for (const { sql } of queries) {
    expect(sql).toContain('audience IN {')
    expect(sql).not.toContain(evil)
  }
  expect(Object.values(queries[2]!.params)).toContainEqual([evil])
  expect(Object.values(queries[3]!.params)).toContainEqual([`${evil}{p0:String}`])
})

test('nothing is asked below what has no buckets', async () => {
  const { queries, counts } = await runAggregations({
    users: terms(FIELDS.userID, new Map([['days', perDay(new Map())]])),
  })
  expect(queries).toHaveLength(2)
  expect(counts).toMatchObject({ items: 0, aggregations: { users: { buckets: [], sum_other_doc_count: 0 } } })
})

test('more than ten thousand buckets of a level are refused by name', async () => {
  const rows = Array.from({ length: 10_001 }, (_, i) => ({ k0: `${i}`, c: '1', g: '0' }))
  await expect(runAggregations({ often: perDay(new Map()) }, [rows])).rejects.toThrow(new TooManyBuckets('often'))
})

test('records of too many buckets are refused before they are looked for', async () => {
  const hits: Aggregation = {
    kind: 'top_hits',
    size: 100,
    from: 0,
    sort: { field: FIELDS.time, order: 'desc' },
    includes: [],
    excludes: [],
  }
  const rows = Array.from({ length: 101 }, (_, i) => ({ k0: `${i}`, c: '1' }))
  const users = terms(FIELDS.userID, new Map([['newest', hits]]), 200)
  await expect(runAggregations({ users }, [[{ c: '101' }], rows])).rejects.toThrow(/'newest'.*10000 records/)
})

test('of no records only their number is told', async () => {
  const newest = { kind: 'top_hits', size: 0, from: 0, sort: { field: FIELDS.time, order: 'desc' } } as const
  const { queries, counts } = await runAggregations({ newest: { ...newest, includes: [], excludes: [] } }, [
    [{ c: '7' }],
  ])
  expect(queries).toHaveLength(1)
  expect(counts.aggregations).toEqual({ newest: { hits: { total: { value: 7, relation: 'eq' }, hits: [] } } })
})

test.each<[Aggregation, string, string]>([
  [{ kind: 'stats', field: FIELDS.asn }, 'max', 'm0_max desc'],
  [{ kind: 'extended_stats', field: FIELDS.asn, sigma: 2 }, 'std_deviation_sampling', 'm0_variance_sampling desc'],
  [{ kind: 'percentiles', field: FIELDS.asn, percents: [50, 99.9], keyed: true }, '99.9', 'm0_value[2] desc'],
])('terms are ordered by a member of %j', async (metric, of, sql) => {
  const order = [{ by: { metric: 'm', of }, order: 'desc' as const }]
  const users = { ...terms(FIELDS.userID, new Map([['m', metric]])), order } as Aggregation
  const { queries } = await runAggregations({ users })
  expect(queries[1]!.sql).toContain(`ORDER BY ${sql} NULLS LAST, k0 asc`)
})

test('an order by what a metric does not have is refused', async () => {
  const order = [{ by: { metric: 'm', of: 'median' }, order: 'desc' as const }]
  const metric: Aggregation = { kind: 'stats', field: FIELDS.asn }
  const users = { ...terms(FIELDS.userID, new Map([['m', metric]])), order } as Aggregation
  await expect(runAggregations({ users })).rejects.toThrow("'stats' has no member 'median'")
})
