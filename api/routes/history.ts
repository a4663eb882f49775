import { Type } from 'typebox'
import { ApiError, invalid } from '../errors.ts'
import { type Route, reply, route } from '../route.ts'
import { type HistorySearch, type Page, ReachExceeded } from '../services/history-search.ts'
import type { Readers } from '../services/readers.ts'
import { sortBy, sortFields } from '../services/record-fields.ts'

const Fields = Type.Array(Type.String({ maxLength: 256 }), { maxItems: 256 })

const Simple = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 65_536, description: 'an address, domain, URL, hash, word ...' }),
    accuracy: Type.Optional(Type.Integer({ minimum: 0, maximum: 3, description: 'exact match' })),
    reputation: Type.Optional(Type.Integer({ minimum: -3, maximum: 3, description: 'exact match' })),
    source: Type.Optional(
      Type.Object(
        { includes: Type.Optional(Fields), excludes: Type.Optional(Fields) },
        { additionalProperties: false, description: 'fields of the records to answer with; `*` is a wildcard' },
      ),
    ),
  },
  { additionalProperties: false },
)

const HistoryRecord = Type.Object(
  {
    id: Type.Optional(Type.String()),
    entityID: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    userID: Type.Optional(Type.String()),
    attributes: Type.Optional(Type.Record(Type.String(), Type.String())),
    reputation: Type.Optional(Type.Integer()),
    accuracy: Type.Optional(Type.Integer()),
    tags: Type.Optional(Type.Array(Type.String())),
    visibleBy: Type.Optional(Type.Array(Type.String())),
    wellKnown: Type.Optional(Type.Boolean()),
    '@timestamp': Type.Optional(Type.String({ format: 'date-time' })),
    lastSeen: Type.Optional(Type.String({ format: 'date-time' })),
    sort: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  },
  { description: 'a record; `source` may leave fields out' },
)

const Found = Type.Object({
  items: Type.Integer({ description: 'all matching records' }),
  pages: Type.Integer(),
  results: Type.Array(HistoryRecord),
  aggregations: Type.Null(),
})

const paging = Type.Object({
  limit: Type.Integer({ default: 10, minimum: 0, maximum: 1000, description: '0: totals only' }),
  page: Type.Integer({ default: 1, maximum: 1_000_000_000, description: '1 or less is the first page' }),
  sort: Type.String({ default: '@timestamp', description: `one of ${sortFields.join(', ')}` }),
  order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
})

/** History search by a term (specification 4.2). */
export const historyRoutes = (readers: Readers, search: HistorySearch): Route[] => [
  route({
    method: 'post',
    path: '/api/search/v1/entities/history/simple',
    summary: 'History records that carry a value, newest first.',
    tag: 'Search',
    access: 'anyone',
    query: paging,
    body: Simple,
    responses: { 200: Found },
    limit: { service: 'search-api', features: ['history_search_per_minute'] },
    handler: async ({ groups, query: { limit, page, sort: field, order }, body }) => {
      const sort = sortBy(field, order)
      if (sort === null) throw invalid('sort', `must be one of ${sortFields.join(', ')}`)
      if (body.query.trim() === '') throw invalid('query', 'must not be blank')
      const question = {
        query: body.query,
        accuracy: body.accuracy ?? null,
        reputation: body.reputation ?? null,
        source: { includes: body.source?.includes ?? [], excludes: body.source?.excludes ?? [] },
        sort,
        limit,
        page: Math.max(1, page),
      }
      const found = await searched(async () => search.simple(await readers.of(groups), question))
      if (found.items === 0) throw new ApiError('no_results')
      return reply(200, found)
    },
  }),
]

async function searched(ask: () => Promise<Page>): Promise<Page & { results: { sort: (string | number | null)[] }[] }> {
  try {
    return (await ask()) as Awaited<ReturnType<typeof searched>>
  } catch (cause) {
    if (cause instanceof ReachExceeded) throw invalid('page', cause.message)
    throw new ApiError('search_failed', {}, { cause })
  }
}
