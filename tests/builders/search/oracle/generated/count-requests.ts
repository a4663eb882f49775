import fc from 'fast-check'
import type { Json } from '../clauses.ts'
import { clauses, type Fields } from './clause-requests.ts'
import { dateLike } from './pools.ts'

const compact = (given: object): Json =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const direction = fc.constantFrom('asc', 'desc')

/** Aggregations of every kind, to so many levels of buckets. */
export function aggregations(fields: Fields, depth: number): fc.Arbitrary<Json> {
  const countable = fc.constantFrom(
    ...Object.keys(fields.keywords).filter((name) => !name.startsWith('attributes.*')),
    ...[...fields.numbers, ...fields.dates],
    ...['attributes.text', 'attributes.command'],
    ...fields.booleans,
  )
  const [number, date] = [fc.constantFrom(...fields.numbers), fc.constantFrom(...fields.dates)]
  const metric: fc.Arbitrary<Json> = fc.oneof(
    fc
      .tuple(fc.constantFrom('avg', 'sum', 'stats', 'min', 'max'), number)
      .map(([kind, field]) => ({ [kind]: { field } })),
    fc.tuple(fc.constantFrom('min', 'max'), date).map(([kind, field]) => ({ [kind]: { field } })),
    fc.tuple(fc.constantFrom('value_count', 'cardinality'), countable).map(([kind, field]) => ({ [kind]: { field } })),
    fc
      .tuple(number, maybe(fc.constantFrom(0, 1.5)))
      .map(([field, sigma]) => ({ extended_stats: compact({ field, sigma }) })),
    fc
      .tuple(number, maybe(fc.constantFrom([50], [0, 33.3, 100])), maybe(fc.boolean()))
      .map(([field, percents, keyed]) => ({ percentiles: compact({ field, percents, keyed }) })),
    fc
      .tuple(
        maybe(fc.integer({ min: 0, max: 3 })),
        maybe(fc.nat(2)),
        maybe(fc.tuple(fc.constantFrom(...fields.sorts), direction)),
        maybe(fc.constantFrom<Json>(['type', 'attributes.*'], { includes: ['id', 'tags'], excludes: ['t*'] })),
      )
      .map(([size, from, sort, _source]) => ({
        top_hits: compact({ size, from, sort: sort && [{ [sort[0]]: { order: sort[1] } }], _source }),
      })),
  )
  const each =
    depth === 0 ? metric : fc.oneof({ weight: 2, arbitrary: metric }, { weight: 3, arbitrary: bucketing(depth) })
  return fc
    .array(each, { minLength: depth === 0 ? 0 : 1, maxLength: 2 })
    .map((list) => Object.fromEntries(list.map((one, i) => [`a${i}`, one])))

  function bucketing(level: number): fc.Arbitrary<Json> {
    return aggregations(fields, level - 1).chain((aggs) => {
      const order = maybe(orders(aggs))
      const made = (kind: string, given: fc.Arbitrary<object>) =>
        fc.tuple(given, fc.boolean()).map(([own, within]): Json => {
          if (Object.keys(aggs).length === 0) return { [kind]: compact(own) }
          return within && kind !== 'filter' ? { [kind]: { ...compact(own), aggs } } : { [kind]: compact(own), aggs }
        })
      return fc.oneof(
        made(
          'terms',
          fc.record({
            field: countable,
            size: maybe(fc.constantFrom(1, 2, 50)),
            min_doc_count: maybe(fc.constantFrom(1, 3)),
            order,
          }),
        ),
        made(
          'date_histogram',
          fc
            .record({
              field: date,
              every: INTERVALS,
              min_doc_count: maybe(fc.constantFrom(0, 1, 2)),
              order,
              keyed: maybe(fc.boolean()),
            })
            .map(({ every, ...rest }) => ({ ...rest, ...every })),
        ),
        made(
          'histogram',
          fc.record({
            field: fc.constantFrom(...fields.numbers.filter((name) => !/asn|latitude/.test(name))),
            interval: fc.constantFrom(0.5, 1, 2),
            offset: maybe(fc.constantFrom(0, 0.5, -3)),
            min_doc_count: maybe(fc.constantFrom(0, 1, 2)),
            order,
            keyed: maybe(fc.boolean()),
          }),
        ),
        made(
          'range',
          fc.record({
            field: number,
            ranges: ranges(fc.constantFrom(-3, -0.5, 0, 2, 20_000)),
            keyed: maybe(fc.boolean()),
          }),
        ),
        made('date_range', fc.record({ field: date, ranges: ranges(dateLike) })),
        made('filter', clauses(fields, 0)),
        made(
          'filters',
          fc.record({
            filters: fc.oneof(
              fc.array(clauses(fields, 0), { minLength: 1, maxLength: 3 }),
              fc.tuple(clauses(fields, 0), clauses(fields, 0)).map(([b, a]) => ({ b, a })),
            ),
            other_bucket: maybe(fc.boolean()),
            other_bucket_key: maybe(fc.constant('rest')),
          }),
        ),
      )
    })
  }
}

/** Such orders as two ways of adding numbers up cannot disagree about. */
function orders(aggs: Json): fc.Arbitrary<Json> {
  const names = Object.entries(aggs as Record<string, Json>).flatMap(([name, one]) => {
    const [kind, given] = Object.entries(one)[0] as [string, Json]
    if (kind === 'stats') return [`${name}.max`, `${name}.count`]
    if (kind === 'percentiles')
      return (given.percents ?? [50]).filter((p: number) => p === 50).map((p: number) => `${name}.${p}`)
    return ['min', 'max', 'cardinality', 'value_count'].includes(kind) ? [name] : []
  })
  const one = fc
    .tuple(fc.constantFrom('_count', '_key', ...names, ...names), direction)
    .map(([name, way]) => ({ [name]: way }))
  return fc.oneof(
    one,
    fc.tuple(one, one).map((both) => [...both]),
  )
}

const INTERVALS = fc.oneof(
  fc
    .constantFrom('day', 'week', 'month', 'quarter', 'year', '1M', '30d', '90d', 'hour')
    .map((interval) => ({ interval })),
  fc.constantFrom('1w', '1q', 'year', '1d').map((calendar_interval) => ({ calendar_interval })),
  fc.constantFrom('7d', '36h', '1000d').map((fixed_interval) => ({ fixed_interval })),
)

/** No two of the same bounds: keyed, they would have one key. */
const ranges = (bound: fc.Arbitrary<unknown>) =>
  fc
    .uniqueArray(
      fc
        .tuple(maybe(bound), maybe(bound), maybe(fc.constant('named')))
        .map(([from, to, key]) => compact({ from, to, key }))
        .filter((one) => 'from' in one || 'to' in one),
      { minLength: 1, maxLength: 3, selector: ({ from, to }) => JSON.stringify([from ?? null, to ?? null]) },
    )
    .map((list) => list.map((one, i) => ('key' in one ? { ...one, key: `${one.key}${i}` } : one)))
