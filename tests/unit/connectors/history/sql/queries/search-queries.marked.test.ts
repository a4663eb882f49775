import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../../../connectors/history/port.ts'
import { searchPage, searchTotals } from '../../../../../../connectors/history/sql/queries/search-queries.ts'
import { aggregate } from '../../../../../../connectors/history/sql/search/aggregate/run-aggregations.ts'
import { historySurface } from '../../../../../../connectors/history/sql/search/surface.ts'
import type { Field } from '../../../../../../schemas/intelligence/search/clause.ts'
import { readSearch } from '../../../../../../schemas/intelligence/search/read-search.ts'

/** Nothing that a caller wrote may stand in the text of a query: every string of every clause carries this mark. */
const MARK = 'zqxmark'
const x = `${MARK}'"\\;--`
const field = 'attributes.text'

const CLAUSES: Record<string, unknown>[] = [
  { term: { [field]: x } },
  { term: { tags: { value: x, case_insensitive: true } } },
  { terms: { 'attributes.country': [x, `${x}2`] } },
  { term: { id: x } },
  { terms: { entityID: [x, `${MARK}-${'0'.repeat(64)}`] } },
  { ids: { values: [x] } },
  { range: { 'attributes.country': { gte: x, lt: `${x}z` } } },
  { prefix: { 'attributes.*': { value: x, case_insensitive: true } } },
  { wildcard: { [field]: `*${x}?` } },
  { regexp: { [field]: `${MARK}.*[a-z]{2}` } },
  { fuzzy: { 'attributes.*': { value: x, fuzziness: 2, prefix_length: 3 } } },
  { match: { [field]: { query: `${x} ${MARK}2`, operator: 'and' } } },
  { match: { 'attributes.*': { query: `${MARK}1 ${MARK}2 ${MARK}3`, minimum_should_match: 2 } } },
  { match: { [field]: { query: `${MARK}1 ${MARK}2`, fuzziness: 'AUTO' } } },
  { match_phrase: { [field]: `${MARK}1 ${x}` } },
  { match_phrase_prefix: { 'attributes.*': `${MARK}1 ${x}` } },
  { match_bool_prefix: { [field]: `${MARK}1 ${x}` } },
  { multi_match: { query: x, fields: [field, 'tags'], type: 'phrase' } },
  { query_string: { query: `${field}:"${MARK} two" OR tags:${MARK}~1 AND NOT /${MARK}.+/ tags:[${MARK} TO *]` } },
  { simple_query_string: { query: `${x} +${MARK}* -"${MARK} b"` } },
  {
    bool: {
      should: [{ term: { type: x } }, { term: { userID: x } }],
      minimum_should_match: 2,
      must_not: [{ term: { tags: x } }],
    },
  },
]
const AGGS = {
  [MARK]: { terms: { field: 'tags' }, aggs: { [`${MARK}2`]: { filter: { term: { tags: x } } } } },
  [`${MARK}3`]: { filters: { filters: { [MARK]: { prefix: { type: x } } }, other_bucket_key: `${MARK}4` } },
}

const SORT: Field = { name: 'attribute', attribute: 'country', kind: 'keyword' }

async function queriesOf(body: unknown): Promise<Query[]> {
  const read = readSearch(body, { surface: 'history', now: 0, sort: SORT })
  if (!read.ok) throw new Error(`${read.param} ${read.message}`)
  const { clause, aggs, after, collapse } = read.search
  const surface = historySurface([1n])
  const asked = { surface, clause, sort: { field: SORT, order: 'asc' as const }, after, collapse }
  const queries = [searchTotals(asked), searchPage(asked, 10, 0)]
  const ask = async (query: Query) => {
    queries.push(query)
    return []
  }
  if (aggs.size > 0) await aggregate(aggs, { surface, query: clause }, ask, { of: (row) => row })
  return queries
}

describe('no text of a caller stands in a query', () => {
  test.each(CLAUSES)('%j', async (clause) => {
    for (const { sql, params } of await queriesOf({ query: { must: [clause] } })) {
      expect(sql).not.toContain(MARK)
      expect(sql).toMatch(/audience IN \{p\d+:Array\(UInt64\)\}/)
      expect(JSON.stringify(params, (_, v) => (typeof v === 'bigint' ? String(v) : v))).toContain(MARK)
    }
  })
  test('of aggregations, of the place after which results begin', async () => {
    const queries = [
      ...(await queriesOf({ aggs: AGGS })),
      ...(await queriesOf({ search_after: [x, '019b0000-0000-7000-8000-000000000001'] })),
    ]
    expect(queries.length).toBeGreaterThan(5)
    for (const { sql } of queries) expect(sql).not.toContain(MARK)
  })
})
