import { beforeAll, describe, expect, test } from 'vitest'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Searches of current entities, on whatever stores the environment names. */
export function entitySearch(shared: Shared): void {
  const { platform } = shared
  let anyone: User
  let blue: User
  let red: User

  type Headers = Record<string, string> | null
  const BASE = '/api/search/v1/entities'
  const simple = (body: object, as: Headers = null, page = '') => platform.ask(`${BASE}/simple${page}`, body, as)
  const advanced = (body: object, as: Headers = null, page = '') => platform.ask(`${BASE}/advanced${page}`, body, as)

  async function report(user: User, type: string, value: string, rest: Record<string, unknown> = {}): Promise<string> {
    const { attributes, ...more } = rest
    const body = { type, attributes: { [type]: value, ...(attributes as object) }, ...more }
    const made = await platform.ask('/api/ingest/v1/entity', body, user.headers)
    expect([made.status, made.body]).toEqual([202, expect.anything()])
    return made.body.id
  }

  let known: string
  let hidden: string
  const many: string[] = []

  beforeAll(async () => {
    const reporter = (groups: string[]) => newUserOf(platform, { roles: ['reporter'], groups })
    anyone = await reporter(['public'])
    blue = await reporter(['blue'])
    red = await reporter(['red'])
    known = await report(anyone, 'domain', 'shared.example.com', {
      reputation: -1,
      tags: ['seen'],
      attributes: { text: 'Known since spring', country: 'Peru' },
    })
    await report(anyone, 'domain', 'shared.example.com', { reputation: -1, attributes: { country: 'Chad' } })
    await report(blue, 'domain', 'shared.example.com', {
      reputation: -3,
      tags: ['ours'],
      attributes: { text: 'Our own word' },
    })
    hidden = await report(blue, 'domain', 'hidden.example.com', { reputation: -3, tags: ['ours'] })
    await report(red, 'domain', 'shared.example.com', { reputation: 3, attributes: { text: 'theirs' } })
    for (let i = 0; i < 7; i++)
      many.push(
        await report(anyone, 'ip', `198.51.100.${i + 1}`, {
          reputation: -(i % 3) - 1,
          attributes: { asn: `${64_500 + i}` },
        }),
      )
    await report(blue, 'ip', '198.51.100.1', { reputation: -3 })
    await eventually(
      () => simple({ query: '198.51.100.1' }, blue.headers),
      ({ status, body }) => status === 200 && body.results[0].accuracy === 2,
    )
  })

  describe('a simple search of current entities', () => {
    test('answers one record for an entity, as everybody may know it', async () => {
      const { status, body } = await simple({ query: 'SHARED[.]example.com' })
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          items: 1,
          pages: 1,
          aggregations: null,
          results: [
            {
              id: known,
              '@timestamp': expect.stringMatching(/Z$/),
              lastSeen: expect.stringMatching(/Z$/),
              type: 'domain',
              reputation: -1,
              bestReputation: -1,
              worstReputation: -1,
              accuracy: 1,
              attributes: { domain: 'shared.example.com', text: 'known since spring', country: 'Chad' },
              tags: ['seen'],
              wellKnown: false,
              sort: [Date.parse(body.results[0]['@timestamp']), known],
            },
          ],
        },
      })
    })

    test('folds what stands in several audiences of the caller', async () => {
      const { body } = await simple({ query: known }, blue.headers)
      expect(body.results).toMatchObject([
        {
          id: known,
          reputation: -2,
          bestReputation: -1,
          worstReputation: -3,
          accuracy: 2,
          tags: ['ours', 'seen'],
          attributes: { domain: 'shared.example.com', text: 'our own word', country: 'Chad' },
        },
      ])
      expect(body.items).toBe(1)
    })

    test.each([
      // Blue and red have said something else since, and are shown that.
      { says: 'a word of a text', query: 'Spring', finds: [1, 0, 0] },
      { says: 'all words of a text', query: 'spring known', finds: [1, 0, 0] },
      { says: 'words of which one is missing', query: 'spring autumn', finds: [0, 0, 0] },
      { says: 'a word that only some may read', query: 'own', finds: [0, 1, 0] },
      { says: 'a word of others', query: 'theirs', finds: [0, 0, 1] },
      { says: 'an attribute', query: 'chad', finds: [1, 1, 1] },
      { says: 'an attribute that was another before', query: 'Peru', finds: [0, 0, 0] },
      { says: 'an entity of one group', query: 'hidden.example.com', finds: [0, 1, 0] },
      { says: 'what nobody has reported', query: '203.0.113.200', finds: [0, 0, 0] },
    ])('finds $says for those who may read it', async ({ query, finds }) => {
      const told = await Promise.all([null, blue.headers, red.headers].map((as) => simple({ query }, as)))
      expect(told.map(({ status, body }) => (status === 404 ? 0 : body.items))).toEqual(finds)
    })

    test('is narrowed by score, and answers the fields asked for', async () => {
      expect((await simple({ query: '198.51.100.2', reputation: -3 })).status).toBe(404)
      const { body } = await simple({
        query: '198.51.100.2',
        reputation: -2,
        accuracy: 1,
        source: { includes: ['type'] },
      })
      expect(body.results).toEqual([{ type: 'ip', sort: [expect.any(Number), many[1]] }])
    })

    test.each([
      ['?sort=userID', { query: 'x' }, 'sort'],
      ['?limit=1001', { query: 'x' }, 'limit'],
      ['?page=900000000', { query: 'chad' }, null],
      ['', { query: '  ' }, 'query'],
      ['', { query: 'x', visibleBy: 'blue' }, 'visibleBy'],
    ])('%s with %j is refused by name, or past the end', async (page, body, param) => {
      const { status, body: told } = await simple(body, null, page)
      if (param === null) expect([status, told.results, told.items]).toEqual([200, [], 1])
      else expect([status, told.error.param]).toEqual([400, param])
    })
  })

  describe('an advanced search of current entities', () => {
    const ips = { must: [{ term: { type: 'ip' } }] }

    test('pages through all of them, by number and by what came last', async () => {
      const whole = await advanced({ query: ips }, null, '?limit=1000&order=asc')
      expect(whole.body.results.map((r: { id: string }) => r.id)).toEqual(many)
      const pages: string[] = []
      for (let page = 1; page <= 3; page++) {
        const { body } = await advanced({ query: ips }, null, `?limit=3&order=asc&page=${page}`)
        expect([body.items, body.pages]).toEqual([7, 3])
        pages.push(...body.results.map((r: { id: string }) => r.id))
      }
      expect(pages).toEqual(many)
      const behind: string[] = []
      for (let after: unknown, i = 0; i < 4; i++) {
        const { body } = await advanced(
          { query: ips, ...(after ? { search_after: after } : {}) },
          null,
          '?limit=2&sort=reputation',
        )
        behind.push(...body.results.map((r: { id: string }) => r.id))
        after = body.results.at(-1)?.sort
      }
      const byReputation = await advanced({ query: ips }, null, '?limit=10&sort=reputation')
      expect(behind).toEqual(byReputation.body.results.map((r: { id: string }) => r.id))
      expect(new Set(behind).size).toBe(7)
    })

    test('counts each entity once, with the score that this caller is shown', async () => {
      const body = {
        aggs: {
          types: { terms: { field: 'type' }, aggs: { worst: { min: { field: 'worstReputation' } } } },
          ids: { cardinality: { field: 'id' } },
          bad: { filter: { range: { reputation: { lte: -3 } } } },
        },
      }
      const of = async (as: Headers) => {
        const { body: told } = await advanced(body, as, '?limit=0')
        const { types, ids, bad } = told.aggregations
        return {
          items: told.items,
          types: types.buckets.map((b: Record<string, unknown>) => [
            b.key,
            b.doc_count,
            (b.worst as { value: number }).value,
          ]),
          ids: ids.value,
          bad: bad.doc_count,
        }
      }
      expect(await of(null)).toEqual({
        items: 8,
        ids: 8,
        bad: 2,
        types: [
          ['ip', 7, -3],
          ['domain', 1, -1],
        ],
      })
      expect(await of(blue.headers)).toEqual({
        items: 9,
        ids: 9,
        bad: 3,
        types: [
          ['ip', 7, -3],
          ['domain', 2, -3],
        ],
      })
    })

    test.each([
      ['its id', { ids: { values: ['PLACEHOLDER'] } }, 1],
      ['its id as a field', { term: { entityID: 'PLACEHOLDER' } }, 1],
      ['the main value', { term: { 'attributes.domain': 'shared.example.com' } }, 1],
      ['a word', { match: { 'attributes.text': 'own' } }, 1],
      ['any attribute', { query_string: { query: 'Chad' } }, 1],
      ['the best claim', { range: { bestReputation: { gte: -1 } } }, 4],
    ])('finds by %s', async (_, clause, items) => {
      const query = { must: [JSON.parse(JSON.stringify(clause).replace('PLACEHOLDER', known))] }
      expect((await advanced({ query }, blue.headers)).body.items).toBe(items)
    })

    test('shows the newest of a bucket as it shows results', async () => {
      const aggs = { types: { terms: { field: 'type' }, aggs: { top: { top_hits: { size: 1 } } } } }
      const { body } = await advanced({ query: { must: [{ ids: { values: [known] } }] }, aggs }, blue.headers)
      const { sort: _, ...record } = body.results[0]
      expect(body.aggregations.types.buckets[0].top.hits).toMatchObject({ total: { value: 1 }, hits: [record] })
    })

    test('collapses to one record for each value of a field', async () => {
      const { body } = await advanced({ collapse: { field: 'type' } }, blue.headers)
      expect([body.items, body.pages, body.results.map((r: { type: string }) => r.type)]).toEqual([
        9,
        1,
        ['ip', 'domain'],
      ])
    })

    test('tells nobody what only a group knows', async () => {
      for (const as of [null, red.headers]) {
        expect((await advanced({ query: { must: [{ ids: { values: [hidden] } }] } }, as)).status).toBe(404)
        expect((await advanced({ query: { must: [{ term: { tags: 'ours' } }] } }, as)).status).toBe(404)
      }
      const all = await advanced({}, red.headers, '?limit=1000')
      expect(JSON.stringify(all.body)).not.toMatch(/ours|our own|hidden/)
    })

    test.each([
      ['a field of history', { query: { must: [{ term: { userID: 'x' } }] } }],
      ['who may read it', { query: { must: [{ term: { visibleBy: 'blue' } }] } }],
      ['an unknown clause', { query: { must: [{ magic: {} }] } }],
      ['an unknown member', { script_fields: {} }],
    ])('refuses %s', async (_, body) => {
      const { status, body: told } = await advanced(body)
      expect([status, told.error.code]).toEqual([400, 'invalid_parameter'])
    })
  })

  describe('every figure of the overview', () => {
    type Bucket = { key: string; count: number }
    // biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
    const bucketsOf = (aggregation: any): Bucket[] =>
      aggregation.buckets.map(({ key, doc_count: count }: { key: unknown; doc_count: number }) => ({
        key: String(key),
        count,
      }))
    const overview = async (as: Headers) =>
      (await platform.ask('/api/analytics/v1/overview?days=7', undefined, as)).body
    /** How many entities the link behind a figure leads to. */
    const linked = async (clause: object, as: Headers): Promise<number> => {
      const { status, body } = await advanced({ query: { filter: [clause] } }, as, '?limit=0')
      return status === 404 ? 0 : body.items
    }
    const callers = () => [null, anyone.headers, blue.headers, red.headers]
    beforeAll(async () => {
      await eventually(
        () => lag(platform.url),
        (left) => left === 0,
      )
    })

    test('is that of a search of entities, for a window of days too', async () => {
      const body = {
        query: { filter: [{ range: { lastSeen: { gte: 'now-6d/d' } } }] },
        aggs: {
          malicious: { filter: { range: { reputation: { lt: 0 } } } },
          by_type: { terms: { field: 'type', size: 200 } },
          by_reputation: { terms: { field: 'reputation' } },
          by_accuracy: { terms: { field: 'accuracy' } },
          top_tags: { terms: { field: 'tags', size: 20 } },
          timeline: { date_histogram: { field: 'lastSeen', calendar_interval: 'day', min_doc_count: 1 } },
        },
      }
      for (const as of callers()) {
        const figures = await overview(as)
        const { items, aggregations: told } = (await advanced(body, as, '?limit=0')).body
        // Nothing was seen before this window, so that all there is lies in it.
        expect([items, told.malicious.doc_count]).toEqual([figures.total_entities, figures.malicious_count])
        for (const name of ['by_type', 'by_reputation', 'by_accuracy', 'top_tags'])
          expect({ name, told: bucketsOf(told[name]) }).toEqual({ name, told: figures[name] })
        expect(
          told.timeline.buckets.map(({ key_as_string: timestamp, doc_count: count }: Record<string, unknown>) => ({
            timestamp,
            count,
          })),
        ).toEqual(figures.timeline.filter(({ count }: Bucket) => count > 0))
      }
      const never = { query: { filter: [{ range: { lastSeen: { lt: 'now-6d/d' } } }] } }
      expect((await advanced(never)).status).toBe(404)
    })

    test('leads to a search that finds as many', async () => {
      for (const as of [null, blue.headers]) {
        const figures = await overview(as)
        expect(await linked({ range: { reputation: { lt: 0 } } }, as)).toBe(figures.malicious_count)
        for (const [name, field] of [
          ['by_type', 'type'],
          ['by_reputation', 'reputation'],
          ['by_accuracy', 'accuracy'],
          ['top_tags', 'tags'],
        ] as const)
          for (const { key, count } of figures[name] as Bucket[])
            expect([as, field, key, await linked({ term: { [field]: key } }, as)]).toEqual([as, field, key, count])
        for (const { timestamp, count } of figures.timeline.slice(-2))
          expect([timestamp, await linked({ term: { lastSeen: timestamp.slice(0, 10) } }, as)]).toEqual([
            timestamp,
            count,
          ])
      }
    })
  })
}
