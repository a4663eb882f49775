import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { relationId } from '../../../../schemas/intelligence/observations/relation.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Relations as they are stated, seen from both ends, by those who may, on whatever stores the environment names. */
export function relations(shared: Shared): void {
  const { platform } = shared
  let publisher: User
  let blue: User
  let blueAndRed: User

  const newUser = (groups: string[]) => newUserOf(platform, { roles: ['reporter'], groups })

  beforeAll(async () => {
    ;[publisher, blue, blueAndRed] = await Promise.all([
      newUser(['public']),
      newUser(['blue']),
      newUser(['blue', 'red']),
    ])
  })

  type Who = User | null
  const get = (path: string, who: Who = null) => platform.ask(path, undefined, who?.headers ?? null)
  const relations = (id: string, who: Who = null, query = '') =>
    get(`/api/search/v1/entity/${id}/relations?${query}`, who)
  const graph = (id: string, who: Who = null, query = '') =>
    get(`/api/analytics/v1/entity/${id}/relations?${query}`, who)
  const details = (id: string, who: Who = null) => get(`/api/analytics/v1/entity/${id}/details`, who)
  const associate = (body: object, who: User) => platform.ask('/api/ingest/v1/association', body, who.headers)

  async function report(body: object, who: User): Promise<string> {
    const answer = await platform.ask('/api/ingest/v1/entity', body, who.headers)
    expect([answer.status, answer.body.message]).toEqual([202, 'acknowledged'])
    return answer.body.id
  }
  /** For a machine that is busy with other tests. */

  /** Times are milliseconds: two reports in a row may have the same one. */
  const aMoment = () => sleep(5)

  /** Resolves once this reader is told of so many relations. */
  const related = (id: string, items: number, who: Who = null, query = '') =>
    eventually(
      () => relations(id, who, query),
      ({ status, body }) => status === 200 && body.items === items,
    )
  /** Resolves once all of these are told to the reader. */
  const known = (who: Who, ...ids: string[]) =>
    eventually(
      () => Promise.all(ids.map((id) => details(id, who))),
      (answers) => answers.every(({ status }) => status === 200),
    )

  const domain = (name: string) => entityId('domain', name)
  const named = (mode: string, type: string, value: string, associations: object[] = []) => ({
    mode,
    type,
    attributes: { [type]: value },
    associations,
  })
  const values = (body: { results: { value: string | null }[] }) => body.results.map(({ value }) => value)

  describe('a report with nested associations', () => {
    const ip = '203.0.113.109'
    const root = entityId('ip', ip)
    const child = domain('nested.example.com')
    const grandchild = entityId('url', 'https://nested.example.com/a')

    beforeAll(async () => {
      const deep = named('aggregation', 'url', 'https://nested.example.com/a')
      const associations = [named('association', 'domain', 'nested.example.com', [deep])]
      const attributes = { ip, text: 'A relay', country: 'Germany', asn: 64500 }
      for (let i = 0; i < 2; i++) {
        await report({ type: 'ip', attributes, reputation: -3, tags: ['Relay'], associations }, publisher)
        await aMoment()
      }
      await related(child, 2)
      await known(null, root, child, grandchild)
    })

    test('is one relation from both ends, however often it is stated', async () => {
      const id = relationId({ mode: 'association', source: root, target: child })
      const common = { id, entityID: root, relatedEntityID: child, mode: 'association', visibleBy: ['public'] }
      // The second statement may be stored a moment after the first.
      const from = await eventually(
        () => relations(root),
        ({ body: { results } }) => results[0]['@timestamp'] < results[0].lastSeen,
      )
      expect(from.body).toMatchObject({ items: 1, pages: 1 })
      const [outgoing] = from.body.results
      expect(outgoing).toMatchObject({ ...common, direction: 'outgoing', type: 'domain', value: 'nested.example.com' })
      expect(Date.parse(outgoing['@timestamp'])).toBeLessThan(Date.parse(outgoing.lastSeen))
      const incoming = (await relations(child, null, 'types=ip')).body
      expect(incoming).toMatchObject({
        items: 1,
        results: [{ ...common, direction: 'incoming', type: 'ip', value: ip }],
      })
      expect(incoming.results[0]).toMatchObject({ reputation: -3, accuracy: 1, lastSeen: outgoing.lastSeen })
    })

    test('answers of certain types alone, and refuses what is no type', async () => {
      expect((await relations(child, null, 'types=url')).body.results).toMatchObject([
        { mode: 'aggregation', type: 'url' },
      ])
      expect((await relations(child, null, 'types=url,ip')).body.items).toBe(2)
      expect((await relations(child, null, 'types=email')).body).toEqual({ items: 0, pages: 0, results: [] })
      const { status, body } = await relations(child, null, 'types=ip,ufo')
      expect([status, body.error.param, body.error.message]).toEqual([400, 'types', expect.stringContaining('ufo')])
    })

    test('is a graph of as many levels as were asked for', async () => {
      const { body } = await graph(root)
      expect(body.nodes.map((node: { id: string; level: number }) => [node.id, node.level])).toEqual([
        [root, 0],
        [child, 1],
      ])
      expect(body.nodes[0]).toMatchObject({ type: 'ip', value: ip, reputation: -3, accuracy: 1, tags: ['relay'] })
      expect([body.relations, body.truncated]).toEqual([
        [
          {
            source: root,
            target: child,
            mode: 'association',
            type: 'association',
            relationships: [],
            lastSeen: expect.any(String),
          },
        ],
        false,
      ])
      const deeper = (await graph(grandchild, null, 'levels=2')).body
      expect([body.depth, deeper.depth]).toEqual([1, 2])
      expect((await graph(grandchild, null, 'depth=2')).body).toEqual(deeper)
      expect(deeper.nodes.map((node: { level: number }) => node.level)).toEqual([0, 1, 2])
      expect(deeper.relations.map((r: { source: string; target: string }) => [r.source, r.target]).sort()).toEqual(
        [
          [root, child],
          [child, grandchild],
        ].sort(),
      )
      const cut = (await graph(child, null, 'limit=2')).body
      expect([cut.nodes.length, cut.relations.length, cut.truncated]).toEqual([2, 1, true])
    })

    test('has a page about each of its entities', async () => {
      const { status, body } = await details(root)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        id: root,
        type: 'ip',
        value: ip,
        label: 'IP',
        reputation: { current: -3, best: -3, worst: -3, label: 'Alarming' },
        accuracy: { value: 1, label: 'Low' },
        tags: ['relay'],
        wellKnown: false,
        sources: 1,
        geolocations: [{ object: ip, country: 'Germany', asn: 64500, latitude: null }],
        attributes: { id: root, type: 'ip', value: ip, reputation_score: -3, reputation: 'Alarming', accuracy: 'Low' },
        latest_associations: [{ id: child, type: 'domain', value: 'nested.example.com', direction: 'outgoing' }],
      })
      expect(body.metadata).toEqual({ asn: '64500', country: 'Germany', text: 'a relay' })
      expect(body.extended_metadata.country).toEqual({
        label: 'Country',
        value: 'Germany',
        last_seen: body.lastSeen,
      })
      // The second report was a repeat: the entity is fresh, and its record is one.
      expect(body.firstSeen < body.lastSeen).toBe(true)
      expect(body.activity).toHaveLength(30)
      expect(body.activity.map((point: { count: number }) => point.count)).toEqual([...Array(29).fill(0), 1])
      expect(body.activity[29].timestamp).toBe(`${body.lastSeen.slice(0, 10)}T00:00:00.000Z`)
      expect((await details(child)).body.geolocations).toEqual([])
    })
  })

  describe('what one group says', () => {
    const shared = domain('shared.example.net')
    const other = domain('other.example.net')
    const secret = domain('secret.example.net')

    beforeAll(async () => {
      await report({ type: 'domain', attributes: { domain: 'shared.example.net' } }, publisher)
      await report({ type: 'domain', attributes: { domain: 'other.example.net' } }, publisher)
      const associations = ['secret.example.net', 'other.example.net'].map((name) =>
        named('association', 'domain', name),
      )
      await report({ type: 'domain', attributes: { domain: 'shared.example.net' }, tags: ['x'], associations }, blue)
      await related(shared, 2, blue)
      await known(null, shared, other)
    })

    test('is related for it alone', async () => {
      expect((await relations(shared)).body).toEqual({ items: 0, pages: 0, results: [] })
      expect((await relations(other)).body.items).toBe(0)
      expect((await graph(shared, null, 'levels=3')).body).toMatchObject({ nodes: [{ id: shared }], relations: [] })
      const page = (await details(shared)).body
      expect([page.tags, page.sources, page.latest_associations, page.activity.at(-1).count]).toEqual([[], 1, [], 1])
      const told = (await details(shared, blue)).body
      expect([told.tags, told.sources, told.activity.at(-1).count]).toEqual([['x'], 2, 2])
      expect(values((await relations(shared, blue)).body).sort()).toEqual(['other.example.net', 'secret.example.net'])
      for (const { visibleBy } of (await relations(shared, blueAndRed)).body.results)
        expect(visibleBy).toEqual(['blue'])
    })

    test('is missing for others like what nobody knows', async () => {
      const nobodys = domain('never-heard-of.example.net')
      for (const ask of [relations, graph, details]) {
        const [hidden, unknown] = [await ask(secret), await ask(nobodys)]
        const of = ({ status, body: { error } }: typeof hidden) => [status, { ...error, error_id: '' }]
        expect(of(hidden)).toEqual(of(unknown))
        expect(hidden).toMatchObject({ status: 404, body: { error: { code: 'not_found', param: 'id' } } })
        expect((await ask(secret, blue)).status).toBe(200)
        expect(await ask('domain-1234')).toMatchObject({ status: 400, body: { error: { param: 'id' } } })
      }
    })
  })

  describe('a hub of many relations', () => {
    const hub = domain('hub.example.org')
    const names = Array.from({ length: 25 }, (_, i) => `leaf-${String(i).padStart(2, '0')}.example.org`)
    const latest = 'latest.example.org'

    beforeAll(async () => {
      const leaf = (name: string) => named('association', 'domain', name)
      const attributes = { domain: 'hub.example.org' }
      await report({ type: 'domain', attributes, associations: names.map(leaf) }, publisher)
      await aMoment()
      await report({ type: 'domain', attributes, associations: [leaf(latest)] }, publisher)
      await related(hub, 26)
      await known(null, domain(latest), ...names.map(domain))
    })

    test('is paged without a gap, the newest first, and empty past the end', async () => {
      const seen: (string | null)[] = []
      for (const page of [1, 2, 3]) {
        const { body } = await relations(hub, null, `limit=10&page=${page}`)
        expect([body.items, body.pages]).toEqual([26, 3])
        seen.push(...values(body))
      }
      expect(seen[0]).toBe(latest)
      expect([...seen].sort()).toEqual([...names, latest].sort())
      expect((await relations(hub, null, 'limit=10&page=4')).body).toEqual({ items: 26, pages: 3, results: [] })
      expect((await relations(hub, null, 'limit=1000&page=0')).body.results).toHaveLength(26)
      expect((await details(hub)).body.latest_associations).toHaveLength(10)
      for (const query of ['limit=0', 'limit=1001', 'limit=x', 'order=asc'])
        expect([query, (await relations(hub, null, query)).status]).toEqual([query, 400])
    })

    test('is cut in a graph, where the newest stay', async () => {
      const { body } = await graph(hub, null, 'limit=5')
      expect([body.nodes.length, body.relations.length, body.truncated]).toEqual([5, 4, true])
      expect(body.nodes[1].value).toBe(latest)
      expect((await graph(hub, null, 'limit=26')).body.truncated).toBe(true)
      expect((await graph(hub, null, 'limit=27')).body).toMatchObject({ truncated: false })
      for (const query of ['levels=0', 'levels=4', 'depth=0', 'depth=4', 'levels=1&depth=2', 'limit=0', 'limit=501'])
        expect([query, (await graph(hub, null, query)).status]).toEqual([query, 400])
    })
  })

  describe('a relation between known entities', () => {
    const one = domain('one.example.edu')
    const two = domain('two.example.edu')
    const hidden = domain('hidden.example.edu')
    const reds = domain('reds.example.edu')

    beforeAll(async () => {
      for (const name of ['one', 'two'])
        await report({ type: 'domain', attributes: { domain: `${name}.example.edu` } }, publisher)
      await report({ type: 'domain', attributes: { domain: 'hidden.example.edu' } }, blue)
      await report({ type: 'domain', attributes: { domain: 'reds.example.edu' }, visibleBy: ['red'] }, blueAndRed)
      await known(null, one, two)
      await known(blueAndRed, hidden, reds)
      await known(blue, hidden)
    })

    test('shows from both ends once it was acknowledged', async () => {
      const answer = await associate({ entityID: one, relatedEntityID: two, mode: 'aggregation' }, publisher)
      expect([answer.status, answer.body]).toEqual([202, { message: 'acknowledged', id: one }])
      const common = { entityID: one, relatedEntityID: two, mode: 'aggregation', visibleBy: ['public'] }
      expect((await related(one, 1)).body.results).toMatchObject([{ ...common, direction: 'outgoing' }])
      expect((await related(two, 1)).body.results).toMatchObject([{ ...common, direction: 'incoming' }])
    })

    test('is told by default to those groups that can read both', async () => {
      // Without a mode it is an association.
      expect((await associate({ entityID: one, relatedEntityID: hidden }, blue)).status).toBe(202)
      const told = (await related(one, 2, blue)).body.results
      expect(told[0]).toMatchObject({ value: 'hidden.example.edu', mode: 'association', visibleBy: ['blue'] })
      expect((await relations(one)).body.items).toBe(1)
      // red reads `one` alone.
      const mine = await associate({ entityID: two, relatedEntityID: hidden, mode: 'association' }, blueAndRed)
      expect(mine.status).toBe(202)
      expect((await related(two, 2, blue)).body.results[0].visibleBy).toEqual(['blue'])
      const red = await newUser(['red'])
      expect((await relations(two, red)).body.items).toBe(1)
    })

    test('has each relationship type that it was stated with to its reader, and stays one relation', async () => {
      const [from, to] = ['typed.example.edu', 'target.example.edu'].map(domain) as [string, string]
      const attributes = { domain: 'typed.example.edu' }
      const target = { ...named('association', 'domain', 'target.example.edu'), relationship: 'uses' }
      await report({ type: 'domain', attributes, associations: [target] }, publisher)
      await related(from, 1)
      await known(blue, from, to)
      for (const relationship of ['resolves-to', null, 'uses'])
        expect((await associate({ entityID: from, relatedEntityID: to, relationship }, publisher)).status).toBe(202)
      const own = { entityID: from, relatedEntityID: to, relationship: 'of-blue', visibleBy: ['blue'] }
      expect((await associate(own, blue)).status).toBe(202)
      const typed = (body: { results: { relationships: string[] }[] }) => body.results.map((r) => r.relationships)
      const all = [['of-blue', 'resolves-to', 'uses']]
      const { body: told } = await eventually(
        () => relations(to, blue),
        ({ body: seen }) => JSON.stringify(typed(seen)) === JSON.stringify(all),
      )
      expect(told.items).toBe(1)
      const publics = (await relations(to)).body
      expect([publics.items, typed(publics)]).toEqual([1, [['resolves-to', 'uses']]])
      expect((await graph(from)).body.relations).toMatchObject([{ relationships: ['resolves-to', 'uses'] }])
      expect((await details(from, blue)).body.latest_associations).toMatchObject([{ relationships: all[0] }])
    })

    const body = { entityID: one, relatedEntityID: two, mode: 'association' }
    const cases: { name: string; body: object; who: () => User; status: number; param: string }[] = [
      {
        name: 'an entity with itself',
        body: { ...body, relatedEntityID: one },
        who: () => publisher,
        status: 400,
        param: 'relatedEntityID',
      },
      { name: 'an unknown mode', body: { ...body, mode: 'x' }, who: () => publisher, status: 400, param: 'mode' },
      {
        name: 'what is no relationship type',
        body: { ...body, relationship: 'Resolves to' },
        who: () => publisher,
        status: 400,
        param: 'relationship',
      },
      {
        name: 'what is no id',
        body: { ...body, entityID: 'one' },
        who: () => publisher,
        status: 400,
        param: 'entityID',
      },
      {
        name: 'nobody as readers',
        body: { ...body, visibleBy: [] },
        who: () => publisher,
        status: 400,
        param: 'visibleBy',
      },
      {
        name: 'a foreign group',
        body: { ...body, visibleBy: ['red'] },
        who: () => blue,
        status: 403,
        param: 'visibleBy[0]',
      },
      {
        name: 'an entity of others',
        body: { ...body, entityID: hidden },
        who: () => publisher,
        status: 404,
        param: 'entityID',
      },
      {
        name: 'a relation to one of others',
        body: { ...body, relatedEntityID: hidden },
        who: () => publisher,
        status: 404,
        param: 'relatedEntityID',
      },
      {
        name: 'what nobody knows',
        body: { ...body, entityID: domain('x.example.edu') },
        who: () => publisher,
        status: 404,
        param: 'entityID',
      },
      {
        name: 'a private end, to the public',
        body: { ...body, entityID: hidden, visibleBy: ['public'] },
        who: () => blue,
        status: 403,
        param: 'visibleBy',
      },
      {
        name: 'a private other end, to the public',
        body: { ...body, relatedEntityID: hidden, visibleBy: ['public', 'blue'] },
        who: () => blue,
        status: 403,
        param: 'visibleBy',
      },
      {
        name: 'a group that reads one end',
        body: { ...body, relatedEntityID: hidden, visibleBy: ['blue', 'red'] },
        who: () => blueAndRed,
        status: 403,
        param: 'visibleBy',
      },
      {
        name: 'ends without a common reader',
        body: { ...body, entityID: reds, relatedEntityID: hidden },
        who: () => blueAndRed,
        status: 403,
        param: 'visibleBy',
      },
    ]
    test.each(cases)('is refused for $name', async ({ body: given, who, status, param }) => {
      const answer = await associate(given, who())
      expect([answer.status, answer.body.error?.param]).toEqual([status, param])
    })
  })
}
