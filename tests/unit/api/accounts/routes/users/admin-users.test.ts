import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Accounts } from '../../../../../../connectors/postgres/accounts/users/port.ts'
import { embeddedPeople } from '../../../../../builders/accounts/team.ts'
import { asAdmin, errorOf, type RunningApi, startApi } from '../../../../../builders/api/api.ts'

const NOW = 1_800_000_000_123
const USERS = '/auth/v2/admin/user'

let accounts: Accounts
let api: RunningApi
beforeAll(async () => {
  const people = await embeddedPeople()
  accounts = people.accounts
  api = await startApi({ accounts, offboarding: people.offboarding, now: () => NOW })
})
afterAll(async () => {
  await api?.close()
  await accounts?.close()
})

const call = (method: string, path: string, body?: unknown) =>
  fetch(api.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...asAdmin },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const create = async (given: object = {}): Promise<string> => {
  const response = await call('POST', USERS, { email: `${randomUUID()}@example.com`, ...given })
  expect(response.status).toBe(201)
  return ((await response.json()) as { userID: string }).userID
}

test('a user is created, shown, changed, given a key and deleted', async () => {
  const id = await create({
    email: 'Ada@Example.com',
    fullName: 'Ada',
    alias: 'al',
    roles: ['reporter'],
    groups: ['red'],
  })
  const shown = {
    id,
    userID: id,
    email: 'Ada@Example.com',
    fullName: 'Ada',
    alias: 'al',
    roles: ['reporter'],
    groups: ['red'],
    disabled: false,
    enabled: true,
    verified: false,
    mapped: { roles: [], groups: [] },
    emails: [],
    createdAt: '2027-01-15T08:00:00.123Z',
  }
  expect(await (await call('GET', `/api${USERS}/${id}`)).json()).toEqual(shown)

  const issued = await call('POST', `${USERS}/${id}/keypair`, { name: 'laptop', days: 30 })
  expect(issued.status).toBe(201)
  const key = (await issued.json()) as Record<string, string>
  expect(key).toEqual({
    apiKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    apiSecret: expect.stringMatching(/^[\w-]{43}$/),
    keyID: expect.any(String),
    keyName: 'laptop',
    expireAt: 1_800_000_000 + 30 * 86_400,
    scopes: null,
    groups: null,
    networks: null,
    verified: true,
  })
  const asAda = { 'api-key': key.apiKey!, 'api-secret': key.apiSecret! }
  const definitions = () => fetch(`${api.url}/api/ingest/v1/definitions`, { headers: asAda })
  expect((await definitions()).status).toBe(200)

  const changed = await call('PUT', `${USERS}/${id}`, { roles: ['user'], groups: [] })
  expect(changed.status).toBe(200)
  expect(await changed.json()).toEqual({ ...shown, roles: ['user'], groups: [] })
  expect((await definitions()).status).toBe(403)
  expect((await call('PUT', `${USERS}/${id}`, { disabled: true })).status).toBe(200)
  expect((await definitions()).status).toBe(401)

  const deleted = await call('DELETE', `${USERS}/${id}`)
  expect([deleted.status, await deleted.text()]).toEqual([204, ''])
  expect((await call('DELETE', `${USERS}/${id}`)).status).toBe(404)
})

test('users are listed by pages, and found by a part of their email or alias', async () => {
  const part = randomUUID()
  for (const n of [1, 2, 3]) await create({ email: `${n}.${part}@example.com` })
  const list = async (query: string) => {
    const response = await call('GET', `${USERS}s?${query}`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const found = await list(`query=${part}&limit=2`)
  expect(found).toMatchObject({ status: 200, body: { items: 3, pages: 2, users: [{}, {}] } })
  expect((found.body.users as object[])[0]).toEqual({
    id: expect.any(String),
    emails: [],
    enabled: true,
    verified: false,
    mapped: { roles: [], groups: [] },
    userID: expect.any(String),
    email: expect.stringContaining(part),
    fullName: '',
    alias: '',
    roles: [],
    groups: ['public'],
    disabled: false,
    createdAt: '2027-01-15T08:00:00.123Z',
  })
  expect((await list(`query=${part}&limit=2&page=2`)).body.users).toHaveLength(1)
  expect((await list(`query=%25${part}`)).body).toEqual({ items: 0, pages: 0, users: [] })
  expect((await list('limit=1')).body.users).toHaveLength(1)
  for (const bad of ['limit=101', 'page=0', 'query=', 'query=%00', `query=${'a'.repeat(255)}`, 'email=x'])
    expect([bad, (await list(bad)).status]).toEqual([bad, 400])
})

test('a new user without groups is in public, and without roles has none', async () => {
  const id = await create()
  expect(await (await call('GET', `${USERS}/${id}`)).json()).toMatchObject({ roles: [], groups: ['public'], alias: '' })
})

test('an email that is taken, in whatever case, is a 409', async () => {
  await create({ email: 'grace@example.com' })
  const response = await call('POST', USERS, { email: 'Grace@EXAMPLE.com' })
  expect(response.status).toBe(409)
  expect(await errorOf(response)).toMatchObject({ code: 'conflict', param: 'email' })
})

test('every route about an unknown user is a 404', async () => {
  const path = `${USERS}/${randomUUID()}`
  for (const response of [
    await call('GET', path),
    await call('PUT', path, { disabled: true }),
    await call('PUT', path, {}),
    await call('DELETE', path),
    await call('POST', `${path}/keypair`, { name: 'x', days: 1 }),
  ]) {
    expect(response.status).toBe(404)
    expect((await errorOf(response)).code).toBe('not_found')
  }
})

const email = 'x@example.com'
const refusals: { name: string; body: unknown; param: string }[] = [
  { name: 'no email', body: {}, param: 'email' },
  { name: 'an email that is none', body: { email: 'ada' }, param: 'email' },
  { name: 'an email of 300 characters', body: { email: `${'a'.repeat(300)}@example.com` }, param: 'email' },
  { name: 'an unknown role', body: { email, roles: ['root'] }, param: 'roles[0]' },
  { name: 'a role twice', body: { email, roles: ['user', 'user'] }, param: 'roles' },
  { name: 'the role of a customer', body: { email, roles: ['owner'] }, param: 'roles[0]' },
  { name: 'the group of a customer', body: { email, groups: ['red', `customer-${randomUUID()}`] }, param: 'groups[1]' },
  { name: 'an empty group', body: { email, groups: [''] }, param: 'groups[0]' },
  { name: 'a group with a space', body: { email, groups: ['a b'] }, param: 'groups[0]' },
  {
    name: 'more than 100 groups',
    body: { email, groups: Array.from({ length: 101 }, (_, i) => `g${i}`) },
    param: 'groups',
  },
  { name: 'a NUL in a name', body: { email, fullName: 'a\0b' }, param: 'fullName' },
  { name: 'an id of its own', body: { email, userID: randomUUID() }, param: 'userID' },
  { name: 'a customer of its own', body: { email, customerId: randomUUID() }, param: 'customerId' },
]
for (const { name, body, param } of refusals) {
  test(`creating a user with ${name} is a 400 that names it`, async () => {
    const response = await call('POST', USERS, body)
    expect(response.status).toBe(400)
    expect((await errorOf(response)).param).toBe(param)
  })
}

test('a change is bound by the same rules', async () => {
  const path = `${USERS}/${await create()}`
  const cases: [unknown, string][] = [
    [{ roles: ['root'] }, 'roles[0]'],
    [{ groups: ['customer-1'] }, 'groups[0]'],
    [{ email }, 'email'],
    [{ disabled: 'yes' }, 'disabled'],
  ]
  for (const [body, param] of cases) {
    const response = await call('PUT', path, body)
    expect(response.status).toBe(400)
    expect((await errorOf(response)).param).toBe(param)
  }
})

test('a key needs a name and between 1 and 3650 days', async () => {
  const path = `${USERS}/${await create()}/keypair`
  const cases: [unknown, string][] = [
    [{ days: 1 }, 'name'],
    [{ name: '', days: 1 }, 'name'],
    [{ name: 'x', days: 0 }, 'days'],
    [{ name: 'x', days: 3651 }, 'days'],
    [{ name: 'x', days: 1.5 }, 'days'],
  ]
  for (const [body, param] of cases) {
    const response = await call('POST', path, body)
    expect(response.status).toBe(400)
    expect((await errorOf(response)).param).toBe(param)
  }
})
