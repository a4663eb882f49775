import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { searchTotals } from '../../../../connectors/history/sql/queries/search-queries.ts'
import { TooManyBuckets } from '../../../../connectors/history/sql/search/aggregate/aggregation-bounds.ts'
import type { AggregationScope } from '../../../../connectors/history/sql/search/aggregate/aggregation-scope.ts'
import { ordinalSql, startOf } from '../../../../connectors/history/sql/search/aggregate/intervals.ts'
import { metricColumns } from '../../../../connectors/history/sql/search/aggregate/metric.ts'
import type { AnswerRow } from '../../../../connectors/history/sql/search/aggregate/metric-answer.ts'
import { aggregate, type Counts } from '../../../../connectors/history/sql/search/aggregate/run-aggregations.ts'
import { binder } from '../../../../connectors/history/sql/search/binder.ts'
import { dailyScope } from '../../../../connectors/history/sql/search/daily-scope.ts'
import { historySurface } from '../../../../connectors/history/sql/search/surface.ts'
import { blocks } from '../../../../connectors/history/stores/blocks-store.ts'
import type {
  Aggregation,
  Aggregations,
  Interval,
} from '../../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { type Counted, evaluate, meets, OverTheBound } from '../../../builders/search/aggregate-model.ts'
import { aggregations, countedRecord, dailyAggregations, FIELDS } from '../../../builders/search/aggregations.ts'

const READABLE = 7n
const HIDDEN = 8n
const records = Array.from({ length: 400 }, (_, i) => countedRecord(i))

const scopeOf = (query: Clause): AggregationScope => ({ surface: historySurface([READABLE]), query })

/** Some are verdicts: they count as every record that a search shows (ADR 208). */
const isVerdict = ({ entityID }: Counted): boolean => Number.parseInt(entityID.slice(-2), 16) % 5 === 0

/** Numbers to twelve digits: the store adds up in another order than the model. */
const rounded = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, v) =>
    typeof v === 'number' && !Number.isInteger(v) ? Number(v.toPrecision(11)) : v,
  )

const RECORDS = { of: (row: AnswerRow): unknown => ({ id: String(row.hit_id) }) }

export function countedAggregations(open: OpenStore): void {
  const { store, history } = migrated(open)

  beforeAll(async () => {
    const table = blocks().history
    for (const record of records) table.add(rowOf(record, READABLE))
    // What the reader may not read would change every count.
    for (const record of records.slice(0, 50)) table.add(rowOf({ ...record, tags: ['secret'], reputation: 3 }, HIDDEN))
    await history.insert('history', table.finish(), 'all')
  })

  const withOnly = async (given: readonly Counted[]): Promise<typeof ask> => {
    const { history: other } = await store.migrated()
    const table = blocks().history
    for (const record of given) table.add(rowOf(record, READABLE))
    await other.insert('history', table.finish(), 'all')
    return (aggs) => aggregate(aggs, scopeOf({ is: 'all' }), (asked) => other.query(asked), RECORDS)
  }
  const ask = (aggs: Aggregations, query: Clause = { is: 'all' }): Promise<Counts> =>
    aggregate(aggs, scopeOf(query), (asked) => history.query(asked), RECORDS)

  test('random nestings count what a model counts record by record', async () => {
    await fc.assert(
      fc.asyncProperty(aggregations, QUERIES, async (aggs, query) => {
        const matching = records.filter((record) => meets(query, record))
        const wanted = modelled(aggs, matching)
        if (wanted === null) {
          await expect(ask(aggs, query)).rejects.toBeInstanceOf(TooManyBuckets)
          return
        }
        const { items, aggregations } = await ask(aggs, query)
        expect(items).toBe(matching.length)
        expect(rounded(aggregations)).toEqual(rounded(wanted))
      }),
      { numRuns: longer(20) },
    )
  }, 120_000)

  test.each([
    ['summed up when they were stored', false],
    ['summed up when their parts were merged', true],
  ])(
    'random nestings over the sums of days, %s, count what a model counts record by record',
    async (_, merged) => {
      if (merged) await history.command('OPTIMIZE TABLE history FINAL')
      const sql = `SELECT uniqExact(name) AS n FROM system.projection_parts
      WHERE active AND database = currentDatabase() AND table = 'history'`
      expect(await history.query({ sql, params: {} })).toEqual([{ n: '2' }])
      expect(records.filter(isVerdict).length).toBeGreaterThan(20)
      const asked = { dailyScopes: 0 }
      await fc.assert(
        fc.asyncProperty(dailyAggregations, DAILY_QUERIES, async (aggs, query) => {
          const scope = dailyScope([READABLE], query, aggs)
          if (scope === null) return
          asked.dailyScopes++
          const matching = records.filter((record) => meets(query, record))
          const wanted = modelled(aggs, matching)
          const found = aggregate(aggs, scope, (each) => history.query(each), RECORDS)
          if (wanted === null) {
            await expect(found).rejects.toBeInstanceOf(TooManyBuckets)
            return
          }
          const { items, aggregations } = await found
          expect(items).toBe(matching.length)
          expect(rounded(aggregations)).toEqual(rounded(wanted))
          const totals = searchTotals({ surface: scope.surface, clause: scope.query, collapse: null })
          expect(await history.query(totals)).toEqual([{ items: `${matching.length}`, groups: 0 }])
        }),
        { numRuns: longer(35) },
      )
      expect(asked.dailyScopes).toBeGreaterThan(5)
    },
    120_000,
  )

  test.each<Interval>([
    ...(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const).map((unit) => ({
      unit,
      n: 1 as const,
    })),
    { unit: 'ms', n: 60_000 },
    { unit: 'ms', n: 7 * 3_600_000 },
    { unit: 'ms', n: 90 * 86_400_000 },
  ])('every moment from 1900 to 2299 is in its interval: %j', async (interval) => {
    const edges = ['1900-01-01', '1970-01-01', '2000-02-29', '2299-12-31T23:59:59.999Z'].map((text) => Date.parse(text))
    const random = fc.sample(fc.integer({ min: edges[0]!, max: edges.at(-1)! }), 2000)
    const starts = random.flatMap((ms) => {
      const month = Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth(), 1)
      return [ms, Math.max(month, edges[0]!), Math.max(month - 1, edges[0]!)]
    })
    const times = [...edges, ...starts].map(BigInt)
    const moment = "fromUnixTimestamp64Milli(ms, 'UTC')"
    const sql = `SELECT ms, ${ordinalSql(interval, moment)} AS n FROM (SELECT arrayJoin({times:Array(Int64)}) AS ms)`
    const rows = await history.query<{ ms: string; n: string }>({ sql, params: { times } })
    expect(rows).toHaveLength(times.length)
    const outside = rows.filter(({ ms, n }) => {
      return Number(ms) < startOf(interval, Number(n)) || Number(ms) >= startOf(interval, Number(n) + 1)
    })
    expect(outside).toEqual([])
  })

  test('up to ten thousand different values are counted exactly', async () => {
    const { columns } = metricColumns({ kind: 'cardinality', field: FIELDS.userID }, scopeOf({ is: 'all' }), binder())
    const distinct = columns[0]![1]("concat({salt:String}, '-', toString(number))")
    for (const [salt, number] of [
      ['a', 10_000],
      ['b', 10_000],
      ['c', 9999],
      ['d', 8193],
      ['e', 4097],
    ] as const) {
      const sql = `SELECT ${distinct} AS n FROM numbers({number:UInt64})`
      expect(await history.query({ sql, params: { salt, number } })).toEqual([{ n: `${number}` }])
    }
  })

  test('the variance of large numbers that differ little is right', async () => {
    const values = [4, 7, 13, 16].map((n) => n + 1e9)
    const only = await withOnly(values.map((asn, i) => ({ ...countedRecord(i), attributes: { asn: `${asn}` } })))
    const { aggregations } = await only(new Map([['x', { kind: 'extended_stats', field: FIELDS.asn, sigma: 2 }]]))
    expect(aggregations.x).toMatchObject({ variance: 22.5, variance_sampling: 30, avg: 1e9 + 10 })
  })

  test('a bucket without any value has no distinct value, and comes first when few come first', async () => {
    const only = await withOnly([
      { ...countedRecord(0), tags: ['some'], attributes: { asn: '1' } },
      { ...countedRecord(1), tags: ['none'], attributes: {} },
    ])
    const fewest: Aggregation = {
      kind: 'terms',
      field: FIELDS.tags,
      size: 1,
      minDocCount: 1,
      order: [{ by: { metric: 'distinct', of: null }, order: 'asc' }],
      aggs: new Map([['distinct', { kind: 'cardinality', field: FIELDS.asn }]]),
    }
    const { aggregations } = await only(new Map([['fewest', fewest]]))
    expect(aggregations.fewest).toMatchObject({ buckets: [{ key: 'none', distinct: { value: 0 } }] })
  })

  test('what is no finite number is in no bucket and no metric, and nought is one number', async () => {
    const texts = ['0', '-0', 'inf', '-inf', 'nan', '1e400', 'none', '5']
    const only = await withOnly(texts.map((asn, i) => ({ ...countedRecord(i), attributes: { asn } })))
    const field = FIELDS.asn
    const histogram: Aggregation = {
      kind: 'histogram',
      field,
      interval: 5,
      offset: 0,
      minDocCount: 0,
      order: [],
      keyed: false,
      aggs: new Map(),
    }
    const { items, aggregations } = await only(
      new Map<string, Aggregation>([
        ['stats', { kind: 'stats', field }],
        ['distinct', { kind: 'cardinality', field }],
        ['terms', { kind: 'terms', field, size: 10, minDocCount: 1, order: [], aggs: new Map() }],
        ['histogram', histogram],
        ['finest', { ...histogram, interval: 1e-308, minDocCount: 1 }],
      ]),
    )
    expect(items).toBe(8)
    expect(aggregations).toMatchObject({
      stats: { count: 3, min: 0, max: 5, sum: 5 },
      distinct: { value: 2 },
      terms: {
        sum_other_doc_count: 0,
        buckets: [
          { key: 0, doc_count: 2 },
          { key: 5, doc_count: 1 },
        ],
      },
      histogram: {
        buckets: [
          { key: 0, doc_count: 2 },
          { key: 5, doc_count: 1 },
        ],
      },
      finest: { buckets: [{ key: 0, doc_count: 2 }] },
    })
  })
}

const QUERIES = fc.constantFrom<Clause>(
  { is: 'all' },
  { is: 'all' },
  { is: 'equals', field: FIELDS.tags, values: ['bot'], caseless: false },
  { is: 'equals', field: FIELDS.type, values: ['url'], caseless: false },
)

const [EARLY = 0, LATE = 0] = [100, 300].map((i) => records.map(({ time }) => time).toSorted((a, b) => a - b)[i])

/** What is asked of sums of days, with bounds in the middle of a day. */
const DAILY_QUERIES = fc
  .record({
    within: fc.constantFrom<Clause>(
      { is: 'all' },
      { is: 'range', field: FIELDS.time, from: { value: EARLY, inclusive: true }, to: null },
      {
        is: 'range',
        field: FIELDS.time,
        from: { value: EARLY, inclusive: false },
        to: { value: LATE, inclusive: true },
      },
      { is: 'range', field: FIELDS.time, from: null, to: { value: LATE, inclusive: false } },
    ),
    must: QUERIES,
    mustNot: fc.constantFrom<Clause[]>(
      [],
      [{ is: 'equals', field: FIELDS.tags, values: ['scan'], caseless: false }],
      [{ is: 'range', field: FIELDS.reputation, from: null, to: { value: 0, inclusive: false } }],
    ),
  })
  .map(({ within, must, mustNot }): Clause => ({ is: 'bool', must: [within, must], mustNot, should: [], atLeast: 0 }))

function modelled(aggs: Aggregations, matching: readonly Counted[]): Record<string, unknown> | null {
  try {
    return evaluate(aggs, matching)
  } catch (error) {
    if (error instanceof OverTheBound) return null
    throw error
  }
}

type HistoryRow = Parameters<ReturnType<typeof blocks>['history']['add']>[0]

function rowOf(record: Counted, audience: bigint): HistoryRow {
  return {
    ts: record.time,
    id: audience === READABLE ? record.id : record.id.replace(/^./, 'f'),
    digest: record.entityID.slice(-64),
    type: record.type,
    value: record.value,
    user_id: record.userID,
    source: 's',
    source_kind: 'customer',
    kind: isVerdict(record) ? 'verdict' : 'report',
    reputation: record.reputation,
    stated: isVerdict(record) && record.reputation === 0 ? 0 : 1,
    accuracy: record.accuracy,
    tags: record.tags,
    attributes: record.attributes,
    audience,
    well_known: record.wellKnown ? 1 : 0,
    terms: [],
    submission_id: record.id,
    topic_partition: 0,
    log_offset: 0,
  }
}
