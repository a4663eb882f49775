import { expect, test } from 'vitest'
import { TooManyBuckets } from '../../../../../../../connectors/history/sql/search/aggregate/aggregation-bounds.ts'
import {
  type Bucket,
  groupByParent,
  pathKey,
  type QueryResults,
} from '../../../../../../../connectors/history/sql/search/aggregate/query-results.ts'
import { shape } from '../../../../../../../connectors/history/sql/search/aggregate/shape.ts'
import type {
  Aggregation,
  Aggregations,
  BucketOrder,
} from '../../../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import { FIELDS } from '../../../../../../builders/search/aggregations.ts'

const none: Aggregations = new Map()
const bucket = (keys: Bucket['keys'], count: number, row: Bucket['row'] = {}): Bucket => ({ keys, count, row })
const found = (lists: Record<string, Bucket[]>, row: Bucket['row'] = {}): QueryResults => ({
  root: { count: 9, row },
  buckets: new Map(
    Object.entries(lists).map(([names, list]) => [
      pathKey(names.split('>')),
      groupByParent(list, (b) => b.keys.slice(0, -1)),
    ]),
  ),
  hits: new Map(),
})
const one = (aggregation: Aggregation, lists: Bucket[], row: Bucket['row'] = {}): unknown =>
  shape(new Map([['x', aggregation]]), found({ x: lists }, row)).x

const days = (more: object = {}): Aggregation => ({
  kind: 'date_histogram',
  field: FIELDS.time,
  interval: { unit: 'day', n: 1 },
  minDocCount: 0,
  order: [],
  keyed: false,
  aggs: none,
  ...more,
})
const numbers = (more: object = {}): Aggregation => ({
  kind: 'histogram',
  field: FIELDS.asn,
  interval: 5,
  offset: 1,
  minDocCount: 0,
  order: [],
  keyed: false,
  aggs: none,
  ...more,
})

test('days without records stand between the first and the last', () => {
  expect(one(days(), [bucket([1], 3), bucket([-1], 2)])).toEqual({
    buckets: [
      { key_as_string: '1969-12-31T00:00:00.000Z', key: -86_400_000, doc_count: 2 },
      { key_as_string: '1970-01-01T00:00:00.000Z', key: 0, doc_count: 0 },
      { key_as_string: '1970-01-02T00:00:00.000Z', key: 86_400_000, doc_count: 3 },
    ],
  })
})

test.each([
  [{ minDocCount: 1 }, [-1, 1]],
  [{ minDocCount: 3 }, [1]],
  [{ order: [{ by: 'key', order: 'desc' }] }, [1, 0, -1]],
  [{ order: [{ by: 'count', order: 'asc' }] }, [0, -1, 1]],
])('a histogram with %j has these buckets', (more, keys) => {
  const { buckets } = one(numbers(more), [bucket([-1], 2), bucket([1], 3)]) as { buckets: { key: number }[] }
  expect(buckets.map(({ key }) => (key - 1) / 5)).toEqual(keys)
})

test.each<[BucketOrder['by'], Aggregation, string, unknown[], number[]]>([
  [{ metric: 'm', of: null }, { kind: 'avg', field: FIELDS.asn }, 'm0_value', [2, null, 1], [0, 2, 1]],
  [{ metric: 'm', of: 'max' }, { kind: 'stats', field: FIELDS.asn }, 'm0_max', [1, null, 2], [2, 0, 1]],
  [
    { metric: 'm', of: '50' },
    { kind: 'percentiles', field: FIELDS.asn, percents: [25, 50], keyed: true },
    'm0_value',
    [
      [9, 1],
      [null, null],
      [0, 2],
    ],
    [2, 0, 1],
  ],
])('buckets in descending order of %j end with those that have none', (by, metric, column, values, order) => {
  const aggs = new Map([['m', metric]])
  const rows = values.map((value, i) => bucket([i], 1, { [column]: value }))
  const answer = one(numbers({ aggs, order: [{ by, order: 'desc' }] }), rows) as { buckets: { key: number }[] }
  expect(answer.buckets.map(({ key }) => (key - 1) / 5)).toEqual(order)
})

test('keyed buckets stand under their key', () => {
  expect(one(days({ keyed: true }), [bucket([0], 1)])).toEqual({
    buckets: { '1970-01-01T00:00:00.000Z': { key_as_string: '1970-01-01T00:00:00.000Z', key: 0, doc_count: 1 } },
  })
  expect(one(numbers({ keyed: true }), [bucket([0], 1)])).toEqual({ buckets: { '1.0': { key: 1, doc_count: 1 } } })
  const ranges = [{ key: null, from: 1, to: 3.5 }]
  expect(one({ kind: 'range', field: FIELDS.asn, ranges, keyed: true, aggs: none }, [bucket([0], 4)])).toEqual({
    buckets: { '1.0-3.5': { from: 1, to: 3.5, doc_count: 4 } },
  })
})

test('ranges stand in the order of their bounds, empty ones too, dates also as text', () => {
  const ranges = [
    { key: null, from: 0, to: null },
    { key: 'old', from: null, to: 0 },
    { key: null, from: -1, to: 1e300 },
  ]
  expect(one({ kind: 'date_range', field: FIELDS.time, ranges, keyed: false, aggs: none }, [bucket([0], 4)])).toEqual({
    buckets: [
      { key: 'old', to: 0, to_as_string: '1970-01-01T00:00:00.000Z', doc_count: 0 },
      {
        key: '1969-12-31T23:59:59.999Z-1e+300',
        from: -1,
        from_as_string: '1969-12-31T23:59:59.999Z',
        to: 1e300,
        to_as_string: '1e+300',
        doc_count: 0,
      },
      { key: '1970-01-01T00:00:00.000Z-*', from: 0, from_as_string: '1970-01-01T00:00:00.000Z', doc_count: 4 },
    ],
  })
})

test('terms tell how many values are in no bucket, and booleans and dates as text', () => {
  const terms = (field: (typeof FIELDS)[keyof typeof FIELDS]): Aggregation => ({
    kind: 'terms',
    field,
    size: 10,
    minDocCount: 1,
    order: [],
    aggs: none,
  })
  expect(one(terms(FIELDS.wellKnown), [bucket([1], 3)], { r0_values: '8' })).toEqual({
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: 5,
    buckets: [{ key: 1, key_as_string: 'true', doc_count: 3 }],
  })
  expect(one(terms(FIELDS.time), [bucket([0], 3)], { r0_values: '3' })).toMatchObject({
    sum_other_doc_count: 0,
    buckets: [{ key: 0, key_as_string: '1970-01-01T00:00:00.000Z', doc_count: 3 }],
  })
})

test('metrics of nothing are null, sums and counts of nothing 0, and nothing is ever NaN', () => {
  const metric = (aggregation: object): Aggregation => ({ field: FIELDS.asn, ...aggregation }) as Aggregation
  const aggs = new Map([
    ['avg', metric({ kind: 'avg' })],
    ['sum', metric({ kind: 'sum' })],
    ['cardinality', metric({ kind: 'cardinality' })],
    ['stats', metric({ kind: 'stats' })],
    ['percentiles', metric({ kind: 'percentiles', percents: [50, 99.9], keyed: true })],
    ['max', metric({ kind: 'max', field: FIELDS.time })],
  ])
  const empty = {
    avg: { value: null },
    sum: { value: 0 },
    cardinality: { value: 0 },
    stats: { count: 0, min: null, max: null, avg: null, sum: 0 },
    percentiles: { values: { '50.0': null, '99.9': null } },
    max: { value: null },
  }
  expect(shape(aggs, { ...found({}), root: { count: 0, row: null } })).toEqual(empty)
  expect(shape(new Map([['sum', metric({ kind: 'sum' })]]), found({}, { r0_value: 'inf' }))).toEqual({
    sum: { value: null },
  })
})

test('deviations and their bounds follow from the variances', () => {
  const row = { r0_avg: 10, r0_variance: 4, r0_variance_sampling: 9, r0_sum_of_squares: 104, r0_count: '2' }
  expect(one({ kind: 'extended_stats', field: FIELDS.asn, sigma: 3 }, [], row)).toMatchObject({
    count: 2,
    sum_of_squares: 104,
    variance: 4,
    variance_sampling: 9,
    std_deviation: 2,
    std_deviation_sampling: 3,
    std_deviation_bounds: { upper: 16, lower: 4, upper_sampling: 19, lower_sampling: 1 },
  })
})

test('names are answered in the order of the caller, whatever they are', () => {
  const avg: Aggregation = { kind: 'avg', field: FIELDS.asn }
  const answer = shape(
    new Map([
      ['z', avg],
      ['__proto__', avg],
      ['a', avg],
    ]),
    found({}, { r0_value: 1, r1_value: 2, r2_value: 3 }),
  )
  expect(JSON.stringify(answer)).toBe('{"z":{"value":1},"__proto__":{"value":2},"a":{"value":3}}')
})

test.each([
  ['one histogram', days(), [bucket([0], 1), bucket([10_000], 1)]],
  ['ordinals beyond what can be listed', numbers(), [bucket([0], 1), bucket([Number.MAX_SAFE_INTEGER], 1)]],
])('empty buckets are counted before they are made: %s', (_, aggregation, rows) => {
  expect(() => one(aggregation, rows)).toThrow(new TooManyBuckets('x'))
})

test('the buckets of all levels are counted together', () => {
  const ranges = Array.from({ length: 20 }, (_, i) => ({ key: null, from: i, to: i + 1 }))
  const below: Aggregation = { kind: 'range', field: FIELDS.asn, ranges, keyed: false, aggs: none }
  const aggs = new Map([['x', days({ aggs: new Map([['below', below]]) })]])
  const at = (last: number) => () => shape(aggs, found({ x: [bucket([0], 1), bucket([last], 1)] }))
  // 476 days with 20 ranges each are 9,996 buckets.
  expect(at(475)).not.toThrow()
  expect(at(476)).toThrow(new TooManyBuckets('below'))
})

test('values without neighbours are listed as they are', () => {
  const rows = [bucket([1e300], 1), bucket([-1e300], 1)]
  expect(one(numbers(), rows)).toMatchObject({ buckets: [{ doc_count: 1 }, { doc_count: 1 }] })
})
