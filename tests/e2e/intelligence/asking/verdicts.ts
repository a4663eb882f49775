import { beforeAll, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** What a customer decides of an entity: its members are shown it everywhere, and nobody else anywhere. */
export function verdicts(shared: Shared): void {
  const { platform } = shared
  const BILLING = '/api/billing/v1'
  const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
  const VALUE = '203.0.113.9'
  const ID = entityId('ip', VALUE)
  const PATH = `/api/casework/v1/verdicts/${ID}`

  let analyst: User
  let colleague: User
  let stranger: User
  let feed: string
  beforeAll(async () => {
    const roles = ['user', 'reporter']
    ;[analyst, colleague, stranger] = await Promise.all(
      [1, 2, 3].map(() => newUserOf(platform, { roles, groups: [] })) as [Promise<User>, Promise<User>, Promise<User>],
    )
    const acme = { name: 'Acme', email: 'billing@example.com', billingAddress: ADDRESS }
    const made = await platform.ask(`${BILLING}/customer`, acme, analyst.headers)
    expect(made.status).toBe(201)
    const { status } = await platform.ask(
      `${BILLING}/customer/member`,
      { userID: colleague.id, role: 2 },
      analyst.headers,
    )
    expect(status).toBe(201)
    expect((await platform.ask(`${BILLING}/customer/accept`, {}, colleague.headers)).status).toBe(204)
    const other = { ...acme, name: 'Other', email: 'other@example.com' }
    expect((await platform.ask(`${BILLING}/customer`, other, stranger.headers)).status).toBe(201)
    await report({ reputation: -3 })
    await settled()
    const body = { name: 'bad', selector: { types: ['ip'], reputation: { lte: -1 } } }
    feed = (await platform.ask('/api/feeds/v1/feeds', body, analyst.headers)).body.id
  })

  const report = async (given: object) => {
    const body = { type: 'ip', attributes: { ip: VALUE }, visibleBy: ['public'], ...given }
    expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
  }

  const settled = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )

  const shown = async (to: User) =>
    (await platform.ask(`/api/search/v1/entity/${ID}`, undefined, to.headers)).body as Record<string, unknown>

  async function ask(method: string, body?: object, as: User = analyst) {
    const headers = { ...as.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(platform.url + PATH, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  /** Everything that a reader could notice of an entity and of its surroundings. */
  async function everything(of: User): Promise<unknown[]> {
    const answers = []
    for (const [path, body] of [
      [`/api/search/v1/entity/${ID}`],
      [`/api/search/v1/entity/${ID}/evidence?at=${AT}`],
      [`/api/search/v1/entity/${ID}/score-history?from=${AT - 1_000_000}&to=${AT}&points=5`],
      ['/api/search/v1/entities/history/simple', { query: VALUE }],
      ['/api/search/v1/entities/history/advanced', { query: { filter: [{ term: { type: 'ip' } }] } }],
      ['/api/search/v1/entities/advanced', {}],
      ['/api/search/v1/entities/lookup', { values: [VALUE] }],
      ['/api/analytics/v1/overview?days=1'],
      ['/api/analytics/v1/recent?limit=10'],
      ['/api/analytics/v1/sources'],
      [`/api/analytics/v1/entity/${ID}/details`],
    ] as const) {
      const { status, body: answer } = await platform.ask(path, body, of.headers)
      // How fresh a source is follows from the time of asking.
      answers.push([
        path,
        status,
        JSON.parse(JSON.stringify(answer, (name, value) => (['freshness', 'since'].includes(name) ? 0 : value))),
      ])
    }
    return answers
  }
  const AT = Date.now() + 3_600_000

  const listOf = async (): Promise<string> =>
    (await fetch(`${platform.url}/api/feeds/v1/feeds/${feed}/items.text`, { headers: analyst.headers })).text()

  test('decides what members are shown at once, empties their lists within seconds, and tells nobody else', async () => {
    await eventually(listOf, (list) => list === `${VALUE}\n`)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const before = await everything(stranger)
    const given = await ask('PUT', { verdict: 'benign', reason: 'Our own scanner.' })
    expect(given).toMatchObject({
      status: 200,
      body: { entityID: ID, verdict: 'benign', reason: 'Our own scanner.', userID: analyst.id },
    })
    expect((await ask('GET', undefined, colleague)).body).toEqual(given.body)
    const { sources: _, ...view } = await shown(colleague)
    expect(view).toMatchObject({ reputation: 3, accuracy: 3, bestReputation: -3, worstReputation: -3 })
    const began = performance.now()
    await eventually(listOf, (list) => list === '')
    expect(performance.now() - began).toBeLessThan(10_000)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(await everything(stranger)).toEqual(before)
    expect((await ask('GET', undefined, stranger)).status).toBe(404)
  })

  test('stays whatever is reported, and shows in evidence, score history and history', async () => {
    await report({ reputation: -3, tags: ['again'] })
    await settled()
    expect(await shown(colleague)).toMatchObject({ reputation: 3, accuracy: 3 })
    const evidence = await platform.ask(`/api/search/v1/entity/${ID}/evidence`, undefined, colleague.headers)
    expect(evidence.body).toMatchObject({
      reputation: 3,
      accuracy: 3,
      verdict: { verdict: 'benign', userID: analyst.id },
    })
    expect(evidence.body.claims).toHaveLength(1)
    const scores = await platform.ask(
      `/api/search/v1/entity/${ID}/score-history?points=2`,
      undefined,
      colleague.headers,
    )
    expect(scores.body.at(-1)).toMatchObject({ reputation: 3, accuracy: 3, claims: 1 })
    const history = await platform.ask('/api/search/v1/entities/history/simple', { query: VALUE }, colleague.headers)
    const records = history.body.results.filter((record: { verdict?: object }) => record.verdict !== undefined)
    expect(records).toMatchObject([
      { reputation: 3, userID: analyst.id, verdict: { verdict: 'benign', reason: 'Our own scanner.' } },
    ])
    expect(records[0].attributes).toEqual({ ip: VALUE })
    const found = await platform.ask(
      '/api/search/v1/entities/advanced',
      { query: { filter: [{ term: { reputation: 3 } }] } },
      colleague.headers,
    )
    expect(found.body.results).toMatchObject([{ id: ID }])
  })

  test('survives a rescoring restart of the jobs, and is turned and taken back', async () => {
    await platform.kill()
    await shared.start()
    expect(await shown(colleague)).toMatchObject({ reputation: 3 })
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const turned = await ask('PUT', { verdict: 'malicious', reason: 'Seen here.', until }, colleague)
    expect(turned).toMatchObject({ status: 200, body: { verdict: 'malicious', until, userID: colleague.id } })
    expect(await shown(analyst)).toMatchObject({ reputation: -3, accuracy: 3 })
    expect((await ask('DELETE')).status).toBe(204)
    expect((await ask('GET')).status).toBe(404)
    expect((await ask('DELETE')).status).toBe(404)
    expect(await shown(analyst)).toEqual(await shown(stranger))
    const history = await platform.ask('/api/search/v1/entities/history/simple', { query: VALUE }, analyst.headers)
    const verdicts = history.body.results.flatMap(({ verdict = null }) => (verdict === null ? [] : [verdict]))
    expect(verdicts).toEqual([
      { verdict: null, reason: '' },
      { verdict: 'malicious', reason: 'Seen here.', until },
      { verdict: 'benign', reason: 'Our own scanner.' },
    ])
  })

  test('ends by itself', async () => {
    const until = new Date(Date.now() + 4_000).toISOString()
    expect((await ask('PUT', { verdict: 'benign', reason: 'For a moment.', until })).status).toBe(200)
    await eventually(
      () => ask('GET'),
      ({ status }) => status === 404,
    )
    await eventually(
      () => shown(analyst),
      ({ reputation }) => reputation === -3,
      10_000,
    )
  })

  test.each([
    [{ verdict: 'bad', reason: 'x' }, 'verdict'],
    [{ verdict: 'benign' }, 'reason'],
    [{ verdict: 'benign', reason: '' }, 'reason'],
    [{ verdict: 'benign', reason: ' \u00a0 ' }, 'reason'],
    [{ verdict: 'benign', reason: 'x'.repeat(2_001) }, 'reason'],
    [{ verdict: 'benign', reason: 'x', until: '2001-01-01T00:00:00Z' }, 'until'],
    [{ verdict: 'benign', reason: 'x', until: '2201-01-01T00:00:00Z' }, 'until'],
    [{ verdict: 'benign', reason: 'x', until: 'soon' }, 'until'],
    [{ verdict: 'benign', reason: 'x', note: 1 }, 'note'],
  ])('refuses %j by %s', async (body, param) => {
    const refused = await ask('PUT', body)
    expect([refused.status, refused.body.error.param]).toEqual([400, param])
  })

  test('refuses users without a customer, and entities that the caller may not read', async () => {
    const alone = await newUserOf(platform, { roles: ['user'], groups: [] })
    expect((await ask('PUT', { verdict: 'benign', reason: 'x' }, alone)).status).toBe(403)
    const unknown = `/api/casework/v1/verdicts/${entityId('ip', '203.0.113.250')}`
    const headers = { ...analyst.headers, 'content-type': 'application/json' }
    const init = { method: 'PUT', headers, body: JSON.stringify({ verdict: 'benign', reason: 'x' }) }
    expect((await fetch(platform.url + unknown, init)).status).toBe(404)
    expect(
      (await fetch(platform.url + PATH, { ...init, headers: { 'content-type': 'application/json' } })).status,
    ).toBe(401)
  })

  test('decides nothing for a user whom a stranger only invited, and shows the stranger nothing of the user', async () => {
    const [invited, alone] = await Promise.all(
      [1, 2].map(() => newUserOf(platform, { roles: ['user', 'reporter'], groups: [] })),
    )
    const member = { userID: invited!.id, role: 'user' }
    expect((await platform.ask(`${BILLING}/customer/member`, member, stranger.headers)).status).toBe(201)
    expect((await ask('PUT', { verdict: 'benign', reason: 'Trust me.' }, stranger)).status).toBe(200)
    const own = { name: 'mine', selector: { types: ['ip'] } }
    const made = await platform.ask('/api/feeds/v1/feeds', own, invited!.headers)
    expect(made.status).toBe(201)
    await eventually(
      () => shown(stranger),
      ({ reputation }) => reputation === 3,
    )
    expect((await shown(invited!)).reputation).toBe((await shown(alone!)).reputation)
    expect((await ask('GET', undefined, invited)).status).toBe(403)
    const feeds = async ({ headers }: User) =>
      (await platform.ask('/api/feeds/v1/feeds', undefined, headers)).body.items.map(({ id }: { id: string }) => id)
    expect(await feeds(stranger)).not.toContain(made.body.id)
    expect(await feeds(invited!)).toEqual([made.body.id])
    expect((await platform.ask('/api/billing/v1/limits', undefined, invited!.headers)).status).toBe(403)
    expect((await platform.ask(`${BILLING}/customer/accept`, {}, invited!.headers)).status).toBe(204)
    await eventually(
      () => shown(invited!),
      ({ reputation }) => reputation === 3,
    )
    expect((await ask('DELETE', undefined, stranger)).status).toBe(204)
  })
}
