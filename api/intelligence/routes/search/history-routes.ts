import { Type } from 'typebox'
import { notAudited, SEARCH } from '../../../../schemas/audit/action.ts'
import { isHeavy } from '../../../../schemas/intelligence/search/cost.ts'
import { addressBlock } from '../../../http/addresses/address-block.ts'
import { ApiError, failure, invalid } from '../../../http/errors.ts'
import { CoveredBy } from '../../../http/fields/common.ts'
import { UUID } from '../../../http/fields/examples.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import { PageTooDeep } from '../../services/page-depth.ts'
import type { Readers } from '../../services/readers.ts'
import type { Reporters } from '../../services/reporters.ts'
import { readAdvanced } from '../../services/search/advanced.ts'
import type { HistoryMemory } from '../../services/search/history-memory.ts'
import { advancedHistory, type HistorySearch, type Page } from '../../services/search/history-search.ts'
import { sortBy, sortFields } from '../../services/search/record-fields.ts'
import type { RunSearch } from '../../services/search/search-bounds.ts'
import { ReporterShown } from '../answers/reporter.ts'
import { Advanced, Simple, searchPaging } from './search-schema.ts'

const HistoryRecord = Type.Object(
  {
    id: Type.Optional(Type.String()),
    entityID: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    userID: Type.Optional(Type.String()),
    reporter: Type.Optional(ReporterShown),
    attributes: Type.Optional(Type.Record(Type.String(), Type.String())),
    reputation: Type.Optional(Type.Integer()),
    accuracy: Type.Optional(Type.Integer()),
    tags: Type.Optional(Type.Array(Type.String())),
    visibleBy: Type.Optional(Type.Array(Type.String())),
    wellKnown: Type.Optional(Type.Boolean()),
    '@timestamp': Type.Optional(Type.String({ format: 'date-time' })),
    lastSeen: Type.Optional(Type.String({ format: 'date-time' })),
    retracted: Type.Optional(Type.Boolean({ description: 'true: the report was retracted and does not count' })),
    match: Type.Optional(
      Type.Boolean({
        description:
          'true: not a report; telemetry matched the entity on that day (UTC), and the owner of the telemetry shares this',
      }),
    ),
    verdict: Type.Optional(
      Type.Object(
        {
          verdict: Type.Union([Type.Enum(['benign', 'malicious']), Type.Null()], {
            description: 'null: the record withdraws the previous verdict',
          }),
          reason: Type.String({ description: 'empty when the verdict is withdrawn' }),
          until: Type.Optional(Type.String({ format: 'date-time' })),
        },
        { description: 'the record gives or withdraws a verdict of the customer; it is not a report' },
      ),
    ),
    sort: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  },
  { description: 'a record, limited to the fields that `source` selects' },
)

const page = {
  items: Type.Integer({ description: 'total number of matching records' }),
  pages: Type.Integer(),
  results: Type.Array(HistoryRecord),
}
const Found = Type.Object({ ...page, aggregations: Type.Null(), coveredBy: Type.Optional(CoveredBy) })
const FoundAndCounted = Type.Object({ ...page, aggregations: Type.Record(Type.String(), Type.Unknown()) })

const paging = searchPaging(sortFields)

export type HistoryParts = {
  readers: Readers
  reporters: Reporters
  search: HistorySearch
  memory: HistoryMemory
  /** Within the bounds of advanced searches. */
  run: RunSearch
  now: () => number
}

/** History search by a term, and by any question (specification 4.2). */
export const historyRoutes = ({ readers, reporters, search, memory, run, now }: HistoryParts): Route[] => [
  route({
    method: 'post',
    path: '/api/search/v1/entities/history/simple',
    id: 'searchHistorySimple',
    summary: 'Search history records by a value, newest first.',
    codes: ['no_results', 'search_failed'],
    examples: {
      words: { 'results.id': UUID },
      body: { query: '203.0.113.7', reputation: -2, source: { excludes: ['attributes'] } },
    },
    audit: notAudited(SEARCH),
    tag: 'Search',
    access: 'anyone',
    scope: 'search',
    query: paging,
    body: Simple,
    responses: { 200: Found },
    limit: { service: 'search-api', features: ['history_search_per_minute'] },
    handler: async ({ user, groups, query: { limit, page, sort: field, order }, body }) => {
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
      const found = await runSearch(async () => search.simple(await readers.of(groups), question, reporters(user)))
      if (found.items === 0) throw new ApiError('no_results')
      return reply(200, found)
    },
  }),
  route({
    method: 'post',
    path: '/api/search/v1/entities/history/advanced',
    id: 'searchHistoryAdvanced',
    summary: 'Search history records with a query DSL, sorting and aggregations.',
    codes: ['no_results', 'search_failed', 'query_too_expensive', 'busy'],
    examples: {
      words: { 'results.id': UUID },
      body: {
        query: { filter: [{ term: { type: 'ip' } }, { range: { reputation: { lt: 0 } } }] },
        aggs: { countries: { terms: { field: 'attributes.country', size: 10 } } },
      },
    },
    audit: notAudited(SEARCH),
    tag: 'Search',
    access: 'anyone',
    scope: 'search',
    query: paging,
    body: Advanced,
    responses: { 200: FoundAndCounted },
    limit: { service: 'search-api', features: ['advanced_history_search_per_minute'] },
    handler: async ({ user, ip, groups, query, body, signal }) => {
      const request = readAdvanced(query, body, { surface: 'history', now: now() })
      const found = await run(
        async (store) =>
          advancedHistory(store, await readers.of(groups), request.search, request.paging, reporters(user), memory),
        { caller: user?.userId ?? addressBlock(ip), weight: isHeavy(request.search) ? 'heavy' : 'light', gone: signal },
      )
      if (found.items === 0) throw new ApiError('no_results')
      return reply(200, found)
    },
  }),
]

async function runSearch(
  ask: () => Promise<Page>,
): Promise<Page & { results: { sort: (string | number | null)[] }[] }> {
  try {
    return (await ask()) as Awaited<ReturnType<typeof runSearch>>
  } catch (cause) {
    if (cause instanceof PageTooDeep) throw invalid('page', cause.message)
    throw failure('search_failed', cause)
  }
}
