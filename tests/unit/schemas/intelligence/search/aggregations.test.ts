import { describe, expect, test } from 'vitest'
import type { Aggregation } from '../../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import { readSearch } from '../../../../../schemas/intelligence/search/read-search.ts'

const NOW = Date.parse('2026-11-20T10:20:30.400Z')

function aggsOf(body: object): ReadonlyMap<string, Aggregation> {
  const found = readSearch(body, { surface: 'history', now: NOW, sort: { name: '@timestamp', kind: 'date' } })
  if (!found.ok) throw new Error(`${found.param} ${found.message}`)
  return found.search.aggs
}

const read = (aggregation: unknown): Aggregation => aggsOf({ aggs: { a: aggregation } }).get('a')!

const TIME = { name: '@timestamp', kind: 'date' }
const TYPE = { name: 'type', kind: 'keyword' }
const REPUTATION = { name: 'reputation', kind: 'number' }
const NONE = new Map()
const BY_KEY = [{ by: 'key', order: 'asc' }]
const of = (field: string, more: object = {}) => ({ field, ...more })
const DATES = { kind: 'date_histogram', field: TIME, minDocCount: 0, order: BY_KEY, keyed: false, aggs: NONE }
const IP = { is: 'equals', field: TYPE, values: ['ip'], caseless: false }

const cases: [aggregation: unknown, want: unknown][] = [
  [{ avg: of('reputation') }, { kind: 'avg', field: REPUTATION }],
  [{ sum: of('attributes.asn') }, { kind: 'sum', field: { name: 'attribute', attribute: 'asn', kind: 'number' } }],
  [{ min: of('lastSeen') }, { kind: 'min', field: { name: 'lastSeen', kind: 'date' } }],
  [{ max: of('reputation') }, { kind: 'max', field: REPUTATION }],
  [{ value_count: of('tags') }, { kind: 'value_count', field: { name: 'tags', kind: 'keyword' } }],
  [
    { cardinality: of('attributes.text') },
    { kind: 'cardinality', field: { name: 'attribute', attribute: 'text', kind: 'keyword' } },
  ],
  [{ stats: of('accuracy') }, { kind: 'stats', field: { name: 'accuracy', kind: 'number' } }],
  [{ extended_stats: of('reputation') }, { kind: 'extended_stats', field: REPUTATION, sigma: 2 }],
  [{ extended_stats: of('reputation', { sigma: '3' }) }, { kind: 'extended_stats', field: REPUTATION, sigma: 3 }],
  [
    { percentiles: of('reputation') },
    { kind: 'percentiles', field: REPUTATION, percents: [1, 5, 25, 50, 75, 95, 99], keyed: true },
  ],
  [
    { percentiles: of('reputation', { percents: [50, 99.9, 50], keyed: false }) },
    { kind: 'percentiles', field: REPUTATION, percents: [50, 99.9], keyed: false },
  ],
  [
    { top_hits: {} },
    { kind: 'top_hits', size: 3, from: 0, sort: { field: TIME, order: 'desc' }, includes: [], excludes: [] },
  ],
  [
    { top_hits: { size: 1, from: 2, sort: [{ type: { order: 'asc' } }], _source: { excludes: ['tags'] } } },
    { kind: 'top_hits', size: 1, from: 2, sort: { field: TYPE, order: 'asc' }, includes: [], excludes: ['tags'] },
  ],
  [
    { top_hits: { sort: [{ type: 'asc' }], _source: ['type'] } },
    { kind: 'top_hits', size: 3, from: 0, sort: { field: TYPE, order: 'asc' }, includes: ['type'], excludes: [] },
  ],
  [
    { terms: of('type.keyword') },
    {
      kind: 'terms',
      field: TYPE,
      size: 10,
      minDocCount: 1,
      order: [{ by: 'count', order: 'desc' }, ...BY_KEY],
      aggs: NONE,
    },
  ],
  [
    { terms: of('type', { size: 3, min_doc_count: 2, order: [{ _count: 'asc' }, { _key: 'desc' }] }) },
    {
      kind: 'terms',
      field: TYPE,
      size: 3,
      minDocCount: 2,
      order: [
        { by: 'count', order: 'asc' },
        { by: 'key', order: 'desc' },
      ],
      aggs: NONE,
    },
  ],
  [
    { range: of('reputation', { ranges: [{ from: 1 }, { to: '1', key: 'bad' }, { from: 0, to: 1 }] }) },
    {
      kind: 'range',
      field: REPUTATION,
      keyed: false,
      ranges: [
        { key: 'bad', from: null, to: 1 },
        { key: null, from: 0, to: 1 },
        { key: null, from: 1, to: null },
      ],
      aggs: NONE,
    },
  ],
  [
    { date_range: of('@timestamp', { keyed: true, ranges: [{ from: 'now-1d/d', to: 'now/d' }] }) },
    {
      kind: 'date_range',
      field: TIME,
      keyed: true,
      ranges: [{ key: null, from: Date.parse('2026-11-19'), to: Date.parse('2026-11-20') }],
      aggs: NONE,
    },
  ],
  [
    { histogram: of('reputation', { interval: 0.5, offset: 0.25, min_doc_count: 1, keyed: true }) },
    {
      kind: 'histogram',
      field: REPUTATION,
      interval: 0.5,
      offset: 0.25,
      minDocCount: 1,
      order: BY_KEY,
      keyed: true,
      aggs: NONE,
    },
  ],
  [{ filter: { term: { type: 'ip' } } }, { kind: 'filter', clause: IP, aggs: NONE }],
  [
    { filters: { filters: { ips: { term: { type: 'ip' } } }, other_bucket_key: 'rest' } },
    { kind: 'filters', clauses: [IP], names: ['ips'], other: 'rest', aggs: NONE },
  ],
  [
    { filters: { filters: [{ term: { type: 'ip' } }], other_bucket: true } },
    { kind: 'filters', clauses: [IP], names: null, other: '_other_', aggs: NONE },
  ],
  [
    { filters: { filters: [{ term: { type: 'ip' } }], other_bucket: false, other_bucket_key: 'rest' } },
    { kind: 'filters', clauses: [IP], names: null, other: null, aggs: NONE },
  ],
]

describe('an aggregation is read', () => {
  for (const [aggregation, want] of cases)
    test(JSON.stringify(aggregation), () => expect(read(aggregation)).toEqual(want))
})

describe('intervals of time', () => {
  const MINUTE = 60_000
  test.each([
    [{ interval: 'day' }, { unit: 'day', n: 1 }],
    [{ interval: '1d' }, { unit: 'day', n: 1 }],
    [{ interval: '5m' }, { unit: 'ms', n: 5 * MINUTE }],
    [{ interval: '1M' }, { unit: 'month', n: 1 }],
    [{ interval: '1m' }, { unit: 'minute', n: 1 }],
    [{ calendar_interval: 'quarter' }, { unit: 'quarter', n: 1 }],
    [{ calendar_interval: '1q' }, { unit: 'quarter', n: 1 }],
    [{ calendar_interval: '1w' }, { unit: 'week', n: 1 }],
    [{ calendar_interval: '1y' }, { unit: 'year', n: 1 }],
    [{ fixed_interval: '1d' }, { unit: 'ms', n: 1440 * MINUTE }],
    [{ fixed_interval: '12h' }, { unit: 'ms', n: 720 * MINUTE }],
  ])('%j', (given, interval) => {
    expect(read({ date_histogram: of('@timestamp', given) })).toEqual({ ...DATES, interval })
  })
})

describe('sub-aggregations', () => {
  const avg = { r: { avg: of('reputation') } }
  const want = { ...DATES, interval: { unit: 'day', n: 1 }, aggs: new Map([['r', { kind: 'avg', field: REPUTATION }]]) }
  const daily = of('@timestamp', { interval: 'day' })
  test('stand beside the kind or in it, under either name', () => {
    expect(read({ date_histogram: daily, aggs: avg })).toEqual(want)
    expect(read({ aggregations: avg, date_histogram: daily })).toEqual(want)
    expect(read({ date_histogram: { ...daily, aggs: avg } })).toEqual(want)
    expect(read({ date_histogram: { aggregations: avg, ...daily } })).toEqual(want)
  })
  test('of a filter may stand beside its clause too', () => {
    expect(read({ filter: { term: { type: 'ip' }, aggs: avg } })).toEqual({
      kind: 'filter',
      clause: IP,
      aggs: want.aggs,
    })
  })
  test('keep the names and the order of the caller', () => {
    const names = ['zeta', '_count', 'per day', 'Ä', 'x'.repeat(128)]
    const aggs = aggsOf({ aggregations: Object.fromEntries(names.map((name) => [name, avg.r])) })
    expect([...aggs.keys()]).toEqual(names)
  })
  test('order the buckets by one of their values', () => {
    const aggs = {
      ...avg,
      's.x': { stats: of('reputation') },
      p: { percentiles: of('reputation', { percents: [99.9] }) },
    }
    const order = (order: object) => (read({ terms: of('type', { order }), aggs }) as { order: unknown }).order
    const key = BY_KEY[0]
    expect(order({ r: 'asc' })).toEqual([{ by: { metric: 'r', of: null }, order: 'asc' }, key])
    expect(order({ 's.x.max': 'desc' })).toEqual([{ by: { metric: 's.x', of: 'max' }, order: 'desc' }, key])
    expect(order({ 'p.99.9': 'desc' })).toEqual([{ by: { metric: 'p', of: '99.9' }, order: 'desc' }, key])
  })
  test('nest to ten levels', () => {
    const nested = (levels: number): object =>
      levels === 0 ? {} : { a: { terms: of('type'), ...(levels > 1 ? { aggs: nested(levels - 1) } : {}) } }
    expect(aggsOf({ aggs: nested(10) }).size).toBe(1)
  })
})
