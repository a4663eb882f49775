import { expect, test } from 'vitest'
import { kyselyAccounts } from '../../../../../../connectors/postgres/accounts/users/account-store.ts'
import { ROLES } from '../../../../../../schemas/accounts/accounts.ts'
import { asAdmin } from '../../../../../builders/api/api.ts'
import { DAY, sessionArea } from '../../../../../builders/api/session-area.ts'
import { append, cause } from '../../../../../builders/lifecycle/events.ts'
import { during } from '../../../../../builders/suite/during.ts'

const area = during(sessionArea)

type Headers = Record<string, string>
type Made = { apiKey: string; apiSecret: string; keyID: string; expireAt: number; verificationCodeID: string | null }

const KEYPAIR = '/auth/v2/keypair'
const INSIDE = '192.0.2.7'
const seconds = (ms: number) => Math.floor(ms / 1000)
const pairOf = ({ apiKey, apiSecret }: Pick<Made, 'apiKey' | 'apiSecret'>): Headers => ({
  'api-key': apiKey,
  'api-secret': apiSecret,
})
const ask = (method: string, path: string, headers: Headers, body?: object, ip = INSIDE) =>
  area.call(method, path, { headers, ip, ...(body === undefined ? {} : { body }) })
const make = (headers: Headers, given: object = {}) => ask('POST', KEYPAIR, headers, { name: 'x', days: 30, ...given })
const made = async (headers: Headers, given: object = {}): Promise<Made> => {
  const { status, body } = await make(headers, given)
  expect([status, body]).toEqual([201, expect.anything()])
  return body as Made
}

/** A session of a user in these groups. */
async function member(groups: string[] = ['public', 'blue', 'red']) {
  const user = await area.member()
  const found = await area.call('GET', '/auth/v2/user', { headers: user.headers })
  const id = found.body.userID as string
  await area.accounts.updateUser(id, { groups }, cause())
  return { ...user, id }
}

const NARROW = { scopes: ['account', 'read'], groups: ['red'], networks: ['192.0.2.0/24'] }

test('a key shows what it was narrowed to, where it is made, in the list and by itself', async () => {
  const ada = await member()
  const given = { ...NARROW, networks: ['192.0.2.9/24', '2001:DB8::1'] }
  const key = await made(ada.headers, given)
  const shown = { scopes: ['account', 'read'], groups: ['red'], networks: ['192.0.2.0/24', '2001:db8::1/128'] }
  expect(key).toMatchObject(shown)
  expect((await ask('GET', '/auth/v2/keypairs', ada.headers)).body.keys).toMatchObject([
    { ...shown, previousSecretUntil: null },
  ])
  expect((await ask('GET', KEYPAIR, pairOf(key))).body).toMatchObject({ ...shown, groups: ['public', 'red'] })
  const { keyPairs } = (await ask('GET', '/auth/v2/admin/keypairs', asAdmin)).body
  expect((keyPairs as object[])[0]).toMatchObject({ ...shown, previousSecretUntil: null })
})

test('a key without bounds is shown without', async () => {
  const ada = await member()
  expect(await made(ada.headers)).toMatchObject({ scopes: null, groups: null, networks: null })
})

test('a key ends when it is told to, in days or at a time', async () => {
  const { headers } = await member()
  const at = seconds(area.clock.now) + 3600
  expect(await made(headers, { days: undefined, expireAt: at })).toMatchObject({ expireAt: at })
  const soon = seconds(area.clock.now) + 60
  expect((await make(headers, { days: undefined, expireAt: soon })).status).toBe(201)
})

test.each<[string, () => object, string]>([
  ['no end', () => ({ days: undefined }), 'days'],
  ['two ends', () => ({ expireAt: seconds(area.clock.now) + 3600 }), 'expireAt'],
  ['an end that is too soon', () => ({ days: undefined, expireAt: seconds(area.clock.now) + 59 }), 'expireAt'],
  ['an end that is too late', () => ({ days: undefined, expireAt: seconds(area.clock.now + 3651 * DAY) }), 'expireAt'],
  ['no scope', () => ({ scopes: [] }), 'scopes'],
  ['a scope that there is not', () => ({ scopes: ['read', 'write'] }), 'scopes[1]'],
  ['no group', () => ({ groups: [] }), 'groups'],
  ['no network', () => ({ networks: [] }), 'networks'],
  ['a network that is none', () => ({ networks: ['192.0.2.0/24', '192.0.2.0/33'] }), 'networks[1]'],
  ['too many networks', () => ({ networks: Array(101).fill('192.0.2.0/24') }), 'networks'],
])('a key with %s is refused', async (_, given, param) => {
  const { headers } = await member()
  const { status, body } = await make(headers, given())
  expect([status, (body.error as { param: string }).param]).toEqual([400, param])
})

test('a group of others is refused with 403 that names it; public is a group of everybody', async () => {
  const { headers } = await member(['blue'])
  expect(await make(headers, { groups: ['blue', 'green'] })).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden', param: 'groups[1]' } },
  })
  expect(await made(headers, { groups: ['public'] })).toMatchObject({ groups: ['public'] })
})

test('a narrowed key is refused outside of its networks and without the scope, before its input is looked at', async () => {
  const ada = await member()
  const key = pairOf(await made(ada.headers, NARROW))
  expect((await ask('GET', '/auth/v2/keypairs', key)).status).toBe(200)
  expect(await ask('GET', '/auth/v2/keypairs', key, undefined, '198.51.100.1')).toMatchObject({
    status: 403,
    body: { error: { code: 'network_refused' } },
  })
  const search = await ask('POST', '/api/search/v1/entity', key, { nonsense: true })
  expect(search).toMatchObject({ status: 403, body: { error: { code: 'scope_missing' } } })
  expect((search.body.error as { message: string }).message).toContain('search')
  expect([...search.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
})

test('a narrowed key makes keys within its bounds and its end, by the code in the mail', async () => {
  const ada = await member()
  const maker = await made(ada.headers, { ...NARROW, days: 10 })
  const key = pairOf(maker)
  expect(await made(key, { days: 10 })).toMatchObject({ ...NARROW, verificationCodeID: expect.any(String) })
  expect(await made(key, { days: 9, scopes: ['read'], networks: ['192.0.2.7'] })).toMatchObject({
    scopes: ['read'],
    groups: ['red'],
    networks: ['192.0.2.7/32'],
  })
  for (const [given, param] of [
    [{ scopes: ['read', 'search'] }, 'scopes'],
    [{ groups: ['blue'] }, 'groups[0]'],
    // Everybody reads it, but the maker was not made to report for it.
    [{ groups: ['public'] }, 'groups'],
    [{ networks: ['192.0.0.0/16'] }, 'networks'],
    [{ days: 11 }, 'expireAt'],
  ] as const)
    expect(await make(key, { days: 1, ...given })).toMatchObject({ status: 403, body: { error: { param } } })
})

test('a change narrows; what widens is refused, with a session too', async () => {
  const ada = await member()
  const { keyID, expireAt } = await made(ada.headers, { scopes: ['account', 'read'] })
  const change = (body: object, headers: Headers = ada.headers) => ask('PATCH', `${KEYPAIR}/${keyID}`, headers, body)
  const shown = await change({ name: 'y', groups: ['red', 'blue'], scopes: ['account'], expireAt: expireAt - 60 })
  expect(shown).toMatchObject({
    status: 200,
    body: {
      keyID,
      keyName: 'y',
      groups: ['blue', 'red'],
      scopes: ['account'],
      networks: null,
      expireAt: expireAt - 60,
    },
  })
  for (const [body, param] of [
    [{ scopes: ['account', 'read'] }, 'scopes'],
    [{ groups: ['red', 'public'] }, 'groups'],
    [{ expireAt }, 'expireAt'],
    [{ groups: ['green'] }, 'groups[0]'],
  ] as const)
    expect(await change(body)).toMatchObject({ status: 403, body: { error: { param } } })
  expect((await change({ scopes: null })).status).toBe(400)
  expect((await change({ expireAt: seconds(area.clock.now) + 59 })).status).toBe(400)
  const eve = await member()
  expect((await change({ name: 'z' }, eve.headers)).status).toBe(404)
})

test('a key renames, narrows and deletes none that is wider, and itself always', async () => {
  const ada = await member()
  const wide = await made(ada.headers)
  const other = await made(ada.headers, { ...NARROW, scopes: ['read'] })
  const own = await made(ada.headers, NARROW)
  const key = pairOf(own)
  for (const act of ['PATCH', 'DELETE'] as const) {
    const body = act === 'PATCH' ? { name: 'mine' } : undefined
    const refused = await ask(act, `${KEYPAIR}/${wide.keyID}`, key, body)
    expect([act, refused.status]).toEqual([act, 403])
    expect((await ask(act, `${KEYPAIR}/${other.keyID}`, key, body)).status).toBe(act === 'PATCH' ? 200 : 204)
  }
  expect((await ask('PATCH', `${KEYPAIR}/${own.keyID}`, key, { networks: [INSIDE] })).status).toBe(200)
  expect((await ask('DELETE', `${KEYPAIR}/${own.keyID}`, key)).status).toBe(204)
  expect((await ask('GET', KEYPAIR, key)).status).toBe(401)
  expect((await ask('GET', KEYPAIR, pairOf(wide))).status).toBe(200)
})

const rotate = (headers: Headers, id: string, body?: object) => ask('POST', `${KEYPAIR}/${id}/rotate`, headers, body)

test('a key rotates itself: the old secret works for the grace, as the list shows', async () => {
  const ada = await member()
  const key = await made(ada.headers, NARROW)
  const rotated = await rotate(pairOf(key), key.keyID, { grace: 60 })
  const until = seconds(area.clock.now) + 60
  const { apiSecret } = rotated.body as Made
  expect(rotated).toMatchObject({
    status: 200,
    body: {
      keyID: key.keyID,
      apiKey: key.apiKey,
      previousSecretUntil: until,
      apiSecret: expect.stringMatching(/^[\w-]{43}$/),
    },
  })
  const own = async (secret: string) =>
    (await ask('GET', KEYPAIR, pairOf({ apiKey: key.apiKey, apiSecret: secret }))).status
  expect([await own(key.apiSecret), await own(apiSecret)]).toEqual([200, 200])
  const list = async () => (await ask('GET', '/auth/v2/keypairs', ada.headers)).body.keys
  expect(await list()).toMatchObject([{ previousSecretUntil: until }])
  area.clock.now += 60_000
  expect([await own(key.apiSecret), await own(apiSecret)]).toEqual([401, 200])
  expect(await list()).toMatchObject([{ previousSecretUntil: null }])
})

test('without a grace the old secret ends at once; the grace has its bounds', async () => {
  const ada = await member()
  const key = await made(ada.headers)
  expect((await rotate(ada.headers, key.keyID)).body).toMatchObject({ previousSecretUntil: null })
  expect((await ask('GET', KEYPAIR, pairOf(key))).status).toBe(401)
  for (const grace of [-1, 86_401, 1.5]) expect((await rotate(ada.headers, key.keyID, { grace })).status).toBe(400)
  expect((await rotate(ada.headers, key.keyID, { grace: 86_400 })).status).toBe(200)
  const eve = await member()
  expect((await rotate(eve.headers, key.keyID)).status).toBe(404)
})

test('no key gets the secret of one that is wider or lives longer', async () => {
  const ada = await member()
  const own = await made(ada.headers, { ...NARROW, days: 10 })
  const wide = await made(ada.headers, { days: 10 })
  const long = await made(ada.headers, { ...NARROW, days: 11 })
  const small = await made(ada.headers, { ...NARROW, scopes: ['read'], days: 10 })
  const status = async (by: Made, target: Made) => (await rotate(pairOf(by), target.keyID)).status
  expect(await status(own, wide)).toBe(403)
  expect(await status(own, long)).toBe(403)
  expect(await status(wide, long)).toBe(403)
  expect(await status(own, small)).toBe(200)
  expect(await status(wide, own)).toBe(200)
})

test('administrators issue narrowed keys, of groups of the user alone', async () => {
  const ada = await member(['blue'])
  const path = `/auth/v2/admin/user/${ada.id}/keypair`
  const given = { scopes: ['read'], groups: ['blue'], networks: ['192.0.2.0/24'] }
  const issued = await ask('POST', path, asAdmin, { name: 'x', days: 1, ...given })
  expect(issued).toMatchObject({ status: 201, body: given })
  expect((await ask('GET', KEYPAIR, pairOf(issued.body as Made))).body).toMatchObject({ groups: ['blue', 'public'] })
  expect((await ask('POST', path, asAdmin, { name: 'x', days: 1, groups: ['red'] })).status).toBe(403)
  expect((await ask('POST', path, asAdmin, { name: 'x' })).status).toBe(400)
  expect((await ask('POST', path, asAdmin)).status).toBe(201)
})

test('a narrowed key of an administrator issues keys within its own bounds, and opens no session', async () => {
  const [boss, ada] = [await member(['public', 'blue', 'red']), await member(['blue'])]
  await kyselyAccounts(area.db, append).updateUser(boss.id, { roles: [...ROLES] }, cause())
  area.clock.now += 1_000
  const key = await made(boss.headers, { scopes: ['admin', 'read'], networks: ['192.0.2.0/24'], days: 10 })
  const path = `/auth/v2/admin/user/${ada.id}`
  const issue = (given: object = {}) => ask('POST', `${path}/keypair`, pairOf(key), { name: 'x', days: 10, ...given })
  expect((await issue()).body).toMatchObject({ scopes: ['admin', 'read'], groups: null, networks: ['192.0.2.0/24'] })
  expect(await issue({ scopes: ['search'] })).toMatchObject({ status: 403 })
  expect(await issue({ days: 11 })).toMatchObject({ status: 403 })
  expect(await ask('POST', `${path}/session`, pairOf(key), {})).toMatchObject({ status: 403 })
  const { sessionID } = (await area.logIn(ada.email)).body
  expect((await ask('PUT', `/auth/v2/admin/session/${sessionID}/verify`, pairOf(key))).status).toBe(403)
  expect((await ask('PUT', `/auth/v2/admin/session/${sessionID}/verify`, boss.headers)).status).toBe(204)
  const address = { address: 'other@example.com' }
  expect((await ask('POST', `${path}/email`, pairOf(key), address)).status).toBe(403)
})

test('a narrowed key of an administrator verifies no wider key', async () => {
  const boss = await member()
  await kyselyAccounts(area.db, append).updateUser(boss.id, { roles: [...ROLES] }, cause())
  area.clock.now += 1_000
  const admin = pairOf(await made(boss.headers, { scopes: ['admin'] }))
  const wide = pairOf(await made(boss.headers))
  const waiting = await made(wide)
  const narrow = await made(wide, { scopes: ['admin'] })
  const verify = (id: string) => ask('PUT', `/auth/v2/admin/keypair/${id}/verify`, admin)
  expect((await verify(waiting.keyID)).status).toBe(403)
  expect((await verify(narrow.keyID)).status).toBe(204)
})
