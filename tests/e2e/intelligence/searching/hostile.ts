import { beforeAll, describe, expect, test } from 'vitest'
import { lag } from '../../../builders/platform/lag.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { heavySearches, tooHeavy } from '../../../builders/search/heavy.ts'

/** Searches that would cost more than they may: each is refused by name, and nobody else notices (docs/use/search-reference.md, Bounds). */
export function hostile(shared: Shared): void {
  const { platform } = shared

  const PATHS = ['/api/search/v1/entities/history/advanced']
  const must = (...clauses: object[]): object => ({ query: { must: clauses } })
  const text = 'attributes.text'
  const times = <T>(n: number, one: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => one(i))

  beforeAll(async () => {
    for (const day of [1, 2]) {
      const body = { type: 'ip', attributes: { ip: `198.51.100.${day}`, text: `report number ${day}`, asn: day } }
      expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
    }
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  })

  const nested = (depth: number): object =>
    times(depth, (i) => i).reduce<object>((inner) => ({ bool: { must: [inner] } }), { exists: { field: 'type' } })
  const nestedAggs = (depth: number): object =>
    times(depth, (i) => i).reduce<object>((aggs) => ({ a: { terms: { field: 'type' }, aggs } }), {
      n: { value_count: { field: 'type' } },
    })
  const everyMinute = (from: string, interval: string): object => ({
    aggs: {
      seen: {
        date_range: { field: '@timestamp', ranges: [{ from }] },
        aggs: { per: { date_histogram: { field: '@timestamp', interval } } },
      },
    },
  })

  /** What is refused, and what the answer has to say of it. */
  const REFUSED: { name: string; body?: unknown; query?: string; param: RegExp; code?: string; status?: number }[] = [
    {
      name: 'counts that multiply',
      body: must({ regexp: { [text]: '((((a{100}){100}){100}){100})' } }),
      param: /regexp/,
    },
    {
      name: 'a pattern that backtracks elsewhere, repeated',
      body: must({ regexp: { [text]: `${'(a*)*'.repeat(199)}{1000}` } }),
      param: /regexp/,
    },
    { name: 'classes of Unicode, counted', body: must({ regexp: { [text]: '(\\pL{500}){2}' } }), param: /regexp/ },
    { name: 'a long pattern', body: must({ regexp: { [text]: 'a'.repeat(1001) } }), param: /regexp/ },
    { name: 'a pattern that looks back', body: must({ regexp: { [text]: '(a)\\1' } }), param: /regexp/ },
    {
      name: 'patterns by the hundred',
      body: must(...times(400, () => ({ regexp: { [text]: '[a-z]{100}' } }))),
      param: /must\[\d+\]/,
    },
    { name: 'a long wildcard', body: must({ wildcard: { [text]: '*?'.repeat(501) } }), param: /wildcard/ },
    {
      name: 'wildcards by the dozen',
      body: must(...times(11, () => ({ wildcard: { 'attributes.*': '*a'.repeat(500) } }))),
      param: /must\[10\]/,
    },
    {
      name: 'patterns in a query string',
      body: must({ query_string: { query: '/((a{100}){100}){100}/' } }),
      param: /query_string/,
    },
    { name: '900 wildcards over any attribute', body: tooHeavy, param: /query/, code: 'query_too_expensive' },
    {
      name: '100,000 clauses',
      body: must(...times(100_000, () => ({ exists: { field: 'type' } }))),
      status: 413,
      code: 'body_too_large',
      param: /^undefined$/,
    },
    {
      name: '100,000 terms of a query string',
      body: must({ query_string: { query: 'a '.repeat(32_000) } }),
      param: /query_string/,
    },
    {
      name: '1,024 clauses in many fields',
      body: must({ multi_match: { query: times(512, (i) => `w${i}`).join(' '), type: 'cross_fields' } }),
      param: /multi_match/,
    },
    { name: 'too many values', body: must({ terms: { type: times(10_001, (i) => `t${i}`) } }), param: /terms/ },
    { name: 'page 1e400', query: '?page=1e400', body: {}, param: /page/ },
    { name: 'limit 1e9', query: '?limit=1000000000', body: {}, param: /limit/ },
    { name: 'limit -1', query: '?limit=-1', body: {}, param: /limit/ },
    { name: 'buckets of a millisecond', body: everyMinute('now-10y', '1ms'), param: /interval/ },
    {
      name: 'buckets of no length',
      body: { aggs: { a: { histogram: { field: 'reputation', interval: 0 } } } },
      param: /interval/,
    },
    {
      name: 'more buckets than are answered',
      body: { aggs: { a: { histogram: { field: 'attributes.asn', interval: 1e-5 } } } },
      param: /aggs/,
      code: 'query_too_expensive',
    },
    { name: 'clauses 1,000 deep', body: must(nested(1000)), param: /body/ },
    {
      name: 'parentheses 10,000 deep',
      body: must({ query_string: { query: '('.repeat(10_000) } }),
      param: /query_string/,
    },
    {
      name: 'parentheses of the simple one',
      body: must({ simple_query_string: { query: '('.repeat(10_000) } }),
      param: /simple_query_string/,
    },
    { name: '1,025 clauses', body: must(...times(1025, () => ({ bool: {} }))), param: /must\[1024\]/ },
    { name: 'aggregations 1,000 deep', body: { aggs: nestedAggs(1000) }, param: /body/ },
    { name: 'aggregations 11 deep', body: { aggs: nestedAggs(11) }, param: /aggs/ },
    {
      name: '101 aggregations',
      body: { aggs: Object.fromEntries(times(101, (i) => [`a${i}`, { max: { field: 'reputation' } }])) },
      param: /aggs/,
    },
    { name: 'more hits than are answered', body: { aggs: { a: { top_hits: { size: 1e9 } } } }, param: /size/ },
    { name: 'a giant text', body: must({ term: { [text]: 'x'.repeat(65_537) } }), param: /term/ },
    { name: 'a giant name of a field', body: must({ term: { ['x'.repeat(100_000)]: 1 } }), param: /term/ },
    {
      name: 'a giant name of an aggregation',
      body: { aggs: { ['x'.repeat(100_000)]: { max: { field: 'reputation' } } } },
      param: /aggs/,
    },
    {
      name: 'a giant date',
      body: must({ range: { '@timestamp': { gte: `now${'+1d'.repeat(20_000)}` } } }),
      param: /range/,
    },
    {
      name: 'a date beyond the calendar',
      body: must({ range: { '@timestamp': { gte: 'now+999999999y' } } }),
      param: /range/,
    },
    { name: 'half of a character', body: must({ term: { [text]: '\ud800' } }), param: /body/ },
    { name: '__proto__ as a part', body: JSON.parse('{"__proto__": {"query": {}}}'), param: /proto/ },
    { name: '__proto__ as a clause', body: must(JSON.parse('{"__proto__": {}}')), param: /must/ },
    { name: 'constructor as a kind', body: { aggs: { a: { constructor: { field: 'type' } } } }, param: /constructor/ },
    { name: 'a list for a body', body: [], param: /body/ },
  ]

  async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
    const began = performance.now()
    const done = await work()
    return [done, performance.now() - began]
  }

  describe.each(PATHS)('%s', (path) => {
    test.each(REFUSED)(
      'refuses $name, and others are answered meanwhile',
      async ({ body, query = '', param, code = 'invalid_parameter', status = 400 }) => {
        const [[answer, ms], alive] = await Promise.all([
          timed(() => platform.ask(`${path}${query}`, body)),
          fetch(`${platform.url}/livez`).then(({ status }) => status),
        ])
        if (process.env.HARRIER_SEARCH_TIMES)
          console.log(
            `${ms.toFixed(0)} ms ${answer.status} ${answer.body.error?.param} ${answer.body.error?.message?.slice(0, 120)}`,
          )
        expect({ status: answer.status, code: answer.body.error?.code, alive }).toEqual({ status, code, alive: 200 })
        expect(`${answer.body.error.param}`).toMatch(param)
        expect(answer.body.error.message.length).toBeLessThan(600)
      },
    )

    test('answers a page past the last one, however far, with the totals', async () => {
      const { body: all } = await platform.ask(path, {})
      const { status, body } = await platform.ask(`${path}?page=1000000000&limit=1000`, {})
      expect({ status, items: body.items, results: body.results }).toEqual({
        status: 200,
        items: all.items,
        results: [],
      })
    })

    test('ends in time, with an answer or a refusal, whatever is allowed to be asked', async () => {
      const allowed = [
        must({ regexp: { 'attributes.*': '(a|aa)*(b|bb)*c' } }),
        must({ wildcard: { 'attributes.*': '*a*b*c*d*e*f*g*' } }),
        must(...times(1000, () => ({ prefix: { 'attributes.*': 'x' } }))),
        must(...times(512, (i) => ({ fuzzy: { 'attributes.*': { value: `w${i}`, fuzziness: 2 } } }))),
        must({ match: { [text]: times(512, (i) => `w${i}`).join(' ') } }),
        must(nested(18)),
        { aggs: nestedAggs(8) },
        // Buckets smaller than numbers are: no value has one.
        { aggs: { a: { histogram: { field: 'attributes.asn', interval: 1e-300 } } } },
      ]
      for (const body of allowed) {
        const [[{ status }, ms], alive] = await Promise.all([
          timed(() => platform.ask(path, body)),
          fetch(`${platform.url}/livez`).then(({ status }) => status),
        ])
        if (process.env.HARRIER_SEARCH_TIMES)
          console.log(`${ms.toFixed(0)} ms ${status} ${JSON.stringify(body).slice(0, 80)}`)
        expect([200, 400, 404, 503]).toContain(status)
        expect(alive).toBe(200)
      }
    })
  })

  test('every read of others is answered while somebody without credentials asks for the heaviest, again and again', async () => {
    const until = performance.now() + longer(2_000)
    /** How they were answered: of what is not permitted the status and the error. */
    const heavy = async (n: number): Promise<string[]> => {
      const told: string[] = []
      while (performance.now() < until) {
        const [surface, asked] = heavySearches[n++ % heavySearches.length]!
        const { status, body } = await platform.ask(`/api/search/v1/entities${surface}/advanced`, asked, null)
        told.push(
          [200, 404, 429, 503].includes(status)
            ? 'as permitted'
            : `${status} ${body.error.code}: ${body.error.message}`,
        )
      }
      return told
    }
    const light = async (): Promise<Set<number>> => {
      const statuses = new Set<number>()
      while (performance.now() < until)
        for (const [path, body] of [
          ['/api/analytics/v1/overview'],
          ['/api/search/v1/entities/lookup', { values: ['198.51.100.1'] }],
          ['/api/search/v1/entities/history/simple', { query: '198.51.100.1' }],
          ['/api/search/v1/entities/advanced', { query: { must: [{ term: { type: 'ip' } }] } }],
        ] as const)
          statuses.add((await platform.ask(path, body)).status)
      return statuses
    }
    const [seen, ...heavies] = await Promise.all([light(), ...times(4, heavy)])
    expect(seen).toEqual(new Set([200]))
    expect([...new Set(heavies.flat())].join(', ')).toBe('as permitted')
  })
}
