import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { INBOX } from '../../../../schemas/feeds-out/collections/inbox.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { prepared } from '../../../builders/suite/during.ts'
import { type TaxiiClient, taxiiClient } from '../../../clients/exchange/taxii-client.ts'
import { orSkip } from '../../../clients/prepare.ts'

/** Feeds as collections of a TAXII 2.1 server, read by the client of OASIS (decisions 15.2). */
export function taxii(shared: Shared): void {
  const { folder, platform } = shared
  const ROOT = '/taxii2/harrier/'
  const TAXII = 'application/taxii+json;version=2.1'

  const owner = prepared(() => newUserOf(platform, { roles: ['user', 'reporter', 'trusted'], groups: ['blue'] }))
  const stranger = prepared(() => newUserOf(platform, { roles: ['user'], groups: ['red'] }))

  type StixObject = { id: string; type: string; modified?: string; revoked?: boolean; pattern?: string; name?: string }

  const basicOf = ({ headers }: User): Record<string, string> => {
    const pair = `${headers['api-key']}:${headers['api-secret']}`
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  }
  const pairOf = ({ headers }: User) => [headers['api-key']!, headers['api-secret']!] as const

  async function get(path: string, headers: Record<string, string> = basicOf(owner), method = 'GET') {
    const answer = await fetch(`${platform.url}${path}`, { method, headers })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
  }

  async function report(value: string, given: object = {}): Promise<void> {
    const body = { type: 'ip', attributes: { ip: value }, reputation: -3, visibleBy: ['blue'], ...given }
    expect((await platform.ask('/api/ingest/v1/entity', body, owner.headers)).status).toBe(202)
  }

  async function newFeed(tag: string, given: object = {}): Promise<string> {
    const selector = { types: ['ip', 'domain', 'hostname'], tags: { any: [tag] }, reputation: { lte: -1 } }
    const body = { name: tag, selector, groups: ['public', 'blue'], guard: null, ...given }
    const made = await platform.ask('/api/feeds/v1/feeds', body, owner.headers)
    expect([made.status, made.body]).toEqual([201, expect.anything()])
    return made.body.id
  }

  const at = (feed: string): string => `${ROOT}collections/${feed}/`

  /** The objects of all pages of a query, as the server gives them. */
  async function all(feed: string, query = '', headers?: Record<string, string>): Promise<StixObject[]> {
    const found: StixObject[] = []
    for (let next = ''; ; ) {
      const { status, body } = await get(`${at(feed)}objects/?${query}${next}`, headers)
      expect(status).toBe(200)
      found.push(...(body.objects ?? []))
      if (body.more !== true) return found
      next = `&next=${body.next}`
    }
  }

  const indicatorsOf = async (feed: string, value: string): Promise<StixObject[]> =>
    (await all(feed, 'match[type]=indicator&match[version]=all')).filter(({ name }) => name === value)

  /** The values of the list of a feed. */
  async function listed(feed: string): Promise<string[]> {
    const answer = await fetch(`${platform.url}/api/feeds/v1/feeds/${feed}/items.text`, { headers: owner.headers })
    expect(answer.status).toBe(200)
    return (await answer.text()).split('\n').filter((line) => line !== '')
  }

  test('a feed is a collection: the client discovers it, pages through it, and gets each object', async ({ skip }) => {
    const client: TaxiiClient = await orSkip(taxiiClient(), skip)
    for (let i = 0; i < 15; i++) await report(`198.51.100.${i}`, { tags: ['paged'] })
    const feed = await newFeed('paged')
    await eventually(
      () => all(feed, 'match[type]=indicator'),
      (found) => found.length === 15,
    )
    type Discovered = { versions: string[]; collections: [id: string, title: string, read: boolean, write: boolean][] }
    const found = await client<Discovered>('discover', `${platform.url}/taxii2/`, pairOf(owner))
    expect(found.versions).toEqual([TAXII])
    expect(found.collections).toContainEqual([feed, 'paged', true, false])
    expect(found.collections).toContainEqual([INBOX, 'Inbox', false, true])

    const url = `${platform.url}${at(feed)}`
    type Paged = { pages: number; objects: StixObject[] }
    const { pages, objects } = await client<Paged>('objects', url, pairOf(owner), '7')
    expect(pages).toBe(Math.ceil(objects.length / 7))
    expect(objects.map(({ id }) => id)).toEqual([...new Set(objects.map(({ id }) => id))])
    expect(
      objects
        .filter(({ type }) => type === 'indicator')
        .map(({ name }) => name)
        .sort(),
    ).toEqual((await listed(feed)).sort())
    const kinds = Map.groupBy(objects, ({ type }) => type)
    expect([...kinds].map(([type, those]) => [type, those.length]).sort()).toEqual([
      ['extension-definition', expect.any(Number)],
      ['identity', expect.any(Number)],
      ['indicator', 15],
      ['ipv4-addr', 15],
      ['marking-definition', 1],
      ['relationship', 15],
      ['sighting', 15],
    ])

    const manifest = await client<Paged>('manifest', url, pairOf(owner), '50')
    expect(manifest.objects.map(({ id }) => id)).toEqual(objects.map(({ id }) => id))
    const indicator = objects.find(({ type }) => type === 'indicator')!
    const one = await client<{ object: Paged; versions: { versions: string[] } }>(
      'one',
      url,
      pairOf(owner),
      indicator.id,
    )
    expect(one.object.objects).toEqual([indicator])
    expect(one.versions.versions).toEqual([indicator.modified])
  })

  test('dates added rise strictly and have six digits, so added_after alone pages exactly', async () => {
    for (let i = 0; i < 10; i++) await report(`203.0.113.${i}`, { tags: ['dated'] })
    const feed = await newFeed('dated')
    await eventually(
      () => all(feed, 'match[type]=indicator'),
      (found) => found.length === 10,
    )
    const whole = (await get(`${at(feed)}manifest/`)).body.objects as { id: string; date_added: string }[]
    const dates = whole.map(({ date_added }) => date_added)
    expect(dates.every((date) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(date))).toBe(true)
    expect(dates).toEqual([...new Set(dates)].sort())
    const read: StixObject[] = []
    for (let after = ''; ; ) {
      const page = await get(`${at(feed)}objects/?limit=9${after}`)
      const { objects = [] } = page.body as { objects?: StixObject[] }
      read.push(...objects)
      if (objects.length === 0) break
      expect(page.headers.get('x-taxii-date-added-first')).toBe(dates[read.length - objects.length])
      expect(page.headers.get('x-taxii-date-added-last')).toBe(dates[read.length - 1])
      after = `&added_after=${page.headers.get('x-taxii-date-added-last')}`
    }
    expect(read.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
  })

  test('what leaves a feed is revoked, and what comes back has a new id', async () => {
    const value = '192.0.2.77'
    const id = entityId('ip', value)
    await report(value, { tags: ['lives'] })
    const feed = await newFeed('lives')
    const [first] = await eventually(
      () => indicatorsOf(feed, value),
      (found) => found.length === 1,
    )
    const claims = (await all(feed)).filter(({ type }) => ['indicator', 'relationship', 'sighting'].includes(type))
    const { body: page } = await get(`${at(feed)}objects/`)
    const mark = (await get(`${at(feed)}objects/`)).headers.get('x-taxii-date-added-last')
    expect(page.objects.length).toBeGreaterThan(3)

    const well = await platform.ask('/api/ingest/v1/well-known', { type: 'ip', attributes: { ip: value } })
    expect(well.status).toBe(202)
    const revoked = await eventually(
      () => all(feed, `added_after=${mark}`),
      (found) => found.length === claims.length,
    )
    expect(revoked.map((object) => [object.id, object.revoked])).toEqual(claims.map((one) => [one.id, true]))
    const versions = (await get(`${at(feed)}objects/${first!.id}/versions/`)).body.versions as string[]
    expect(versions).toEqual([first!.modified, revoked.find((one) => one.id === first!.id)!.modified])
    expect(versions[1]! > versions[0]!).toBe(true)
    const old = await get(`${at(feed)}objects/${first!.id}/?match[version]=first`)
    expect(old.body.objects).toEqual([first])

    const cleared = await fetch(`${platform.url}/api/ingest/v1/well-known/${id}`, {
      method: 'DELETE',
      headers: { 'api-key': 'administrator-key-0001', 'api-secret': 'administrator-secret-01' },
    })
    expect(cleared.status).toBe(202)
    const [, , again] = await eventually(
      () => indicatorsOf(feed, value),
      (found) => found.length === 3,
    )
    expect(again!.id).not.toBe(first!.id)
    expect([again!.revoked ?? false, again!.pattern]).toEqual([false, first!.pattern])
  })

  test('who may not read is refused as TAXII refuses', async () => {
    await report('192.0.2.90', { tags: ['refusals'] })
    const feed = await newFeed('refusals')
    const open = await newFeed('open', { groups: ['public'], open: true })
    const unknown = '11111111-1111-4111-8111-111111111111'
    const status = async (...given: Parameters<typeof get>) => (await get(...given)).status
    expect(await status('/taxii2/', {})).toBe(200)
    expect(await status(ROOT, {})).toBe(200)
    for (const path of ['/taxii2/', ROOT, `${ROOT}collections/`]) expect(await status(path.slice(0, -1), {})).toBe(200)
    expect(await status(`${at(open)}objects/`, {})).toBe(200)
    for (const path of [at(feed), `${at(unknown)}objects/`, at('inbox'), `${at('nonsense')}manifest/`]) {
      const refused = await get(path, {})
      expect([path, refused.status, refused.headers.get('www-authenticate')]).toEqual([
        path,
        401,
        expect.stringMatching(/^Basic /),
      ])
    }
    const [hidden, none] = [await get(at(feed), basicOf(stranger)), await get(at(unknown), basicOf(stranger))]
    expect([hidden.status, none.status]).toEqual([404, 404])
    expect({ ...hidden.body, error_id: '', error: { ...hidden.body.error, error_id: '' } }).toEqual({
      ...none.body,
      error_id: '',
      error: { ...none.body.error, error_id: '' },
    })
    expect(hidden.headers.get('content-type')).toBe(TAXII)
    expect(none.body).toMatchObject({
      title: 'not found',
      http_status: '404',
      error_code: 'not_found',
      error: { code: 'not_found' },
    })
    expect(none.body.error_id).toBe(none.body.error.error_id)

    for (const accept of [
      TAXII,
      'application/taxii+json',
      '*/*',
      'application/taxii+json; version=2.1',
      'text/html, */*;q=0.1',
    ])
      expect([accept, await status(at(feed), { ...basicOf(owner), accept })]).toEqual([accept, 200])
    for (const accept of ['application/json', 'application/taxii+json;version=2.0', 'text/html'])
      expect([accept, await status(at(feed), { ...basicOf(owner), accept })]).toEqual([accept, 406])
    for (const query of [
      'page=2',
      'limit=0',
      'limit=x',
      'added_after=yesterday',
      'match[id]=x',
      'match[version]=newest',
      'match[name]=x',
      'next=abc',
    ])
      expect([query, await status(`${at(feed)}objects/?${query}`)]).toEqual([query, 400])
    expect(await status(`${at(feed)}objects/?limit=5000`)).toBe(200)
    const indicator = (
      await eventually(
        () => all(feed, 'match[type]=indicator'),
        (found) => found.length === 1,
      )
    )[0]!
    expect(await status(`${at(feed)}objects/${indicator.id}/`, basicOf(owner), 'DELETE')).toBe(403)
    expect(await status(`${at(feed)}objects/${indicator.id}/`, basicOf(stranger), 'DELETE')).toBe(404)
    expect(await status(`${at(feed)}objects/indicator--${unknown}/`)).toBe(404)
    expect(await status(`${at('inbox')}objects/`)).toBe(403)
    // The other ways to say who asks.
    expect(await status(at(feed), owner.headers)).toBe(200)
    const made = await platform.ask(`/api/feeds/v1/feeds/${feed}/tokens`, { name: 'device', days: 1 }, owner.headers)
    const token = { authorization: `Basic ${Buffer.from(`any:${made.body.token}`).toString('base64')}` }
    expect(await status(`${at(feed)}objects/`, token)).toBe(200)
    expect(await status(`${at(open)}objects/`, token)).toBe(404)
    const listedByToken = await get(`${ROOT}collections/`, token)
    expect(listedByToken.body.collections.map(({ id }: { id: string }) => id)).toEqual([feed])
    const listedByNobody = await get(`${ROOT}collections/`, {})
    expect(listedByNobody.body.collections.map(({ id }: { id: string }) => id)).toEqual([open])
  })

  test('the inbox takes objects in the name of the caller, for its readers alone, and tells what became of each', async ({
    skip,
  }) => {
    const client: TaxiiClient = await orSkip(taxiiClient(), skip)
    const member = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue'] })
    const times = { created: '2026-01-01T00:00:00.000Z', modified: '2026-01-01T00:00:00.000Z' }
    const indicator = (n: number, given: object = {}) => ({
      type: 'indicator',
      spec_version: '2.1',
      id: `indicator--00000000-0000-4000-8000-00000000000${n}`,
      ...times,
      pattern: `[ipv4-addr:value = '198.18.0.${n}']`,
      pattern_type: 'stix',
      valid_from: times.created,
      ...given,
    })
    const objects = [
      indicator(1, { x_unknown: 'lost' }),
      indicator(2, { pattern: 'nonsense' }),
      {
        type: 'ipv4-addr',
        spec_version: '2.1',
        id: 'ipv4-addr--28bb3599-77cd-5a82-a950-b5bc2caf07c4',
        value: '198.18.0.3',
      },
      { type: 'note' },
    ]
    const file = join(folder, 'envelope.json')
    writeFileSync(file, JSON.stringify({ objects }))
    const url = `${platform.url}${at(INBOX)}`
    type Status = { id: string; failures: { id: string; message: string }[]; lost: object[] }
    const status = await client<Status>('add', url, pairOf(member), file)
    expect(status).toMatchObject({
      status: 'complete',
      total_count: 4,
      success_count: 2,
      failure_count: 2,
      pending_count: 0,
    })
    expect(status.failures.map(({ id }) => id).sort()).toEqual(['', indicator(2).id])
    expect(status.lost).toContainEqual({ type: 'indicator', property: 'x_unknown', n: 1 })
    const search = (value: string, as: User) =>
      platform.ask(`/api/search/v1/entity/${entityId('ip', value)}`, undefined, as.headers)
    const found = await eventually(
      () => search('198.18.0.1', member),
      ({ status: code }) => code === 200,
    )
    expect(found.body).toMatchObject({ reputation: -3 })
    expect(
      (
        await eventually(
          () => search('198.18.0.3', member),
          (answer) => answer.status === 200,
        )
      ).body,
    ).toMatchObject({
      reputation: 0,
    })
    expect((await search('198.18.0.1', stranger)).status).toBe(404)

    const path = `${ROOT}status/${status.id}/`
    expect((await get(path, basicOf(member))).status).toBe(200)
    expect((await get(path, basicOf(owner))).status).toBe(404)
    expect((await get(path, {})).status).toBe(401)

    const post = async (body: unknown, headers: Record<string, string> = basicOf(member), to = at('inbox')) => {
      const how = { method: 'POST', headers: { 'content-type': TAXII, ...headers }, body: JSON.stringify(body) }
      const answer = await fetch(`${platform.url}${to}objects/`, how)
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    // An older version changes nothing, and a revoked one takes back what it claimed.
    const older = await post({ objects: [indicator(1, { modified: '2025-01-01T00:00:00.000Z' })] })
    expect(older.body).toMatchObject({ failure_count: 1 })
    const back = await post({ objects: [indicator(1, { modified: '2026-02-01T00:00:00.000Z', revoked: true })] })
    expect([back.status, back.body.success_count]).toEqual([202, 1])
    await eventually(
      () => search('198.18.0.1', member),
      ({ body }) => body.reputation === 0,
      60_000,
    )
    // Who may not report may not report here either, and is told so.
    expect((await post({ objects: [indicator(5)] }, basicOf(stranger))).status).toBe(403)
    expect((await get(at('inbox'), basicOf(stranger))).body).toMatchObject({ can_read: false, can_write: false })
    expect((await get(at('inbox'), basicOf(member))).body).toMatchObject({ can_read: false, can_write: true })
    const feed = await newFeed('not-an-inbox')
    expect((await post({ objects: [indicator(5)] }, basicOf(owner), at(feed))).status).toBe(403)
    expect((await post({ objects: [indicator(5)] }, basicOf(stranger), at(feed))).status).toBe(404)
    expect((await post({ objects: [indicator(5)] }, {})).status).toBe(401)
    expect((await post({ objects: [] })).status).toBe(400)
    expect((await post({ objects: [indicator(5)], other: 1 })).status).toBe(400)
    expect(
      (await post({ objects: [indicator(5)] }, { ...basicOf(member), 'content-type': 'application/json' })).status,
    ).toBe(415)
    expect((await post({ objects: ['x'.repeat(11 * 1024 * 1024)] })).status).toBe(413)
  }, 180_000)

  test('a page goes on with its word and a limit alone, with the media type on every request, as agents of SIEMs ask', async () => {
    for (let i = 0; i < 12; i++) await report(`203.0.113.${i}`, { tags: ['agents'] })
    const feed = await newFeed('agents')
    await eventually(
      () => all(feed, 'match[type]=indicator'),
      (found) => found.length === 12,
    )
    const headers = { ...basicOf(owner), accept: TAXII, 'content-type': TAXII }
    const since = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')
    const found: StixObject[] = []
    let last: string | null = null
    for (let query = `added_after=${since}&limit=10`; ; ) {
      const { status, body, headers: told } = await get(`${at(feed)}objects/?${query}`, headers)
      expect(status).toBe(200)
      found.push(...body.objects)
      last = told.get('x-taxii-date-added-last')
      if (body.next === undefined) break
      query = `next=${encodeURIComponent(body.next)}&limit=10`
    }
    expect(found.map(({ id }) => id)).toEqual((await all(feed)).map(({ id }) => id))
    const after = await get(`${at(feed)}objects/?added_after=${last}&limit=10`, headers)
    expect([after.status, after.body]).toEqual([200, {}])
  })
}
