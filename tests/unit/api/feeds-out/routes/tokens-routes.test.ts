import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { secretHash } from '../../../../../schemas/accounts/credentials.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { feedsArea } from '../../../../builders/api/feeds-area.ts'
import { during } from '../../../../builders/suite/during.ts'

const DAY_S = 24 * 60 * 60

const area = during(feedsArea)
let headers: Record<string, string>
let path: string
beforeAll(async () => {
  headers = (await person(area.people.accounts, { roles: ['user'] })).headers
  const made = await area.call(headers, 'POST', '/feeds', { name: 'one', selector: {} })
  path = `/feeds/${made.body.id}/tokens`
})

test('a token is shown once, listed without its secret, stored as a hash, and revoked', async () => {
  const networks = ['203.0.113.7/24', '198.51.100.9', '2001:DB8::1', '203.0.113.0/24']
  const made = await area.call(headers, 'POST', path, { name: 'Firewall', days: 365, networks })
  const expireAt = Math.floor(area.clock.now / 1000) + 365 * DAY_S
  expect(made).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^hft_[\w-]{43}$/), expireAt } })
  expect(Object.keys(made.body).sort()).toEqual(['expireAt', 'token', 'tokenID'])
  const listed = await area.call(headers, 'GET', path)
  expect(listed.body.items).toEqual([
    {
      tokenID: made.body.tokenID,
      name: 'Firewall',
      networks: ['203.0.113.0/24', '198.51.100.9/32', '2001:db8::1/128'],
      createdAt: new Date(area.clock.now).toISOString(),
      expireAt,
    },
  ])
  const rows = await area.people.db.selectFrom('feed_tokens').selectAll().execute()
  expect(rows[0]!.token_hash).toEqual(secretHash(made.body.token))
  expect(JSON.stringify(rows)).not.toContain(made.body.token)
  expect((await area.call(headers, 'DELETE', `${path}/${made.body.tokenID}`)).status).toBe(204)
  expect((await area.call(headers, 'DELETE', `${path}/${made.body.tokenID}`)).status).toBe(404)
  expect((await area.call(headers, 'GET', path)).body).toEqual({ items: [] })
})

const BAD: [string, object, string][] = [
  ['no name', { name: undefined }, 'name'],
  ['a blank name', { name: ' ' }, 'name'],
  ['no days', { days: undefined }, 'days'],
  ['0 days', { days: 0 }, 'days'],
  ['366 days', { days: 366 }, 'days'],
  ['half a day', { days: 0.5 }, 'days'],
  ['no network', { networks: [] }, 'networks'],
  ['a bad network', { networks: ['203.0.113.0/24', '203.0.113.0/33'] }, 'networks[1]'],
  ['a name as a network', { networks: ['example.com'] }, 'networks[0]'],
  ['too many networks', { networks: Array.from({ length: 101 }, () => '203.0.113.7') }, 'networks'],
  ['an unknown field', { feed: 'x' }, 'feed'],
]

for (const [name, given, param] of BAD)
  test(`${name} is refused by name`, async () => {
    const made = await area.call(headers, 'POST', path, { name: 'Firewall', days: 1, ...given })
    expect([made.status, made.body.error.param]).toEqual([400, param])
  })

test('a feed has 100 tokens, and one that has ended makes room', async () => {
  const made = await area.call(headers, 'POST', '/feeds', { name: 'two', selector: {} })
  const { tokens } = area.feedsOut
  const feedId = made.body.id
  for (let i = 0; i < 100; i++) {
    const expiresAt = area.clock.now + (i === 0 ? 1 : 1_000_000)
    const one = { id: randomUUID(), feedId, maker: randomUUID(), name: 'x', networks: [], expiresAt }
    await tokens.add({ ...one, createdAt: area.clock.now, tokenHash: secretHash(String(i)), keyPairId: null }, 100)
  }
  const add = () => area.call(headers, 'POST', `/feeds/${feedId}/tokens`, { name: 'Firewall', days: 1 })
  expect(await add()).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  area.clock.now += 1
  expect((await add()).status).toBe(201)
  expect((await area.call(headers, 'GET', `/feeds/${feedId}/tokens`)).body.items).toHaveLength(100)
})

test('no log line has a token, not even that of a path that is none', async () => {
  const { token } = (await area.call(headers, 'POST', path, { name: 'Firewall', days: 1 })).body
  const before = area.lines.length
  const escaped = token.replaceAll('_', '%5F')
  for (const where of [`/t/${token}/items`, `/t/${token}`, `/T/${escaped}/x`, `/%74/${token}/items`, `/${token}`])
    expect((await area.call({}, 'GET', where)).status).toBe(404)
  expect((await area.call({}, 'GET', `/t/${token}/items.csv`)).status).toBe(503)
  await area.call({ authorization: `Basic ${btoa(`x:${token}`)}` }, 'GET', '/formats')
  const logged = area.lines.slice(before).join('')
  expect(logged).toContain('/api/feeds/v1/t/{token}/items')
  expect(area.lines.join('')).not.toContain(token.slice(4))
})
