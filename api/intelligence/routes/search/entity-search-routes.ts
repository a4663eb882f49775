/** Searches of current entities (docs/use/search.md). */

import { Type } from 'typebox'
import type { LookupSource } from '../../../../connectors/lookups/port.ts'
import { notAudited, SEARCH } from '../../../../schemas/audit/action.ts'
import type { Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { isHeavy } from '../../../../schemas/intelligence/search/cost.ts'
import { sortFieldOf, sortFields } from '../../../../schemas/intelligence/search/fields.ts'
import { readSelector } from '../../../../schemas/intelligence/selectors/read.ts'
import { searchOfSelector } from '../../../../schemas/intelligence/selectors/search.ts'
import { SelectorBody } from '../../../../schemas/intelligence/selectors/selector-schema.ts'
import { addressBlock } from '../../../http/addresses/address-block.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import { CLOSED, CoveredBy } from '../../../http/fields/common.ts'
import { ownGroups, readerGroups } from '../../../http/fields/own-groups.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { Coverings } from '../../services/entity/covering.ts'
import { EntityRecord } from '../../services/entity/entity-record.ts'
import type { Readers } from '../../services/readers.ts'
import { type PagingQuery, readAdvanced } from '../../services/search/advanced.ts'
import { advancedEntities, simpleEntities } from '../../services/search/entity-search-service.ts'
import type { SearchResult as FoundBody, Paging } from '../../services/search/record-search.ts'
import type { RunSearch } from '../../services/search/search-bounds.ts'
import { Advanced, Simple, searchPaging } from './search-schema.ts'

const paging = searchPaging(sortFields('entities'))

const page = {
  items: Type.Integer({ description: 'total number of matching entities' }),
  pages: Type.Integer(),
  results: Type.Array(
    Type.Intersect([
      Type.Partial(EntityRecord),
      Type.Object({ sort: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])) }),
    ]),
    { description: 'records, limited to the fields that `source` selects' },
  ),
}
const SearchResult = Type.Object({ ...page, aggregations: Type.Null(), coveredBy: Type.Optional(CoveredBy) })
const FoundAndCounted = Type.Object({ ...page, aggregations: Type.Record(Type.String(), Type.Unknown()) })

/** Entities of an answer by a selector. */
const SAMPLE = 10
const sampleSize = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  default: SAMPLE,
  description: 'maximum number of entities',
})
const SelectorQuestion = Type.Object(
  {
    selector: SelectorBody,
    limit: Type.Optional(sampleSize),
    groups: Type.Optional(readerGroups('search as a reader in all of these groups; default: all groups of the caller')),
  },
  CLOSED,
)
const Selected = Type.Object({ items: page.items, results: page.results })
const SELECTED = (now: number) => ({ surface: 'entities', now }) as const

export type EntitySearchParts = {
  readers: Readers
  /** Within the bounds of advanced searches. */
  run: RunSearch
  lookups: LookupSource
  networks: Coverings
  scoring: Scoring
  now: () => number
}

export const entitySearchRoutes = ({ readers, run, lookups, networks, scoring, now }: EntitySearchParts): Route[] => [
  route({
    method: 'post',
    path: '/api/search/v1/entities/simple',
    id: 'searchEntitiesSimple',
    summary: 'Search current entities by a value, newest first.',
    codes: ['no_results', 'search_failed', 'query_too_expensive', 'busy'],
    examples: { body: { query: '203.0.113.7' } },
    audit: notAudited(SEARCH),
    tag: 'Search',
    access: 'anyone',
    scope: 'search',
    query: paging,
    body: Simple,
    responses: { 200: SearchResult },
    limit: { service: 'search-api', features: ['simple_search_per_minute'] },
    handler: async ({ user, ip, groups, query, body, signal }) => {
      const paging = pagingOf(query)
      if (body.query.trim() === '') throw invalid('query', 'must not be blank')
      const term = {
        query: body.query,
        accuracy: body.accuracy ?? null,
        reputation: body.reputation ?? null,
        source: { includes: body.source?.includes ?? [], excludes: body.source?.excludes ?? [] },
      }
      const found = await run(
        async (history) =>
          simpleEntities({ history, lookups }, networks, await readers.of(groups), term, paging, scoring),
        { caller: user?.userId ?? addressBlock(ip), weight: 'light', gone: signal },
      )
      return reply(200, some(found))
    },
  }),
  route({
    method: 'post',
    path: '/api/search/v1/entities/advanced',
    id: 'searchEntitiesAdvanced',
    summary: 'Search current entities with a query DSL, sorting and aggregations.',
    codes: ['no_results', 'search_failed', 'query_too_expensive', 'busy'],
    examples: {
      words: { aggregations: { kinds: { buckets: [{ key: 'ip', doc_count: 1 }] } } },
      body: {
        query: { filter: [{ term: { type: 'ip' } }, { range: { reputation: { lt: 0 } } }] },
        aggs: { kinds: { terms: { field: 'type', size: 10 } } },
      },
    },
    audit: notAudited(SEARCH),
    tag: 'Search',
    access: 'anyone',
    scope: 'search',
    query: paging,
    body: Advanced,
    responses: { 200: FoundAndCounted },
    limit: { service: 'search-api', features: ['advanced_search_per_minute'] },
    handler: async ({ user, ip, groups, query, body, signal }) => {
      const { search, paging } = readAdvanced(query, body, { surface: 'entities', now: now() })
      const found = await run(
        async (history) => advancedEntities({ history, lookups }, await readers.of(groups), search, paging, scoring),
        { caller: user?.userId ?? addressBlock(ip), weight: isHeavy(search) ? 'heavy' : 'light', gone: signal },
      )
      return reply(200, some(found))
    },
  }),
  route({
    method: 'post',
    path: '/api/search/v1/entities/selector',
    id: 'searchEntitiesBySelector',
    summary: 'Search current entities by a selector: what a feed with it would list now, newest first.',
    codes: ['forbidden', 'search_failed', 'query_too_expensive', 'busy', 'query_timeout'],
    examples: { body: { selector: { types: ['ip'], reputation: { lte: -1 } }, limit: 10, groups: ['public'] } },
    audit: notAudited(SEARCH),
    tag: 'Search',
    access: 'anyone',
    scope: 'search',
    body: SelectorQuestion,
    responses: { 200: Selected },
    limit: { service: 'search-api', features: ['advanced_search_per_minute'] },
    handler: async ({ user, ip, groups, body, signal }) => {
      const { selector: given, limit = SAMPLE } = body
      const reads = ownGroups(groups, body.groups)
      const selector = readSelector(given)
      if (!selector.ok) throw invalid(selector.param, selector.message)
      const asked = { limit, page: 1, sort: 'lastSeen', order: 'desc' } as const
      const { search, paging } = readAdvanced(asked, searchOfSelector(selector.selector, now()), SELECTED(now()))
      const { items, results } = await run(
        async (history) => advancedEntities({ history, lookups }, await readers.of(reads), search, paging, scoring),
        { caller: user?.userId ?? addressBlock(ip), weight: isHeavy(search) ? 'heavy' : 'light', gone: signal },
      )
      return reply(200, { items, results })
    },
  }),
]

function pagingOf({ sort, order, limit, page }: PagingQuery): Paging {
  const field = sortFieldOf(sort, 'entities')
  if ('reason' in field) throw invalid('sort', field.reason)
  return { sort: { field, order }, limit, page: Math.max(1, page) }
}

function some<F extends Pick<FoundBody, 'items'>>(found: F): F {
  if (found.items === 0) throw new ApiError('no_results')
  return found
}
