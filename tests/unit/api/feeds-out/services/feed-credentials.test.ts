import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedCredentials } from '../../../../../api/feeds-out/services/feed-credentials.ts'
import { feedAccess } from '../../../../../api/feeds-out/services/feeds-service.ts'
import { tokenAccess } from '../../../../../api/feeds-out/services/token-access.ts'
import { openStreams } from '../../../../../api/http/answers/streams.ts'
import { newBodies } from '../../../../../api/http/bodies/read-body.ts'
import { errorFunnel } from '../../../../../api/http/middleware/errors.ts'
import { BUILT_IN_ADMINISTRATOR, identification } from '../../../../../api/http/middleware/identity.ts'
import { mount } from '../../../../../api/http/mount.ts'
import { reply, route } from '../../../../../api/http/route.ts'
import type { UserChange } from '../../../../../connectors/postgres/accounts/users/port.ts'
import { type Person, person } from '../../../../builders/accounts/people.ts'
import { type Crew, crew } from '../../../../builders/accounts/team.ts'
import { ADMIN, apiPorts, asAdmin } from '../../../../builders/api/api.ts'
import { type FeedsArea, feedsArea } from '../../../../builders/api/feeds-area.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'

/** What a download is for these tests: which feed was let in, for whom. */
const Served = Type.Object({ feed: Type.String(), by: Type.Unknown(), customer: Type.Unknown() })

let area: FeedsArea
let team: Crew
let alone: Person
let url: string
let close: () => void
beforeAll(async () => {
  area = await feedsArea()
  team = await crew(area.people)
  await area.people.accounts.updateUser(team.user.id, { addRole: 'user' }, cause())
  alone = await person(area.people.accounts, { roles: ['user'] })
  const { feeds, tokens } = area.feedsOut
  const now = () => area.clock.now
  const access = tokenAccess({ tokens, administrator: BUILT_IN_ADMINISTRATOR, now })
  const { readable } = feedAccess(feeds)
  const download = (path: string, name: string) =>
    route({
      method: 'get',
      path,
      id: 'test',
      summary: 'Download.',
      tag: 'Feeds',
      access: 'anyone',
      scope: null,
      credentials: feedCredentials(access),
      params: Type.Object({ [name]: Type.String() }),
      responses: { 200: Served },
      handler: async ({ user, params }) => {
        const id = user?.by?.kind === 'download token' ? user.by.feedId : (params as Record<string, string>).id!
        const feed = await readable(user, id)
        return reply(200, { feed: feed.id, by: user?.by?.id ?? null, customer: user?.customerId ?? null })
      },
    })
  const identify = identification(area.people.accounts, ADMIN, now)
  const routes = [download('/api/feeds/v1/feeds/{id}/items', 'id'), download('/api/feeds/v1/t/{token}/items', 'token')]
  const { logger, newId, metrics } = apiPorts()
  const streams = openStreams({ logger, metrics: metrics.instruments })
  const options = { identify, trustedProxies: 1, enforce: async () => null, bodies: newBodies(), streams, trail: null }
  const router = mount(routes, options)
  const app = new Koa().use(errorFunnel(logger, newId)).use(router.routes())
  const server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/feeds/v1`
})
afterAll(async () => {
  close?.()
  await area?.close()
})

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

async function get(path: string, headers: Record<string, string> = {}, from = '192.0.2.1') {
  const response = await fetch(url + path, { headers: { 'x-forwarded-for': from, ...headers } })
  return { status: response.status, body: (await response.json()) as never, headers: response.headers }
}

const feedOf = async (headers: Record<string, string>, given: object = {}): Promise<string> =>
  (await area.call(headers, 'POST', '/feeds', { name: 'one', selector: {}, ...given })).body.id

const tokenOf = async (headers: Record<string, string>, id: string, given: object = {}) =>
  (await area.call(headers, 'POST', `/feeds/${id}/tokens`, { name: 'Firewall', days: 1, ...given })).body as {
    token: string
    tokenID: string
  }

/** Both ways to show a token. */
const both = async (id: string, token: string, from?: string) => [
  (await get(`/feeds/${id}/items`, basic('device', token), from)).status,
  (await get(`/t/${token}/items`, {}, from)).status,
]

test('a token lets in as the password of any user and in the path, in the name of its feed', async () => {
  const id = await feedOf(team.user.headers)
  const { token, tokenID } = await tokenOf(team.user.headers, id)
  const served = { status: 200, body: { feed: id, by: tokenID, customer: team.customerId } }
  for (const user of ['', 'device', 'ü'])
    expect(await get(`/feeds/${id}/items`, basic(user, token))).toMatchObject(served)
  for (const end of ['\n', '\r\n'])
    expect(await get(`/feeds/${id}/items`, basic('written into a file', token + end))).toMatchObject(served)
  expect(await get(`/t/${token}/items`)).toMatchObject(served)
  const own = await feedOf(alone.headers)
  const mine = await tokenOf(alone.headers, own)
  expect(await get(`/t/${mine.token}/items`)).toMatchObject({ body: { feed: own, customer: null } })
})

test('key pairs as Basic, key pairs in headers and nobody read what they may', async () => {
  const id = await feedOf(alone.headers)
  const { 'api-key': key, 'api-secret': secret } = alone.headers
  expect((await get(`/feeds/${id}/items`, basic(key, secret))).status).toBe(200)
  expect((await get(`/feeds/${id}/items`, alone.headers)).status).toBe(200)
  expect((await get(`/feeds/${id}/items`, basic(key, 'wrong'))).status).toBe(401)
  expect(
    (await get(`/feeds/${id}/items`, basic(team.user.headers['api-key'], team.user.headers['api-secret']))).status,
  ).toBe(404)
  expect((await get(`/feeds/${id}/items`)).status).toBe(404)
  const { headers } = await get(`/feeds/${id}/items`, basic('x', 'y'))
  expect(headers.get('www-authenticate')).toMatch(/^Basic realm="feeds"/)
})

test('credentials that cannot be read, or are of two kinds, are a 401', async () => {
  const id = await feedOf(team.user.headers)
  const { token } = await tokenOf(team.user.headers, id)
  for (const authorization of ['Basic', 'Basic ', 'Basic !', `Basic ${btoa('nocolon')}`, `Basic ${'A'.repeat(4_096)}`])
    expect([authorization, (await get(`/feeds/${id}/items`, { authorization })).status]).toEqual([authorization, 401])
  expect((await get(`/feeds/${id}/items`, { ...alone.headers, ...basic('x', token) })).status).toBe(401)
  for (const more of [alone.headers, basic('x', token), { authorization: 'Bearer x' }])
    expect((await get(`/t/${token}/items`, more)).status).toBe(401)
  // No other credential is a token: a bearer is a session.
  expect((await get(`/feeds/${id}/items`, { authorization: `Bearer ${token}` })).status).toBe(401)
})

test('a token reads no other feed', async () => {
  const [id, other] = [await feedOf(team.user.headers), await feedOf(team.user.headers)]
  const { token } = await tokenOf(team.user.headers, id)
  expect((await get(`/feeds/${other}/items`, basic('x', token))).status).toBe(404)
  expect((await get(`/feeds/${id.toUpperCase()}/items`, basic('x', token))).status).toBe(200)
})

test('a token that is unknown, revoked or ended, or whose feed is gone, is a 401', async () => {
  const { headers } = await person(area.people.accounts, { roles: ['user'] })
  const id = await feedOf(headers)
  expect(await both(id, `hft_${'x'.repeat(43)}`)).toEqual([401, 401])
  expect((await get('/t/x/items')).status).toBe(401)
  const [revoked, ended] = [await tokenOf(headers, id), await tokenOf(headers, id)]
  await area.call(headers, 'DELETE', `/feeds/${id}/tokens/${revoked.tokenID}`)
  expect(await both(id, revoked.token)).toEqual([401, 401])
  area.clock.now += 24 * 60 * 60 * 1000 - 1
  expect(await both(id, ended.token)).toEqual([200, 200])
  area.clock.now += 1
  expect(await both(id, ended.token)).toEqual([401, 401])
  const last = await tokenOf(headers, id)
  await area.call(headers, 'DELETE', `/feeds/${id}`)
  expect(await both(id, last.token)).toEqual([401, 401])
})

test('a token is good from its networks alone', async () => {
  const id = await feedOf(alone.headers)
  const { token } = await tokenOf(alone.headers, id, { networks: ['203.0.113.0/24', '2001:db8::/32'] })
  for (const [from, status] of [
    ['203.0.113.255', 200],
    ['2001:DB8:0::7', 200],
    ['::ffff:203.0.113.9', 200],
    ['203.0.114.0', 403],
    ['2001:db9::', 403],
  ] as const)
    expect([from, await both(id, token, from)]).toEqual([from, [status, status]])
})

test('a token ends with the right of its maker: disabled, without the role, out of the groups, out of the owner', async () => {
  const { accounts, team: teams } = area.people
  const { user2, customerId } = team
  await accounts.updateUser(user2.id, { addRole: 'user', groups: ['red'] }, cause())
  const id = await feedOf(user2.headers, { groups: ['red', 'public'] })
  const { token } = await tokenOf(user2.headers, id)
  const changes: [UserChange, UserChange][] = [
    [{ disabled: true }, { disabled: false }],
    [{ removeRole: 'user' }, { addRole: 'user' }],
    [{ groups: ['public'] }, { groups: ['red'] }],
  ]
  for (const [away, back] of changes) {
    expect(await both(id, token)).toEqual([200, 200])
    await accounts.updateUser(user2.id, away, cause())
    expect([away, await both(id, token)]).toEqual([away, [401, 401]])
    await accounts.updateUser(user2.id, back, cause())
  }
  await teams.dismiss(customerId, user2.id)
  expect(await both(id, token)).toEqual([401, 401])
})

test('a token of the administrator of the configuration stands for it', async () => {
  const id = await feedOf(asAdmin)
  const { token } = await tokenOf(asAdmin, id)
  expect(await both(id, token)).toEqual([200, 200])
  const { tokens } = area.feedsOut
  const without = tokenAccess({ tokens, administrator: null, now: () => area.clock.now })
  await expect(without(token, id, '192.0.2.1')).rejects.toMatchObject({ status: 401 })
})
