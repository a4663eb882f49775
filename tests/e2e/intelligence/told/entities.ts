import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Look-ups, evidence and comments, on whatever stores the environment names. */
export function entities(shared: Shared): void {
  const { platform } = shared
  let blue: User
  let second: User
  let third: User
  let red: User
  let reader: User

  beforeAll(async () => {
    const reporter = (groups: string[]) => newUserOf(platform, { roles: ['reporter'], groups })
    blue = await reporter(['blue'])
    second = await reporter(['public'])
    third = await reporter(['public'])
    red = await reporter(['red'])
    reader = await newUserOf(platform, { roles: ['user'], groups: ['blue'] })
  })

  type Headers = Record<string, string> | null
  const API = '/api/search/v1'
  const exact = (type: string, value: string, as: Headers = null) => platform.ask(`${API}/entity`, { type, value }, as)
  const byId = (id: string, as: Headers = null) => platform.ask(`${API}/entity/${id}`, undefined, as)
  const lookup = (values: unknown, as: Headers = null) => platform.ask(`${API}/entities/lookup`, { values }, as)
  const evidence = (id: string, at?: string | number, as: Headers = null) =>
    platform.ask(
      `${API}/entity/${id}/evidence${at === undefined ? '' : `?at=${encodeURIComponent(at)}`}`,
      undefined,
      as,
    )

  /** Reports and waits until the reporter can look it up as of that report. */
  async function report(user: Pick<User, 'headers'>, type: string, value: string, rest: object = {}): Promise<string> {
    const began = Date.now()
    const body = { type, attributes: { [type]: value }, ...rest }
    const made = await platform.ask('/api/ingest/v1/entity', body, user.headers)
    expect([made.status, made.body]).toEqual([202, expect.anything()])
    await eventually(
      () => byId(made.body.id, user.headers),
      ({ status, body }) => status === 200 && Date.parse(body.lastSeen) >= began,
    )
    return made.body.id
  }

  describe('one entity', () => {
    test('is found by its value in any spelling, and by its id, as one record', async () => {
      const id = await report(second, 'domain', 'lookup.example.com', {
        attributes: { domain: 'lookup.example.com', text: 'Seen Once' },
        reputation: -2,
        tags: ['C2'],
      })
      const { status, body } = await exact('domain', ' LOOKUP.Example.com. ')
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          id,
          '@timestamp': expect.stringMatching(/Z$/),
          lastSeen: body['@timestamp'],
          type: 'domain',
          reputation: -2,
          bestReputation: -2,
          worstReputation: -2,
          accuracy: 1,
          attributes: { domain: 'lookup.example.com', text: 'seen once' },
          tags: ['c2'],
          wellKnown: false,
        },
      })
      expect((await byId(id)).body).toEqual(body)
      expect((await lookup(['lookup[.]example[.]com'])).body).toEqual({
        items: 1,
        missing: 0,
        unrecognised: [],
        results: [{ value: 'lookup[.]example[.]com', entities: [body] }],
      })
    })

    test('that is unknown or private is a 404, which the limit counts', async () => {
      const id = await report(blue, 'ip', '203.0.113.50', { reputation: -3 })
      const unknown = await exact('ip', '203.0.113.51')
      expect(unknown.status).toBe(404)
      const hidden = await exact('ip', '203.0.113.50')
      expect([hidden.status, hidden.body.error.message]).toEqual([404, unknown.body.error.message])
      for (const answer of [byId(id), byId(id, red.headers), evidence(id), evidence(id, undefined, red.headers)])
        expect((await answer).status).toBe(404)
      expect((await lookup(['203.0.113.50'])).body).toEqual({ items: 0, missing: 1, unrecognised: [], results: [] })
      expect((await byId(id, reader.headers)).body).toMatchObject({ id, reputation: -3 })
      const [before, after] = [await byId(id), await byId(id)].map(({ headers }) =>
        Number(headers.get('ratelimit-remaining')),
      )
      // Unless a minute ended in between.
      if (after! < 999_990) expect(after).toBeLessThan(before!)
    })

    test.each([
      ['an unknown type', { type: 'planet', value: 'mars' }, 'type'],
      ['a value that the type refuses', { type: 'ip', value: '10.0.0.1' }, 'value'],
      ['a value that is none', { type: 'ip', value: 'example' }, 'value'],
      ['a missing value', { type: 'ip' }, 'value'],
      ['an unknown field', { type: 'ip', value: '8.8.8.8', deep: true }, 'deep'],
    ])('%s is refused by name', async (_, body, param) => {
      const { status, body: told } = await platform.ask(`${API}/entity`, body, null)
      expect([status, told.error.param]).toEqual([400, param])
    })

    test.each(['8.8.8.8', 'ip-abc', `ip-${'A'.repeat(64)}`, `ip_${'a'.repeat(64)}`])(
      'the id %s is refused',
      async (id) => {
        for (const path of [`entity/${id}`, `entity/${id}/evidence`, `comments/${id}`]) {
          const { status, body } = await platform.ask(`${API}/${path}`, undefined, null)
          expect([status, body.error.param]).toEqual([400, path.startsWith('comments') ? 'entityId' : 'id'])
        }
      },
    )
  })

  describe('many values at once', () => {
    test('are answered in the order given, each once, whatever they are', async () => {
      await report(second, 'url', 'http://bulk.example/Path', { reputation: -1 })
      await report(second, 'hostname', 'www.bulk.example.com', { reputation: -1 })
      await report(second, 'domain', 'www.bulk.example.com', { reputation: -3 })
      await report(second, 'md5', 'd41d8cd98f00b204e9800998ecf8427e', { reputation: 1 })
      await report(second, 'ja3-fingerprint', 'd41d8cd98f00b204e9800998ecf8427e', { reputation: -2 })
      await report(second, 'email-address', 'phish@bulk.example', { reputation: -3 })
      await report(second, 'adversary', 'Bulk Bear', { reputation: -3 })
      await report(blue, 'ip', '203.0.113.77', { reputation: -3 })
      const values = [
        'nothing at all',
        'hxxp://bulk[.]example/Path',
        'http://bulk.example/path',
        'D41D8CD98F00B204E9800998ECF8427E',
        '198.51.100.200',
        'Bulk Bear',
        'phish[@]bulk.example',
        'WWW.bulk.example.com.',
        '203.0.113.77:443',
        'Bulk Bear',
        '10.1.2.3',
      ]
      const types = (body: Answer) =>
        body.results.map(({ value, entities }) => [value, ...entities.map(({ type }) => type)])
      type Answer = { results: { value: string; entities: { type: string }[] }[] }
      const nobody = (await lookup(values)).body
      expect(types(nobody)).toEqual([
        ['hxxp://bulk[.]example/Path', 'url'],
        ['D41D8CD98F00B204E9800998ECF8427E', 'ja3-fingerprint', 'md5'],
        ['Bulk Bear', 'adversary'],
        ['phish[@]bulk.example', 'email-address'],
        ['WWW.bulk.example.com.', 'domain', 'hostname'],
      ])
      expect(nobody).toMatchObject({ items: 5, missing: 4, unrecognised: ['nothing at all'] })
      const known = (await lookup(values, reader.headers)).body
      expect(known).toMatchObject({ items: 6, missing: 3 })
      expect(types(known).at(-1)).toEqual(['203.0.113.77:443', 'ip'])
    })

    test('ten thousand addresses fit into one question', async () => {
      const values = Array.from({ length: 10_000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`)
      const { status, body } = await lookup(values)
      expect({ status, ...body }).toEqual({ status: 200, items: 0, missing: 10_000, unrecognised: [], results: [] })
    })

    test('none, too many or too long ones are refused by name', async () => {
      const cases: [unknown, string][] = [
        [[], 'values'],
        [Array.from({ length: 10_001 }, () => 'a'), 'values'],
        [['8.8.8.8', 'a'.repeat(2_049)], 'values[1]'],
        [[7], 'values[0]'],
        ['8.8.8.8', 'values'],
      ]
      for (const [values, param] of cases) {
        const { status, body } = await lookup(values)
        expect([status, body.error.param]).toEqual([400, param])
      }
    })
  })

  describe('the evidence behind a score', () => {
    type Claim = { contribution: number; weight: number; share: number; mine: boolean; sourceKind: string }
    const added = (body: { claims: Claim[] }) => body.claims.reduce((sum, { contribution }) => sum + contribution, 0)
    const round = (x: number) => Math.sign(x) * Math.round(Math.abs(Math.round(x * 1e9) / 1e9)) + 0

    test('adds up to the score, before and after more claims, then and in years', async () => {
      const value = '203.0.113.90'
      const id = await report(second, 'ip', value, { reputation: -3 })
      const one = (await evidence(id)).body
      expect(one).toMatchObject({
        entityID: id,
        basis: 'claims',
        reputation: -3,
        accuracy: 1,
        halfLifeDays: 7,
        floored: false,
        items: 1,
        claims: [
          { sourceKind: 'user', mine: false, reputation: -3, trust: 0.6, share: 1, live: true, visibleBy: ['public'] },
        ],
      })
      expect(JSON.stringify(one)).not.toContain(second.id)
      const between = Date.parse((await byId(id)).body.lastSeen)
      await sleep(5)
      await report(third, 'ip', value, { reputation: 1 })
      await report(blue, 'ip', value, { reputation: -3 })
      const stored = (await byId(id, reader.headers)).body
      for (const as of [null, third.headers, reader.headers, blue.headers]) {
        const now = (await evidence(id, undefined, as)).body
        expect(now.claims.length).toBe(as === reader.headers || as === blue.headers ? 3 : 2)
        expect(now.reputation).toBe(round(now.fade * added(now)))
        expect(now.claims.map(({ mine }: Claim) => mine).filter(Boolean)).toHaveLength(
          as === third.headers || as === blue.headers ? 1 : 0,
        )
      }
      const asStored = (await evidence(id, stored.lastSeen, reader.headers)).body
      expect(asStored).toMatchObject({
        basis: 'claims',
        reputation: stored.reputation,
        accuracy: stored.accuracy,
        bestReputation: stored.bestReputation,
        worstReputation: stored.worstReputation,
      })
      const then = (await evidence(id, between, reader.headers)).body
      expect(then).toMatchObject({ basis: 'history', reputation: -3, accuracy: 1, items: 1 })
      expect(then.claims[0]).toMatchObject({ reputation: -3, trust: 0.6, ageSeconds: 0, weight: 0.6 })
      const before = (await evidence(id, '2020-01-01')).body
      expect(before).toMatchObject({
        basis: 'history',
        at: '2020-01-01T00:00:00.000Z',
        reputation: 0,
        items: 0,
        claims: [],
      })
      const later = (await evidence(id, Date.now() + 5 * 365 * 86_400_000, reader.headers)).body
      expect(later).toMatchObject({ basis: 'claims', reputation: 0, accuracy: 0, items: 3 })
      expect(later.claims.every(({ live }: { live: boolean }) => !live)).toBe(true)
    })

    test('tells a floor, and when there was none yet', async () => {
      const id = await report(second, 'domain', 'floor.example', { reputation: -3 })
      const before = (await byId(id)).body.lastSeen
      await sleep(5)
      const mark = { type: 'domain', attributes: { domain: 'floor.example' } }
      expect((await platform.ask('/api/ingest/v1/well-known', mark)).status).toBe(202)
      await eventually(
        () => byId(id),
        ({ body }) => body.wellKnown,
      )
      const now = (await evidence(id)).body
      expect(now).toMatchObject({ reputation: 0, wellKnown: true, floored: true, items: 2 })
      expect(round(now.fade * added(now))).toBe(-3)
      expect(now.claims.at(-1)).toMatchObject({ reputation: null, claimedAt: null, weight: 0, live: false })
      expect((await evidence(id, before)).body).toMatchObject({ reputation: -3, wellKnown: false, floored: false })
    })

    test('is worth at every point of the history of the score what the history tells', async () => {
      const id = await report(second, 'ip', '203.0.113.91', { reputation: -3 })
      const from = Date.parse((await byId(id)).body.lastSeen) - 1
      await sleep(5)
      await report(blue, 'ip', '203.0.113.91', { reputation: 3 })
      const path = `${API}/entity/${id}/score-history`
      const told = async (query: string, as: Headers = null) =>
        (await platform.ask(`${path}${query}`, undefined, as)).body
      const to = Date.now() + 20 * 86_400_000
      for (const as of [null, reader.headers])
        for (const span of [`?from=${from}&to=${Date.now()}&points=7`, `?from=${from - 1_000}&to=${to}&points=40`]) {
          const points = (await told(span, as)) as { at: string }[]
          const then = await Promise.all(points.map(async ({ at }) => (await evidence(id, at, as)).body))
          expect(points).toEqual(
            then.map(({ at, reputation, accuracy, items: claims }) => ({ at, reputation, accuracy, claims })),
          )
        }
      const between = (await told(`?from=${from}&to=${Date.now()}&points=200`, reader.headers)) as { claims: number }[]
      expect([...new Set(between.map(({ claims }) => claims))]).toEqual([1, 2])
      const usual = (await told('')) as { at: string }[]
      expect([usual.length, Date.parse(usual[59]!.at) - Date.parse(usual[0]!.at)]).toEqual([60, 59 * 86_400_000])
      expect((await platform.ask(path.replace(id, entityId('ip', '203.0.113.92')))).status).toBe(404)
      for (const [param, query] of [
        ['from', 'from=2026-01-02&to=2026-01-02'],
        ['from', 'from=soon'],
        ['to', 'to=2999-01-01'],
        ['points', 'points=201'],
        ['points', 'points=0'],
      ])
        expect([query, (await told(`?${query}`)).error.param]).toEqual([query, param])
    })

    test.each(['tomorrow', '2026-02-30', '2026-01-01T00:00:00', '-5', '99999999999999', '1e3'])(
      'at=%s is refused by name',
      async (at) => {
        const id = entityId('ip', '203.0.113.90')
        const { status, body } = await evidence(id, at)
        expect([status, body.error.param]).toEqual([400, 'at'])
      },
    )
  })

  describe('comments', () => {
    const post = (as: Headers, body: object) => platform.ask('/api/ingest/v1/comment', body, as)
    const list = async (id: string, as: Headers = null, rest = '') =>
      (await platform.ask(`${API}/comments/${id}${rest}`, undefined, as)).body
    let id: string
    beforeAll(async () => {
      id = await report(second, 'domain', 'comments.example', { reputation: -1 })
    })

    test('go to whom they are meant for, newest first, without control characters', async () => {
      expect(await list(id)).toEqual({ items: 0, pages: 0, results: [] })
      const open = await post(second.headers, { entityID: id, comment: '  first\u0000 line\r\nsecond\tline ' })
      expect([open.status, open.body]).toEqual([
        201,
        {
          message: 'acknowledged',
          id: expect.stringMatching(/-7/),
          entityId: id,
          content: 'first line\nsecond\tline',
          author: second.id,
          authorName: expect.any(String),
          createdAt: expect.stringMatching(/Z$/),
          parentId: null,
        },
      ])
      const inBlue = await post(blue.headers, { entityID: id, comment: 'for blue' })
      expect((await list(id)).results).toEqual([
        {
          id: open.body.id,
          '@timestamp': expect.stringMatching(/Z$/),
          entityID: id,
          comment: 'first line\nsecond\tline',
          userID: second.id,
          reporter: { kind: 'other', name: 'another organisation' },
          parentID: null,
          visibleBy: ['public'],
        },
      ])
      const read = await list(id, reader.headers, '?limit=1')
      expect(read).toMatchObject({ items: 2, pages: 2, results: [{ id: inBlue.body.id, visibleBy: ['blue'] }] })
      expect((await list(id, red.headers)).items).toBe(1)
    })

    test('are taken in two spellings, of which one is used for each field', async () => {
      const parent = (await post(second.headers, { entityId: id, content: 'what is it?', parentId: null })).body
      expect(parent).toMatchObject({ content: 'what is it?', parentId: null })
      const answer = await post(second.headers, { entityId: id, content: 'a relay', parentId: parent.id })
      expect([answer.status, answer.body]).toMatchObject([201, { parentId: parent.id }])
      const about = { entityId: id, content: 'x' }
      for (const [body, param] of [
        [{ content: 'x' }, 'entityID'],
        [{ entityId: id }, 'comment'],
        [{ ...about, entityID: id }, 'entityId'],
        [{ ...about, comment: 'x' }, 'content'],
        [{ ...about, content: ' \u0000 ' }, 'content'],
        [{ ...about, parentId: crypto.randomUUID() }, 'parentId'],
        [{ ...about, parentId: parent.id, parentID: parent.id }, 'parentId'],
        [{ ...about, parent: parent.id }, 'parent'],
      ] as const) {
        const refused = await post(second.headers, body)
        expect([refused.status, refused.body.error.param]).toEqual([400, param])
      }
    })

    test('an answer is read by nobody who may not read what it answers', async () => {
      const parent = (await post(blue.headers, { entityID: id, comment: 'private' })).body.id
      const answer = { entityID: id, comment: 'an answer', parentID: parent }
      const wide = await post(blue.headers, { ...answer, visibleBy: ['public'] })
      expect([wide.status, wide.body.error.param]).toEqual([400, 'visibleBy'])
      const both = await newUserOf(platform, { roles: ['reporter'], groups: ['blue', 'public', 'green'] })
      expect((await post(both.headers, answer)).status).toBe(201)
      expect((await list(id, reader.headers, '?limit=1')).results[0]).toMatchObject({
        parentID: parent,
        visibleBy: ['blue'],
      })
      expect((await list(id)).results.map(({ comment }: { comment: string }) => comment)).not.toContain('an answer')
      for (const as of [red.headers, second.headers]) {
        const { status, body } = await post(as, answer)
        expect([status, body.error.param]).toEqual([400, 'parentID'])
      }
    })

    test.each([
      ['a blank one', () => ({ comment: ' \u0007\n ' }), 400, 'comment'],
      ['one that is too long', () => ({ comment: 'x'.repeat(10_001) }), 400, 'comment'],
      ['a foreign group', () => ({ visibleBy: ['red'] }), 403, 'visibleBy[0]'],
      ['no group', () => ({ visibleBy: [] }), 400, 'visibleBy'],
      ['an unknown entity', () => ({ entityID: entityId('ip', '203.0.113.99') }), 404, undefined],
      ['a comment to answer that is none', () => ({ parentID: randomUUID() }), 400, 'parentID'],
    ])('%s is refused', async (_, wrong, status, param) => {
      const { status: told, body } = await post(blue.headers, { entityID: id, comment: 'fine', ...wrong() })
      expect([told, body.error.param]).toEqual([status, param])
    })

    test('an entity that a caller cannot read has no comments for it, and takes none', async () => {
      const hidden = await report(blue, 'domain', 'hidden.example')
      expect((await post(blue.headers, { entityID: hidden, comment: 'to all', visibleBy: ['public'] })).status).toBe(
        201,
      )
      expect((await list(hidden, reader.headers)).items).toBe(1)
      expect((await list(hidden)).error.code).toBe('not_found')
      expect((await post(red.headers, { entityID: hidden, comment: 'a guess' })).status).toBe(404)
    })

    test('end with the account of their author', async () => {
      const author = await newUserOf(platform, { roles: ['reporter'], groups: ['blue'] })
      expect((await post(author.headers, { entityID: id, comment: 'soon gone' })).status).toBe(201)
      const { items } = await list(id, reader.headers)
      const path = `${platform.url}/auth/v2/admin/user/${author.id}`
      expect((await fetch(path, { method: 'DELETE', headers: ADMINISTRATOR })).status).toBe(204)
      expect((await list(id, reader.headers)).items).toBe(items - 1)
    })
  })
}
