import fc from 'fast-check'
import type { Asked } from '../answer.ts'
import type { Json } from '../clauses.ts'
import { bools, clauses, type Fields } from './clause-requests.ts'
import { aggregations } from './count-requests.ts'

/** One in `share` is there. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, share = 2) =>
  fc.oneof({ weight: share - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const compact = (given: object): Json =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

const names = fc.subarray(
  ['id', 'type', 'attributes', 'attributes.t*', 'attributes.country', 'rep*', '*@*', 'tags', 'a*y', 'no'],
  {
    maxLength: 3,
  },
)

/** A request, and the number of results to a page when it is walked through with `search_after`. */
export type Request = Asked & { walk: number }

/** Requests of a route, with every part that a body may have. */
export function requests(fields: Fields): fc.Arbitrary<Request> {
  const single = clauses(fields, 0).map((clause) => ({ must: [clause] }))
  return fc
    .record({
      query: fc.oneof(
        { weight: 4, arbitrary: single },
        { weight: 5, arbitrary: bools(fields, 2) },
        fc.constant(undefined),
      ),
      aggs: maybe(aggregations(fields, 3)),
      named: fc.constantFrom('aggs', 'aggregations'),
      source: maybe(fc.record({ includes: names, excludes: names })),
      collapse: maybe(
        fc.constantFrom(
          'entityID',
          'type',
          'attributes.country',
          'attributes.text',
          'reputation',
          '@timestamp',
          'attributes.asn',
        ),
        4,
      ),
      sort: fc.constantFrom(...fields.sorts),
      order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
      limit: fc.constantFrom(0, 1, 3, 10, 10, 1000),
      page: fc.constantFrom(1, 1, 1, 2, 5),
      walk: fc.constantFrom(0, 0, 0, 0, 60, 150),
    })
    .map(({ aggs, named, query, source, collapse, ...rest }) => ({
      ...rest,
      body: compact({ query, [named]: aggs, source, collapse: collapse && { field: collapse } }),
    }))
}
