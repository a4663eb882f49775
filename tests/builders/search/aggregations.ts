import fc from 'fast-check'
import type {
  Aggregation,
  Aggregations,
  BucketOrder,
} from '../../../schemas/intelligence/search/aggregations/aggregation.ts'
import type { Clause, Field } from '../../../schemas/intelligence/search/clause.ts'
import type { Counted } from './aggregate-model.ts'

const attribute = (name: string, kind: 'keyword' | 'number' | 'date'): Field => ({
  name: 'attribute',
  attribute: name,
  kind,
})

export const FIELDS = {
  type: { name: 'type', kind: 'keyword' },
  userID: { name: 'userID', kind: 'keyword' },
  entityID: { name: 'entityID', kind: 'keyword' },
  tags: { name: 'tags', kind: 'keyword' },
  time: { name: '@timestamp', kind: 'date' },
  reputation: { name: 'reputation', kind: 'number' },
  accuracy: { name: 'accuracy', kind: 'number' },
  wellKnown: { name: 'wellKnown', kind: 'boolean' },
  country: attribute('country', 'keyword'),
  domain: attribute('domain', 'keyword'),
  asn: attribute('asn', 'number'),
  seen: attribute('seen', 'date'),
} as const satisfies Record<string, Field>

const numbers = fc.constantFrom<Field>(FIELDS.reputation, FIELDS.accuracy, FIELDS.asn)
const dates = fc.constantFrom<Field>(FIELDS.time, FIELDS.seen)
const any = fc.constantFrom<Field>(...Object.values(FIELDS))

const clause: fc.Arbitrary<Clause> = fc.oneof(
  fc.constant<Clause>({ is: 'all' }),
  fc.record({
    is: fc.constant('equals' as const),
    field: fc.constant<Field>(FIELDS.tags),
    values: fc.subarray(['apt', 'bot', 'scan']),
    caseless: fc.constant(false),
  }),
  fc.record({
    is: fc.constant('equals' as const),
    field: fc.constant<Field>(FIELDS.type),
    values: fc.subarray(['ip', 'domain']),
    caseless: fc.constant(false),
  }),
)

const metric = fc.oneof(
  fc.record({ kind: fc.constantFrom('avg', 'sum', 'stats'), field: numbers }),
  fc.record({ kind: fc.constantFrom('min', 'max'), field: fc.oneof(numbers, dates) }),
  fc.record({ kind: fc.constantFrom('value_count', 'cardinality'), field: any }),
  fc.record({ kind: fc.constant('extended_stats'), field: numbers, sigma: fc.constantFrom(0, 2, 2.5) }),
  fc.record({
    kind: fc.constant('percentiles'),
    field: numbers,
    percents: fc.constantFrom([50], [0, 1, 33.3, 99.9, 100]),
    keyed: fc.boolean(),
  }),
) as fc.Arbitrary<Aggregation>

const topHits = fc.record({
  kind: fc.constant('top_hits'),
  size: fc.integer({ min: 1, max: 4 }),
  from: fc.integer({ min: 0, max: 2 }),
  sort: fc.record({ field: any.filter((field) => field.name !== 'tags'), order: fc.constantFrom('asc', 'desc') }),
  includes: fc.constant([]),
  excludes: fc.constant([]),
}) as fc.Arbitrary<Aggregation>

const direction = fc.constantFrom('asc', 'desc')
const minimum = fc.constantFrom(0, 0, 1, 3)

/** Orders that two ways of adding numbers up cannot disagree about. */
const orderOf = (aggs: Aggregations): fc.Arbitrary<BucketOrder[]> => {
  const sortable = [...aggs].flatMap(([metric, { kind }]): BucketOrder['by'][] => {
    if (kind === 'stats')
      return [
        { metric, of: 'max' },
        { metric, of: 'avg' },
      ]
    return kind === 'avg' || kind === 'min' || kind === 'cardinality' ? [{ metric, of: null }] : []
  })
  const by = fc.constantFrom<BucketOrder['by']>('count', 'key', ...sortable, ...sortable)
  return fc.array(fc.record({ by, order: direction as fc.Arbitrary<'asc' | 'desc'> }), { maxLength: 2 })
}

const DAY = 86_400_000
const intervals = fc.oneof(
  fc
    .constantFrom('day', 'week', 'month', 'quarter', 'year', 'year', 'year', 'quarter', 'quarter')
    .map((unit) => ({ unit, n: 1 })),
  fc.constantFrom(DAY, 700 * DAY, 1000 * DAY).map((n) => ({ unit: 'ms', n })),
)
const bound = (values: number[]) => fc.constantFrom(null, ...values)
const rangesOf = (values: number[]) =>
  fc.array(fc.record({ key: fc.constantFrom(null, 'named'), from: bound(values), to: bound(values) }), {
    minLength: 1,
    maxLength: 4,
  })

const levels = (depth: number): fc.Arbitrary<Aggregations> => {
  const each =
    depth === 0
      ? fc.oneof(metric, topHits)
      : fc.oneof({ weight: 2, arbitrary: metric }, topHits, { weight: 4, arbitrary: bucketing(depth) })
  return fc
    .array(each, { minLength: depth === 0 ? 0 : 1, maxLength: 3 })
    .map((list) => new Map(list.map((aggregation, i) => [`a${i}`, aggregation])))
}

const bucketing = (depth: number): fc.Arbitrary<Aggregation> =>
  levels(depth - 1).chain((aggs) => {
    const below = fc.constant(aggs)
    const keyed = fc.constant(false)
    const order = orderOf(aggs)
    return fc.oneof(
      fc.record({
        kind: fc.constant('terms'),
        field: any,
        size: fc.constantFrom(1, 2, 3, 10, 50),
        minDocCount: fc.constantFrom(1, 1, 3),
        order: order.map((list) => (list.length === 0 ? [{ by: 'count', order: 'desc' }] : list)),
        aggs: below,
      }),
      fc.record({
        kind: fc.constant('date_histogram'),
        field: dates,
        interval: intervals,
        minDocCount: minimum,
        order,
        keyed,
        aggs: below,
      }),
      fc.record({
        kind: fc.constant('histogram'),
        field: numbers,
        interval: fc.constantFrom(0.5, 2, 7),
        offset: fc.constantFrom(0, 0.5),
        minDocCount: minimum,
        order,
        keyed,
        aggs: below,
      }),
      fc.record({ kind: fc.constant('range'), field: numbers, ranges: rangesOf([-2, 0, 1.5, 40]), keyed, aggs: below }),
      fc.record({
        kind: fc.constant('date_range'),
        field: dates,
        ranges: rangesOf([-DAY, 0, Date.UTC(2000, 1, 29), Date.UTC(2026, 10, 20)]),
        keyed,
        aggs: below,
      }),
      fc.record({ kind: fc.constant('filter'), clause, aggs: below }),
      fc.record({
        kind: fc.constant('filters'),
        clauses: fc.tuple(clause, clause),
        names: fc.constantFrom(null, ['b', 'a']),
        other: fc.constantFrom(null, 'rest'),
        aggs: below,
      }),
    )
  }) as fc.Arbitrary<Aggregation>

/** Nestings up to three buckets deep. */
export const aggregations: fc.Arbitrary<Aggregations> = fc.integer({ min: 1, max: 3 }).chain(levels)

/** The same of what is known of whole days: their fields in place of the others, without what needs every record. */
export const dailyAggregations: fc.Arbitrary<Aggregations> = aggregations.map(daily)

function daily(aggs: Aggregations): Aggregations {
  const made = [...aggs].flatMap(([name, each]): [string, Aggregation][] => {
    if (['percentiles', 'extended_stats', 'top_hits', 'date_range'].includes(each.kind)) return []
    const field = 'field' in each ? { field: dailyField(each.kind, each.field) } : null
    const below = 'aggs' in each ? { aggs: daily(each.aggs) } : null
    return [[name, { ...each, ...field, ...below } as Aggregation]]
  })
  return new Map(made)
}

function dailyField(kind: Aggregation['kind'], field: Field): Field {
  if (kind === 'date_histogram') return FIELDS.time
  if (field.kind === 'number') return field.name === 'attribute' ? FIELDS.reputation : field
  if (kind === 'min' || kind === 'max') return FIELDS.accuracy
  return field.name === 'tags' || field.name === 'wellKnown' ? field : FIELDS.type
}

/** Moments around the ends of intervals, before 1970, in leap years, and at the end of time. */
const MOMENTS = [
  '1955-03-01T00:00:00.000Z',
  '1955-03-31T23:59:59.999Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '2000-02-29T12:00:00.000Z',
  '2000-03-01T00:00:00.000Z',
  '2026-11-16T00:00:00.000Z',
  '2026-11-20T10:11:12.131Z',
  '2026-11-22T23:59:59.999Z',
].map((text) => Date.parse(text))

const hexOf = (n: number, length: number): string => n.toString(16).padStart(length, '0')

/** A record in which `i` decides everything; values repeat, and some are missing. */
export function countedRecord(i: number): Counted {
  const type = i % 3 === 0 ? 'domain' : 'ip'
  const digest = hexOf(i % 29, 64)
  return {
    id: `${hexOf((i * 7919) % 65_536, 8)}-0000-4000-8000-${hexOf(i, 12)}`,
    entityID: `${type}-${digest}`,
    type,
    value: type === 'domain' ? `host-${i % 29}.test` : `198.51.100.${i % 29}`,
    userID: `user-${i % 4}`,
    time: MOMENTS[i % MOMENTS.length]! + (i % 11 === 0 ? i : 0),
    reputation: (i % 7) - 3,
    accuracy: (i * 5) % 4,
    wellKnown: i % 13 === 0,
    tags: ['apt', 'bot', 'scan', 'old'].filter((_, bit) => ((i * 31) >> bit) % 2 === 1),
    attributes: {
      ...(i % 2 === 0 && { country: ['Iceland', 'Kenya', 'Peru'][i % 5] ?? 'Fiji' }),
      ...(i % 4 !== 1 && { asn: `${(i * 17) % 60}` }),
      ...(i % 5 === 0 && { asn: 'none' }),
      ...(i % 3 === 1 && { seen: new Date(MOMENTS[(i * 5) % MOMENTS.length]!).toISOString() }),
    },
  }
}
