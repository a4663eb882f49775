/** The five member routes: every row of the rules and of the error table (specification 4.4, 7.2; decisions 6.6). */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, person } from '../../../../../builders/accounts/people.ts'
import { type Crew, crew, embeddedPeople, type People } from '../../../../../builders/accounts/team.ts'
import { errorOf, type RunningApi, startApi } from '../../../../../builders/api/api.ts'

const CUSTOMER = '/api/billing/v1/customer'

type World = Crew & { stranger: Person; elsewhere: Person; nobody: Person }
type Who = Exclude<keyof World, 'customerId'>

let people: People
let api: RunningApi
let world: World
/** A stranger has an account and no customer, `elsewhere` owns another one, `nobody` has no account. */
let outside: Pick<World, 'elsewhere' | 'nobody'>
beforeAll(async () => {
  people = await embeddedPeople()
  api = await startApi(people)
  const other = await crew(people)
  outside = { elsewhere: other.owner, nobody: { id: randomUUID(), headers: { 'api-key': 'x', 'api-secret': 'x' } } }
})
beforeEach(async () => {
  world = { ...(await crew(people)), ...outside, stranger: await person(people.accounts) }
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

const call = (caller: Who, method: string, path: string, body?: unknown) =>
  fetch(`${api.url}${CUSTOMER}/${path}`, {
    method,
    headers: { ...world[caller].headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

const add = (caller: Who, target: Who, role: unknown) =>
  call(caller, 'POST', 'member', { userID: world[target].id, role })
const put = (caller: Who, target: Who, role: unknown) =>
  call(caller, 'PUT', 'member', { userID: world[target].id, role })
const remove = (caller: Who, target: Who) => call(caller, 'DELETE', `member/${world[target].id}`)
const transfer = (caller: Who, target: Who) =>
  call(caller, 'POST', 'transfer-ownership', { newOwnerUserID: world[target].id })
const leave = (caller: Who) => call(caller, 'DELETE', 'leave')

/** Name of everyone in the customer and their role, sorted: ids made in one millisecond have no order. */
async function roles(): Promise<string[]> {
  const { members } = await people.team.members(world.customerId, { page: 1, limit: 100 })
  const names = Object.entries(world).filter(([name]) => name !== 'customerId') as [Who, Person][]
  return members.map(({ userId, role }) => `${names.find(([, { id }]) => id === userId)?.[0]} ${role}`).sort()
}

const BEFORE = ['admin admin', 'admin2 admin', 'owner owner', 'user user', 'user2 user']
const without = (name: Who) => BEFORE.filter((member) => !member.startsWith(`${name} `))
const swapped = (...pairs: [string, string][]) => BEFORE.map((m) => pairs.find(([from]) => from === m)?.[1] ?? m)

type Row = [name: string, act: () => Promise<Response>, status: number, after: string[] | string]

/** The last column: who is in it afterwards, or the code of the error (nothing has changed then). */
const table: Row[] = [
  ['an owner adds an admin', () => add('owner', 'stranger', 'admin'), 201, [...BEFORE, 'stranger admin']],
  ['an owner adds a user', () => add('owner', 'stranger', 'user'), 201, [...BEFORE, 'stranger user']],
  ['an owner adds an admin by number', () => add('owner', 'stranger', 1), 201, [...BEFORE, 'stranger admin']],
  ['an owner adds a user by number', () => add('owner', 'stranger', 2), 201, [...BEFORE, 'stranger user']],
  ['an admin adds a user', () => add('admin', 'stranger', 'user'), 201, [...BEFORE, 'stranger user']],
  ['an admin adds an admin', () => add('admin', 'stranger', 'admin'), 403, 'forbidden'],
  ['an admin adds an owner', () => add('admin', 'stranger', 'owner'), 403, 'forbidden'],
  ['an owner adds an owner', () => add('owner', 'stranger', 'owner'), 400, 'invalid_parameter'],
  ['an owner adds an owner by number', () => add('owner', 'stranger', 0), 400, 'invalid_parameter'],
  ['a user adds a user', () => add('user', 'stranger', 'user'), 403, 'forbidden'],
  ['a stranger adds a user', () => add('stranger', 'user', 'user'), 403, 'forbidden'],
  ['a member is added', () => add('owner', 'user', 'user'), 400, 'invalid_parameter'],
  ['a member is added by an admin with a higher role', () => add('admin', 'user', 'admin'), 403, 'forbidden'],
  ['the caller is added', () => add('owner', 'owner', 'user'), 400, 'invalid_parameter'],
  [
    'a member of another customer is invited',
    () => add('owner', 'elsewhere', 'user'),
    201,
    [...BEFORE, 'elsewhere user'].sort(),
  ],
  ['somebody without an account is added', () => add('owner', 'nobody', 'user'), 400, 'invalid_parameter'],

  ['an owner promotes', () => put('owner', 'user', 'admin'), 204, swapped(['user user', 'user admin'])],
  ['an owner promotes by number', () => put('owner', 'user', 1), 204, swapped(['user user', 'user admin'])],
  ['an owner demotes', () => put('owner', 'admin', 'user'), 204, swapped(['admin admin', 'admin user'])],
  ['an admin demotes an admin', () => put('admin', 'admin2', 2), 204, swapped(['admin2 admin', 'admin2 user'])],
  ['an admin leaves a user a user', () => put('admin', 'user', 'user'), 204, BEFORE],
  ['an admin promotes', () => put('admin', 'user', 'admin'), 403, 'forbidden'],
  ['an admin promotes to owner', () => put('admin', 'user', 'owner'), 403, 'forbidden'],
  ['an admin demotes the last owner', () => put('admin', 'owner', 'user'), 403, 'forbidden'],
  ['an owner promotes to owner', () => put('owner', 'admin', 'owner'), 400, 'invalid_parameter'],
  ['the last owner demotes itself', () => put('owner', 'owner', 'admin'), 400, 'invalid_parameter'],
  ['an admin demotes itself', () => put('admin', 'admin', 'user'), 400, 'invalid_parameter'],
  ['an admin promotes itself', () => put('admin', 'admin', 'owner'), 400, 'invalid_parameter'],
  ['a user promotes itself', () => put('user', 'user', 'admin'), 403, 'forbidden'],
  ['a user demotes', () => put('user', 'admin', 'user'), 403, 'forbidden'],
  ['a target without a role is changed', () => put('owner', 'stranger', 'user'), 404, 'not_found'],
  ['a target of another customer is changed', () => put('owner', 'elsewhere', 'user'), 404, 'not_found'],
  ['a caller without a role changes', () => put('stranger', 'user', 'user'), 404, 'not_found'],
  ['an admin promotes a target without a role', () => put('admin', 'stranger', 'admin'), 403, 'forbidden'],

  ['an owner removes an admin', () => remove('owner', 'admin'), 204, without('admin')],
  ['an admin removes a user', () => remove('admin', 'user'), 204, without('user')],
  ['an admin removes an admin', () => remove('admin', 'admin2'), 204, without('admin2')],
  ['an admin removes itself', () => remove('admin', 'admin'), 204, without('admin')],
  ['an admin removes the last owner', () => remove('admin', 'owner'), 403, 'forbidden'],
  ['the last owner removes itself', () => remove('owner', 'owner'), 400, 'last_owner'],
  ['a user removes a user', () => remove('user', 'user2'), 403, 'forbidden'],
  ['a user removes itself', () => remove('user', 'user'), 403, 'forbidden'],
  ['a stranger removes', () => remove('stranger', 'user'), 403, 'forbidden'],
  ['a non-member is removed', () => remove('owner', 'stranger'), 400, 'invalid_parameter'],
  ['a member of another customer is removed', () => remove('owner', 'elsewhere'), 400, 'invalid_parameter'],

  [
    'an owner transfers to an admin',
    () => transfer('owner', 'admin'),
    200,
    swapped(['owner owner', 'owner admin'], ['admin admin', 'admin owner']),
  ],
  [
    'an owner transfers to a user',
    () => transfer('owner', 'user'),
    200,
    swapped(['owner owner', 'owner admin'], ['user user', 'user owner']),
  ],
  ['an owner transfers to itself', () => transfer('owner', 'owner'), 400, 'invalid_parameter'],
  ['an owner transfers to a non-member', () => transfer('owner', 'stranger'), 404, 'not_found'],
  ['an owner transfers to another customer', () => transfer('owner', 'elsewhere'), 404, 'not_found'],
  ['an admin transfers', () => transfer('admin', 'user'), 403, 'forbidden'],
  ['an admin transfers to itself', () => transfer('admin', 'admin'), 403, 'forbidden'],
  ['a user transfers', () => transfer('user', 'admin'), 403, 'forbidden'],
  ['a caller without a customer transfers', () => transfer('stranger', 'user'), 404, 'not_found'],

  ['an admin leaves', () => leave('admin'), 204, without('admin')],
  ['a user leaves', () => leave('user'), 204, without('user')],
  ['the last owner leaves', () => leave('owner'), 400, 'last_owner'],
  ['a caller without a customer leaves', () => leave('stranger'), 404, 'not_found'],

  ['a user asks for the members', () => call('user', 'GET', 'members'), 403, 'forbidden'],
  ['a caller without a customer asks for them', () => call('stranger', 'GET', 'members'), 404, 'not_found'],
  ['an unknown key asks for them', () => call('nobody', 'GET', 'members'), 401, 'unauthorized'],
]

for (const [name, act, status, after] of table) {
  test(`${name}: ${status}`, async () => {
    const response = await act()
    expect(response.status).toBe(status)
    if (typeof after === 'string') expect((await errorOf(response)).code).toBe(after)
    else expect(await response.text()).toBe(status === 204 ? '' : '{"message":"acknowledged"}')
    expect(await roles()).toEqual(typeof after === 'string' ? BEFORE : after.toSorted())
  })
}

const someone = randomUUID()
const malformed: [name: string, method: string, path: string, body: unknown, param: string | undefined][] = [
  ['malformed JSON', 'POST', 'member', '{', undefined],
  ['malformed JSON', 'PUT', 'member', '{', undefined],
  ['malformed JSON', 'POST', 'transfer-ownership', '{', undefined],
  ['a user id that is none', 'POST', 'member', { userID: 'ada', role: 'user' }, 'userID'],
  ['a user id that is none', 'PUT', 'member', { userID: 'ada', role: 'user' }, 'userID'],
  ['a user id that is none', 'DELETE', 'member/ada', undefined, 'userID'],
  ['a user id that is none', 'POST', 'transfer-ownership', { newOwnerUserID: 'ada' }, 'newOwnerUserID'],
  ['no user id', 'POST', 'member', { role: 'user' }, 'userID'],
  ['no role', 'PUT', 'member', { userID: someone }, 'role'],
  ['an unknown role', 'POST', 'member', { userID: someone, role: 'root' }, 'role'],
  ['an unknown number', 'PUT', 'member', { userID: someone, role: 3 }, 'role'],
  ['a number as text', 'POST', 'member', { userID: someone, role: '1' }, 'role'],
  ['a customer of its own choice', 'POST', 'member', { userID: someone, role: 1, customerID: someone }, 'customerID'],
  ['page 0', 'GET', 'members?page=0', undefined, 'page'],
  ['a page that is no number', 'GET', 'members?page=first', undefined, 'page'],
  ['a limit of 101', 'GET', 'members?limit=101', undefined, 'limit'],
  ['a limit of 0', 'GET', 'members?limit=0', undefined, 'limit'],
  ['an unknown parameter', 'GET', 'members?size=5', undefined, 'size'],
]
for (const [name, method, path, body, param] of malformed) {
  test(`${method} ${path} with ${name} is a 400 for the owner and a 403 for a user`, async () => {
    const response = await call('owner', method, path, body)
    expect(response.status).toBe(400)
    expect((await errorOf(response)).param).toBe(param)
    expect((await call('user', method, path, body)).status).toBe(403)
  })
}

test('members come in pages with their totals, by the names of their roles', async () => {
  const ask = async (query: string) => (await call('admin', 'GET', `members${query}`)).json()
  const all = (await ask('')) as { members: { roleID: string; userID: string; role: string }[] }
  const known = (['owner', 'admin', 'admin2', 'user', 'user2'] as const).map((name) => world[name].id)
  expect(all).toEqual({ members: expect.anything(), items: 5, pages: 1 })
  expect(all.members.map(({ userID }) => userID).sort()).toEqual(known.sort())
  expect(all.members.map(({ role }) => role).sort()).toEqual(['admin', 'admin', 'owner', 'user', 'user'])
  for (const { roleID } of all.members) expect(roleID).toMatch(/^[0-9a-f-]{36}$/)
  expect(await ask('?page=2&limit=2')).toEqual({ members: all.members.slice(2, 4), items: 5, pages: 3 })
  expect(await ask('?page=9&limit=2')).toEqual({ members: [], items: 5, pages: 3 })
})

test('a former owner without a customer is told that there is none', async () => {
  await transfer('owner', 'admin')
  await leave('owner')
  for (const response of [
    await call('owner', 'GET', 'members'),
    await put('owner', 'user', 'user'),
    await transfer('owner', 'admin'),
    await call('owner', 'GET', 'tier'),
    await leave('owner'),
  ]) {
    expect(response.status).toBe(404)
    expect((await errorOf(response)).code).toBe('not_found')
  }
})

test('the group of the customer comes and goes with the membership, at once', async () => {
  const groupsOf = async (who: Who) =>
    (await people.accounts.keyPairCredential(world[who].headers['api-key']))?.identity.groups
  const group = `customer-${world.customerId}`
  expect(await groupsOf('stranger')).not.toContain(group)
  await add('owner', 'stranger', 'user')
  expect(await groupsOf('stranger')).not.toContain(group)
  await call('stranger', 'POST', 'accept', {})
  expect(await groupsOf('stranger')).toContain(group)
  await remove('admin', 'stranger')
  expect(await groupsOf('stranger')).not.toContain(group)
})

test('an id in capitals is the same user', async () => {
  const userID = world.owner.id.toUpperCase()
  expect((await call('owner', 'PUT', 'member', { userID, role: 'user' })).status).toBe(400)
  expect(await roles()).toEqual(BEFORE)
})
