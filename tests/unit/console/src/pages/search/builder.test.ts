import { expect, test } from 'vitest'
import {
  isGroup,
  newAggregation,
  newCondition,
  newGroup,
} from '../../../../../../console/src/pages/search/builder/model.ts'
import { readBack } from '../../../../../../console/src/pages/search/builder/read-back.ts'
import { rowAt, write } from '../../../../../../console/src/pages/search/builder/write.ts'
import { readSearch } from '../../../../../../schemas/intelligence/search/read-search.ts'

const read = (body: unknown) =>
  readSearch(body, { surface: 'entities', now: Date.UTC(2026, 10, 22), sort: { name: 'lastSeen', kind: 'date' } })

/** Bodies that the builder writes as they are. */
const same: [name: string, body: object][] = [
  ['everything', {}],
  ['a term', { query: { must: [{ term: { type: 'ip' } }] } }],
  ['numbers and booleans', { query: { must: [{ term: { reputation: -3 } }, { term: { wellKnown: true } }] } }],
  ['one of', { query: { should: [{ terms: { 'attributes.asn': [64500, 64501] } }, { exists: { field: 'tags' } }] } }],
  ['a range with date math', { query: { must: [{ range: { lastSeen: { gte: 'now-7d/d', lt: 'now' } } }] } }],
  [
    'letters',
    { query: { must_not: [{ prefix: { tags: 'a' } }, { wildcard: { type: 'e*' } }, { fuzzy: { tags: 'b' } }] } },
  ],
  ['words', { query: { must: [{ match: { 'attributes.text': { query: 'a b', operator: 'and' } } }] } }],
  ['a phrase', { query: { must: [{ match_phrase: { 'attributes.*': 'a b' } }] } }],
  ['not', { query: { must: [{ bool: { must_not: [{ term: { type: 'ip' } }] } }, { term: { tags: 'x' } }] } }],
  [
    'groups',
    {
      query: {
        must: [{ bool: { should: [{ term: { type: 'ip' } }, { bool: { must: [{ term: { tags: 'x' } }] } }] } }],
      },
    },
  ],
  [
    'counts',
    {
      aggs: {
        days: {
          date_histogram: { field: 'lastSeen', interval: 'day' },
          aggs: { mean: { avg: { field: 'reputation' } } },
        },
        types: { terms: { field: 'type', size: 5 } },
        steps: { histogram: { field: 'reputation', interval: 2 } },
      },
    },
  ],
]

for (const [name, body] of same)
  test(`there and back: ${name}`, () => {
    const model = readBack(body, 'entities')
    expect(model).toHaveProperty('query')
    if (!('query' in model)) return
    expect(write(model, 'entities').body).toEqual(body)
    expect(read(body).ok).toBe(true)
  })

test('what means the same is read too', () => {
  const body = {
    query: {
      filter: [{ term: { type: { value: 'ip' } } }],
      must_not: [{ term: { tags: 'a' } }, { term: { tags: 'b' } }],
    },
  }
  const model = readBack(body, 'history')
  expect('query' in model && write(model, 'history').body).toEqual({
    query: {
      must: [{ term: { type: 'ip' } }, { bool: { must_not: [{ term: { tags: 'a' } }, { term: { tags: 'b' } }] } }],
    },
  })
})

const beyond: [path: string, body: unknown][] = [
  ['collapse', { collapse: { field: 'type' } }],
  ['query.must[0].query_string', { query: { must: [{ query_string: { query: 'a' } }] } }],
  ['query.should', { query: { must: [{ term: { type: 'ip' } }], should: [{ term: { tags: 'a' } }] } }],
  ['query.must[0].term', { query: { must: [{ term: { nothing: 'ip' } }] } }],
  ['query.must[0].term', { query: { must: [{ term: { type: { value: 'ip', case_insensitive: true } } }] } }],
  ['aggs.top.top_hits', { aggs: { top: { top_hits: {} } } }],
  ['aggs.types.terms', { aggs: { types: { terms: { field: 'type', order: { _key: 'asc' } } } } }],
  ['the whole', []],
]

for (const [path, body] of beyond)
  test(`more than the builder shows: ${path} of ${JSON.stringify(body)}`, () => {
    const found = readBack(body, 'entities')
    expect('beyond' in found && (found.beyond === path || path.startsWith(found.beyond))).toBe(true)
  })

test('rows that say too little are left out, and a refused parameter leads to its row', () => {
  const refused = newCondition({ field: 'lastSeen', op: 'range', from: 'yesterday' })
  const query = newGroup('all', [newCondition(), newGroup('any', [newCondition({ value: 'ip' }), refused]), newGroup()])
  const counts = [newAggregation({ name: 'a' }), newAggregation({ name: 'a', field: 'tags' })]
  const { body, rows } = write({ query, counts }, 'entities')
  expect(body).toEqual({
    query: { must: [{ bool: { should: [{ term: { type: 'ip' } }, { range: { lastSeen: { gte: 'yesterday' } } }] } }] },
    aggs: { a: { terms: { field: 'type', size: 10 } } },
  })
  const fault = read(body)
  expect(fault.ok === false && rowAt(fault.param, rows)).toBe(refused.id)
  expect(rowAt('query.must[10]', rows)).toBe(null)
  expect(query.rows.filter(isGroup)).toHaveLength(2)
})
