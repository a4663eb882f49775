/** Parameters of every search (docs/use/search.md). */

import { Type } from 'typebox'

const Fields = Type.Array(Type.String({ maxLength: 256 }), { maxItems: 256 })

/** Body of a simple search, over history or entities. */
export const Simple = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 65_536,
      description: 'an address, domain, URL, hash, word and so on',
    }),
    accuracy: Type.Optional(Type.Integer({ minimum: 0, maximum: 3, description: 'exact match' })),
    reputation: Type.Optional(Type.Integer({ minimum: -3, maximum: 3, description: 'exact match' })),
    source: Type.Optional(
      Type.Object(
        { includes: Type.Optional(Fields), excludes: Type.Optional(Fields) },
        { additionalProperties: false, description: 'fields of the returned records; `*` is a wildcard' },
      ),
    ),
  },
  { additionalProperties: false },
)

/** Body of an advanced search, over history or entities: `readAdvanced` validates it. */
export const Advanced = Type.Object(
  {
    query: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'must, should, must_not, filter: arrays of clauses (term, terms, ids, range, exists, prefix, suffix, wildcard, regexp, fuzzy, match, query_string and others); minimum_should_match',
      }),
    ),
    aggs: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'aggregations by name' })),
    aggregations: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'the same as `aggs`' })),
    source: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'includes, excludes' })),
    search_after: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'the `sort` values of the last result of the previous page' }),
    ),
    collapse: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'a field: return one record per value of this field' }),
    ),
  },
  { additionalProperties: false, description: 'all fields are optional; an empty object matches all records' },
)

/** Which page of the results, in the order of one of `sortFields`. */
export const searchPaging = (sortFields: readonly string[]) =>
  Type.Object({
    limit: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 1000,
      description: 'maximum number of results; 0 returns totals and aggregations only',
    }),
    page: Type.Integer({ default: 1, maximum: 1_000_000_000, description: 'page number; 1 or less is the first page' }),
    sort: Type.String({ default: '@timestamp', description: `one of ${sortFields.join(', ')}` }),
    order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
  })
