import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { customerGroup } from '../../../../schemas/accounts/accounts.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { command } from '../../../builders/platform/command.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { ADMINISTRATOR, type Answered, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Watchlists over REST, reports, and the alerts that they fire for whoever may read them (decisions 13.2). */
export function alerts(shared: Shared): void {
  const { folder, platform } = shared
  const CASEWORK = '/api/casework/v1'
  const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }

  /** Of two customers; both in the group of their own, the first in `blue` too. */
  let analyst: User
  let stranger: User
  let customerId: string

  beforeAll(async () => {
    const roles = ['user', 'reporter']
    analyst = await newUserOf(platform, { roles, groups: ['blue'] })
    stranger = await newUserOf(platform, { roles, groups: [] })
    for (const [user, name] of [
      [analyst, 'Acme'],
      [stranger, 'Other'],
    ] as const) {
      const body = { name, email: `${name}@example.com`, billingAddress: ADDRESS }
      const made = await platform.ask('/api/billing/v1/customer', body, user.headers)
      expect(made.status).toBe(201)
      if (user === analyst) customerId = made.body.id ?? made.body.customerID
    }
  })

  async function ask(as: User, method: string, path: string, body?: object): Promise<Answered> {
    const headers = { ...as.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(platform.url + CASEWORK + path, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
  }

  /** A watchlist of these items; its path. */
  async function watchlist(as: User, ...items: object[]): Promise<string> {
    const made = await ask(as, 'POST', '/watchlists', { name: 'Ours' })
    expect(made.status).toBe(201)
    const path = `/watchlists/${made.body.id}`
    for (const item of items) expect((await ask(as, 'POST', `${path}/items`, item)).status).toBe(201)
    return path
  }

  async function report(type: string, value: string, given: object = {}, as?: User): Promise<void> {
    const attributes = { [type === 'ip' ? 'ip' : type === 'url' ? 'url' : 'domain']: value }
    const body = { type, attributes, reputation: -3, visibleBy: ['public'], ...given }
    const answer = await platform.ask('/api/ingest/v1/entity', body, as?.headers)
    expect([answer.status, answer.body]).toEqual([202, expect.anything()])
  }

  /** Every group has looked at everything: what did not fire by then does not. */
  const settled = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )

  type Alert = Record<string, unknown> & { entityValue: string; count: number; matchedKind: string }
  const alerts = async (as: User = analyst): Promise<Alert[]> => (await ask(as, 'GET', '/alerts?limit=500')).body.items
  const of = (value: string, as: User = analyst) =>
    alerts(as).then((all) => all.filter(({ entityValue }) => entityValue === value))
  const fired = (value: string, count = 1, as: User = analyst) =>
    eventually(
      () => of(value, as),
      (all) => all.length >= count,
    )

  test('an item of each kind fires for what it names, and the alert says which one did', async () => {
    const path = await watchlist(
      analyst,
      { kind: 'entity', value: entityId('domain', 'a.evil.example') },
      { kind: 'value', value: 'A.Evil.EXAMPLE' },
      { kind: 'tag', value: 'FIN7' },
      { kind: 'type', value: 'url' },
      { kind: 'cidr', value: '198.51.100.0/24' },
      { kind: 'suffix', value: 'evil.example' },
      { kind: 'selector', value: { types: ['domain'], tags: { any: ['fin7'] }, reputation: { lte: -2 } } },
    )
    await report('domain', 'a.evil.example', { tags: ['fin7'] })
    await report('ip', '198.51.100.7')
    await report('url', 'https://b.evil.example/x')
    await report('domain', 'badevil.example')
    const name = await fired('a.evil.example', 5)
    const kinds = (all: Alert[]) => all.map(({ matchedKind }) => matchedKind).sort()
    expect(kinds(name)).toEqual(['entity', 'selector', 'suffix', 'tag', 'value'])
    const [address] = await fired('198.51.100.7')
    expect(address).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      watchlistID: path.split('/').at(-1),
      itemID: expect.any(String),
      entityID: entityId('ip', '198.51.100.7'),
      entityType: 'ip',
      entityValue: '198.51.100.7',
      reputation: -3,
      matchedKind: 'cidr',
      matchedOn: '198.51.100.0/24',
      count: 1,
      lastAt: expect.any(String),
      unread: true,
    })
    expect(kinds(await fired('https://b.evil.example/x', 2))).toEqual(['suffix', 'type'])
    await settled()
    expect(await of('badevil.example')).toEqual([])
  })

  test('nothing fires for what was there before, for what stays, and for what others may read alone', async () => {
    await report('ip', '198.51.100.20')
    await settled()
    const item = { kind: 'type', value: 'ip' }
    await watchlist(analyst, { ...item, max_reputation: -1 })
    const theirs = await watchlist(stranger, item)
    await report('ip', '198.51.100.20', { tags: ['again'] })
    await report('ip', '198.51.100.21', { visibleBy: ['blue'] }, analyst)
    await report('ip', '198.51.100.22', { reputation: 2 })
    await fired('198.51.100.21')
    await settled()
    const ours = (value: string) => of(value).then((all) => all.filter(({ matchedKind }) => matchedKind === 'type'))
    expect([(await ours('198.51.100.20')).length, (await ours('198.51.100.22')).length]).toEqual([0, 0])
    expect([await of('198.51.100.20', stranger), await of('198.51.100.21', stranger)]).toEqual([[], []])
    expect(await of('198.51.100.22', stranger)).toHaveLength(1)
    // Two say that it is bad: it comes down to the bound.
    for (const tags of [['one'], ['two']]) await report('ip', '198.51.100.22', { reputation: -3, tags })
    await eventually(
      () => ours('198.51.100.22'),
      (all) => all.length === 1,
    )
    expect((await ask(stranger, 'DELETE', theirs)).status).toBe(204)
  })

  test('a verdict withdraws what it takes out, and its end counts the alert of the day up', async () => {
    await watchlist(analyst, { kind: 'value', value: '198.51.100.30', max_reputation: -1 })
    await report('ip', '198.51.100.30')
    const one = () => of('198.51.100.30').then((all) => all.find(({ matchedKind }) => matchedKind === 'value'))
    await eventually(one, (alert) => alert !== undefined)
    const verdict = `/verdicts/${entityId('ip', '198.51.100.30')}`
    expect((await ask(analyst, 'PUT', verdict, { verdict: 'benign', reason: 'Our own.' })).status).toBe(200)
    await eventually(one, (alert) => alert?.withdrawnAt !== undefined)
    expect((await ask(analyst, 'DELETE', verdict)).status).toBe(204)
    const again = await eventually(one, (alert) => alert?.count === 2)
    expect(again).not.toHaveProperty('withdrawnAt')
  })

  test('a feed that is taken back withdraws the alerts that it alone fired', async () => {
    await watchlist(analyst, { kind: 'cidr', value: '192.0.2.0/24' })
    const file = join(folder, 'list.txt')
    await writeFile(file, '192.0.2.1\n203.0.113.2\n')
    const imported = await command(folder, 'feed', 'import', file, '--format', 'lines', '--feed', 'bad')
    expect(imported).toMatchObject({ code: 0 })
    await report('ip', '192.0.2.2')
    await fired('192.0.2.1')
    await fired('192.0.2.2')
    await settled()
    const until = new Date().toISOString()
    const done = await command(folder, 'feed', 'retract', 'bad', '--from', '1970-01-01T00:00:00Z', '--to', until)
    expect(done).toMatchObject({ code: 0 })
    await eventually(
      () => of('192.0.2.1'),
      ([alert]) => alert?.withdrawnAt !== undefined,
    )
    await settled()
    expect((await of('192.0.2.2'))[0]).not.toHaveProperty('withdrawnAt')
  })

  test('a watchlist that is disabled fires nothing, and what came meanwhile not when it is enabled again', async () => {
    const path = await watchlist(analyst, { kind: 'suffix', value: 'later.example' })
    expect((await ask(analyst, 'PATCH', path, { enabled: false })).status).toBe(200)
    await report('domain', 'one.later.example')
    await settled()
    expect((await ask(analyst, 'PATCH', path, { enabled: true })).status).toBe(200)
    await report('domain', 'one.later.example', { tags: ['again'] })
    await report('domain', 'two.later.example')
    await fired('two.later.example')
    await settled()
    expect(await of('one.later.example')).toEqual([])
  })

  test('what its user may read no more is not listed, and fires no more', async () => {
    await watchlist(analyst, { kind: 'suffix', value: 'group.example' })
    await report('domain', 'a.group.example', { visibleBy: ['blue'] }, analyst)
    await fired('a.group.example')
    const groups = (given: string[]) =>
      fetch(`${platform.url}/auth/v2/admin/user/${analyst.id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...ADMINISTRATOR },
        body: JSON.stringify({ groups: given }),
      })
    expect((await groups([])).status).toBe(200)
    await eventually(
      () => of('a.group.example'),
      (all) => all.length === 0,
    )
    const blue = await newUserOf(platform, { roles: ['reporter'], groups: ['blue'] })
    await report('domain', 'b.group.example', { visibleBy: ['blue'] }, blue)
    await report('domain', 'c.group.example', { visibleBy: [customerGroup(customerId)] }, analyst)
    await fired('c.group.example')
    await settled()
    expect((await groups(['blue'])).status).toBe(200)
    await fired('a.group.example')
    expect(await of('b.group.example')).toEqual([])
  })

  test('alerts are read up to a moment, handled one by one, and counted in the metrics', async () => {
    const { body } = await ask(analyst, 'GET', '/alerts?limit=1')
    expect(body.unread).toBeGreaterThan(5)
    expect((await ask(analyst, 'POST', '/alerts/read')).status).toBe(200)
    expect((await ask(analyst, 'GET', '/alerts?unread=true')).body).toEqual({ items: [], unread: 0 })
    const [newest] = body.items
    const changed = await ask(analyst, 'PATCH', `/alerts/${newest.id}`, { state: 'handled', note: 'Blocked.' })
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...newest, unread: false, state: 'handled', note: 'Blocked.' },
    ])
    expect((await ask(stranger, 'PATCH', `/alerts/${newest.id}`, { state: 'handled' })).status).toBe(404)
    const text = await (await fetch(`${platform.url}/metrics`, { headers: ADMINISTRATOR })).text()
    expect(text).toMatch(/^harrier_alerts_total\{outcome="made"\} [1-9]/m)
    expect(text).toMatch(/^harrier_alerts_total\{outcome="withdrawn"\} [1-9]/m)
    expect(text).toMatch(/^harrier_watch_items [1-9]/m)
  })
}
