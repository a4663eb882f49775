/** Searches of current entities, as the JavaScript client asks them; behind the calls of `ingest.ts`. */

import { at, type Call } from './call.ts'

const BASE = '/api/search/v1'

const counting = {
  aggs: { types: { terms: { field: 'type.keyword', size: 10 } } },
  query: { must: [{ terms: { 'type.keyword': ['ip'] } }] },
  source: { includes: [], excludes: [] },
}
const everything = { includes: [], excludes: [] }

const record = (answer: unknown, ...path: (string | number)[]): boolean =>
  at(answer, ...path, 'type') === 'ip' &&
  at(answer, ...path, 'attributes', 'ip') === '203.0.113.7' &&
  at(answer, ...path, 'reputation') === -3

/** Every method of `SearchClient`. */
export const searchCalls: readonly Call[] = [
  {
    method: 'search.lookupEntity',
    args: ['ip', '203.0.113.7'],
    verb: 'POST',
    path: `${BASE}/entity`,
    body: { type: 'ip', value: '203.0.113.7' },
    status: 200,
    holds: (answer, { entityId }) =>
      record(answer) &&
      at(answer, 'id') === entityId &&
      at(answer, 'tags', 0) === 'apt' &&
      at(answer, 'wellKnown') === false &&
      ['bestReputation', 'worstReputation', 'accuracy'].every((name) => typeof at(answer, name) === 'number') &&
      typeof at(answer, 'lastSeen') === 'string',
  },
  {
    method: 'search.lookupEntity',
    args: ['ip', '203.0.113.222'],
    verb: 'POST',
    path: `${BASE}/entity`,
    body: { type: 'ip', value: '203.0.113.222' },
    status: 404,
  },
  {
    method: 'search.simpleSearch',
    args: [{ query: '203.0.113.7', page: 1, limit: 5, sort: '@timestamp', order: 'desc' }],
    verb: 'POST',
    path: `${BASE}/entities/simple?page=1&limit=5&sort=%40timestamp&order=desc`,
    body: { query: '203.0.113.7', source: everything },
    status: 200,
    eventually: true,
    holds: (answer, { entityId }) =>
      at(answer, 'items') === 1 &&
      at(answer, 'pages') === 1 &&
      at(answer, 'aggregations') === null &&
      at(answer, 'results', 0, 'id') === entityId &&
      record(answer, 'results', 0),
  },
  {
    method: 'search.simpleSearch',
    args: [{ query: '203.0.113.7', source: { includes: ['id', 'type'] } }],
    verb: 'POST',
    path: `${BASE}/entities/simple`,
    body: { query: '203.0.113.7', source: { includes: ['id', 'type'], excludes: [] } },
    status: 200,
    holds: (answer) => at(answer, 'results', 0, 'type') === 'ip' && at(answer, 'results', 0, 'tags') === undefined,
  },
  {
    method: 'search.advancedSearch',
    args: [counting],
    verb: 'POST',
    path: `${BASE}/entities/advanced`,
    body: counting,
    status: 200,
    holds: (answer) =>
      at(answer, 'aggregations', 'types', 'buckets', 0, 'key') === 'ip' &&
      at(answer, 'aggregations', 'types', 'buckets', 0, 'doc_count') === 1,
  },
]
