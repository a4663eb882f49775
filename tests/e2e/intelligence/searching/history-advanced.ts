import { beforeAll, describe, expect, test } from 'vitest'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { type Answered, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Advanced history search as callers meet it (specification 4.2, docs/use/search.md). */
export function historyAdvanced(shared: Shared): void {
  const { platform } = shared
  let red: User
  /** How many records everybody could read. */
  let before: number

  const PATH = '/api/search/v1/entities/history/advanced'
  type Body = { query?: { filter?: object[]; [clauses: string]: unknown }; [part: string]: unknown }
  /** Of what other parts reported nothing is found. */
  const ours = ({ query, ...body }: Body) => ({
    ...body,
    query: { ...query, filter: [...(query?.filter ?? []), { prefix: { 'attributes.ip': '198.18.7.' } }] },
  })
  const search = (body: Body, query = '', as: Record<string, string> | null = null): Promise<Answered> =>
    platform.ask(`${PATH}${query}`, ours(body), as)
  const must = (...clauses: object[]) => ({ query: { must: clauses } })
  const countries = ({ body }: Answered): string[] =>
    // biome-ignore lint/suspicious/noExplicitAny: records of an answer
    body.results.map((r: any) => r.attributes.country)

  beforeAll(async () => {
    before = (await platform.ask(PATH, {}, null)).body.items
    const roles = ['reporter']
    const open = await newUserOf(platform, { roles, groups: ['public'] })
    red = await newUserOf(platform, { roles, groups: ['red'] })
    const report = async (user: User, ip: string, country: string, more: object = {}) => {
      const { attributes, ...rest } = { attributes: {}, ...more }
      const body = { type: 'ip', attributes: { ip, country, ...attributes }, ...rest }
      expect((await platform.ask('/api/ingest/v1/entity', body, user.headers)).status).toBe(202)
    }
    await report(open, '198.18.7.1', 'France', { reputation: -3, tags: ['apt'], attributes: { asn: 64500 } })
    await report(open, '198.18.7.2', 'France', { reputation: -1, attributes: { text: 'seen with mirai' } })
    await report(open, '198.18.7.3', 'Peru', { reputation: -2 })
    await report(open, '198.18.7.4', 'Chad', { reputation: 3 })
    await report(red, '198.18.7.5', 'France', { reputation: -3, attributes: { text: 'redword of mirai' } })
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  })

  test('an empty body finds all that the caller may read', async () => {
    const { status, body } = await platform.ask(PATH, {}, null)
    expect({ status, items: body.items, pages: body.pages }).toEqual({
      status: 200,
      items: before + 4,
      pages: Math.ceil((before + 4) / 10),
    })
    expect(body.results[0]).toMatchObject({
      type: 'ip',
      attributes: { ip: '198.18.7.4', country: 'Chad' },
      visibleBy: ['public'],
    })
    expect(body.aggregations).toEqual({})
    expect((await search({}, '', red.headers)).body.items).toBe(5)
  })

  test('the example of the specification has exactly its answer', async () => {
    const { status, body } = await search(
      {
        query: {
          must: [{ term: { type: { value: 'ip' } } }, { match: { 'attributes.country': { query: 'France' } } }],
          filter: [{ range: { '@timestamp': { gte: 'now-1d/d', lte: 'now' } } }],
        },
        aggs: {
          per_day: {
            date_histogram: { field: '@timestamp', interval: 'day' },
            aggs: { mean: { avg: { field: 'reputation' } } },
          },
        },
      },
      '?limit=0',
    )
    expect({ status, body: { ...body, aggregations: null } }).toEqual({
      status: 200,
      body: { items: 2, pages: 0, results: [], aggregations: null },
    })
    const { buckets } = body.aggregations.per_day
    expect(Object.keys(body.aggregations)).toEqual(['per_day'])
    // All of them within one day, unless it was midnight in between.
    expect(buckets.reduce((sum: number, b: { doc_count: number }) => sum + b.doc_count, 0)).toBe(2)
    const [day] = buckets
    expect(day).toEqual({
      key_as_string: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`,
      key: Date.parse(new Date().toISOString().slice(0, 10)),
      doc_count: 2,
      mean: { value: -2 },
    })
  })

  test('clauses are combined, sorted, shown in part and paged', async () => {
    const query = {
      must_not: [{ term: { 'attributes.country': 'Chad' } }],
      should: [{ exists: { field: 'attributes.asn' } }, { terms: { tags: ['x'] } }],
    }
    expect(countries(await search({ query: { ...query, minimum_should_match: 1 } }))).toEqual(['France'])
    const sorted = await search({ query: { must_not: query.must_not } }, '?sort=reputation&order=asc&limit=2')
    expect(sorted.body).toMatchObject({ items: 3, pages: 2 })
    expect(countries(sorted)).toEqual(['France', 'Peru'])
    const { sort } = sorted.body.results[1]
    expect(sort).toEqual([-2, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    const rest = await search(
      { query: { must_not: query.must_not }, search_after: sort },
      '?sort=reputation&order=asc&limit=2',
    )
    expect(countries(rest)).toEqual(['France'])
    const parts = await search(
      { source: { includes: ['attributes.c*', 'reputation'] }, collapse: { field: 'attributes.country' } },
      '?sort=attributes.country&order=asc',
    )
    expect(parts.body).toMatchObject({ items: 4, pages: 1 })
    expect(parts.body.results[0]).toEqual({
      attributes: { country: 'Chad' },
      reputation: 3,
      sort: ['Chad', expect.any(String)],
    })
    expect(countries(parts)).toEqual(['Chad', 'France', 'Peru'])
  })

  test('what a caller cannot read is found by none of its questions', async () => {
    for (const clause of [
      { match: { 'attributes.text': 'redword' } },
      { wildcard: { 'attributes.*': '*redword*' } },
      { query_string: { query: 'attributes.text:redword OR attributes.ip:"198.18.7.5"' } },
      { term: { 'attributes.ip': '198.18.7.5' } },
      { term: { userID: red.id } },
    ]) {
      expect({ clause, status: (await search(must(clause))).status }).toEqual({ clause, status: 404 })
      expect((await search(must(clause), '', red.headers)).body).toMatchObject({ items: 1 })
    }
    const counted = {
      aggs: { by: { terms: { field: 'attributes.country' } }, all: { cardinality: { field: 'userID' } } },
    }
    const open = await search(counted, '?limit=0')
    expect(open.body.aggregations.by.buckets).toEqual([
      { key: 'France', doc_count: 2 },
      { key: 'Chad', doc_count: 1 },
      { key: 'Peru', doc_count: 1 },
    ])
    expect(open.body.aggregations.all).toEqual({ value: 1 })
    expect((await search(counted, '?limit=0', red.headers)).body.aggregations.by.buckets[0].doc_count).toBe(3)
  })

  describe('refused', () => {
    const cases: { name: string; body?: Body; query?: string; status: number; code: string; param?: string }[] = [
      { name: 'nothing matches', body: must({ term: { type: 'domain' } }), status: 404, code: 'no_results' },
      {
        name: 'nothing matches and nothing is shown',
        body: must({ term: { type: 'domain' } }),
        query: '?limit=0',
        status: 404,
        code: 'no_results',
      },
      {
        name: 'the groups of a record',
        body: must({ term: { visibleBy: 'red' } }),
        status: 400,
        code: 'invalid_parameter',
      },
      { name: 'sorted by groups', query: '?sort=visibleBy', status: 400, code: 'invalid_parameter', param: 'sort' },
      { name: 'an unknown clause', body: must({ script: {} }), status: 400, code: 'invalid_parameter' },
      {
        name: 'an unknown part',
        body: { script_fields: {} },
        status: 400,
        code: 'invalid_parameter',
        param: 'script_fields',
      },
      {
        name: 'a pattern that looks around',
        body: must({ regexp: { 'attributes.country': '(?=F).*' } }),
        status: 400,
        code: 'invalid_parameter',
      },
      {
        name: 'a page beside search_after',
        body: { search_after: [1, '019b0000-0000-7000-8000-000000000001'] },
        query: '?page=2',
        status: 400,
        code: 'invalid_parameter',
        param: 'page',
      },
      {
        name: 'more than a thousand records',
        query: '?limit=1001',
        status: 400,
        code: 'invalid_parameter',
        param: 'limit',
      },
    ]
    test.each(cases)('$name', async ({ body = {}, query = '', status, code, param }) => {
      const answer = await search(body, query)
      expect(answer).toMatchObject({ status, body: { error: { code, ...(param && { param }) } } })
      expect(answer.headers.get('x-error')).not.toBeNull()
    })
    test('a page past the last one is empty, with the totals', async () => {
      expect((await search({}, '?page=9')).body).toMatchObject({ items: 4, pages: 1, results: [] })
    })
  })

  const HOSTILE = [
    "' OR 1=1 --",
    "\\'); DROP TABLE history; --",
    '{p0:String}',
    '`history`',
    '\u0000',
    '$$',
    '/* */',
    '\\',
    "') UNION ALL SELECT * FROM entities --",
  ]

  test('what looks like SQL is text like any other', async () => {
    for (const text of HOSTILE)
      for (const clause of [
        { term: { 'attributes.country': text } },
        { terms: { tags: [text] } },
        { prefix: { 'attributes.text': text } },
        { wildcard: { 'attributes.*': text } },
        { fuzzy: { 'attributes.text': { value: text, fuzziness: 2 } } },
        { match: { 'attributes.text': `${text} nothingness` } },
        { match_phrase: { 'attributes.text': `${text} nothingness` } },
        { simple_query_string: { query: `${text} nothingness`, default_operator: 'and' } },
        { range: { 'attributes.country': { gt: `zz${text}` } } },
        { ids: { values: [text] } },
      ])
        expect({ clause, status: (await search(must(clause))).status }).toEqual({ clause, status: 404 })
    expect((await search({})).body.items).toBe(4)
  })
}
