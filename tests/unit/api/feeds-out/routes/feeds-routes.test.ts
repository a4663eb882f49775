import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { person } from '../../../../builders/accounts/people.ts'
import { type Crew, crew } from '../../../../builders/accounts/team.ts'
import { asAdmin } from '../../../../builders/api/api.ts'
import { feedsArea, QUOTA } from '../../../../builders/api/feeds-area.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'
import { during } from '../../../../builders/suite/during.ts'

const area = during(feedsArea)
let team: Crew
beforeAll(async () => {
  team = await crew(area.people)
  for (const { id } of [team.user, team.user2, team.owner, team.admin])
    await area.people.accounts.updateUser(id, { addRole: 'user' }, cause())
})

const GUARD = { loss: 0.5, gain: 4, from: 100 }
const alone = (...roles: ('user' | 'trusted' | 'reporter')[]) =>
  person(area.people.accounts, { roles: roles.length === 0 ? ['user'] : roles })
const body = (given: object = {}) => ({ name: 'Hostile addresses', selector: { types: ['ip'] }, ...given })
const post = (headers: Record<string, string>, given: object = {}) => area.call(headers, 'POST', '/feeds', body(given))

test('a feed is made with what was not given by default, read, listed, changed in part and deleted', async () => {
  const one = await crew(area.people)
  for (const { id } of [one.user, one.user2]) await area.people.accounts.updateUser(id, { addRole: 'user' }, cause())
  const { headers } = one.user
  const made = await post(headers, { selector: { types: ['ip'], asn: 'AS15169', cidr: '203.0.113.7/24' } })
  const at = new Date(area.clock.now).toISOString()
  const shown = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Hostile addresses',
    description: '',
    selector: { types: ['ip'], asn: [15169], cidr: ['203.0.113.0/24'], wellKnown: false },
    groups: [`customer-${one.customerId}`, 'public'],
    open: false,
    cap: null,
    guard: GUARD,
    state: 'building',
    items: 0,
    sequence: 0,
    createdAt: at,
    updatedAt: at,
  }
  expect([made.status, made.body]).toEqual([201, shown])
  const path = `/feeds/${made.body.id}`
  // A colleague in the same groups reads and changes it.
  const colleague = one.user2.headers
  expect((await area.call(colleague, 'GET', path)).body).toEqual(shown)
  expect((await area.call(colleague, 'GET', '/feeds')).body).toEqual({ items: [shown] })
  const changed = await area.call(colleague, 'PATCH', path, { cap: 5, guard: { loss: 1 }, description: 'two\nlines' })
  const after = { ...shown, cap: 5, guard: { ...GUARD, loss: 1 }, description: 'two\nlines' }
  expect([changed.status, changed.body]).toEqual([200, after])
  const off = await area.call(headers, 'PATCH', path, { cap: null, guard: null, name: 'x', selector: {} })
  expect(off.body).toEqual({ ...after, cap: null, guard: null, name: 'x', selector: { wellKnown: false } })
  expect(await area.call(headers, 'DELETE', path)).toMatchObject({ status: 204, body: null })
  for (const [method, where, given] of [
    ['GET', path],
    ['DELETE', path],
    ['POST', `${path}/hold`],
    ['POST', `${path}/tokens`, { name: 'a', days: 1 }],
  ] as const)
    expect((await area.call(headers, method, where, given)).status).toBe(404)
})

test('the state of the list is told with the feed', async () => {
  const { headers } = await alone()
  const { id } = (await post(headers)).body
  area.states.set(id, { state: 'held', items: 120, sequence: 9, held: { now: 120, would: 3 } })
  const held = { state: 'held', items: 120, sequence: 9, held: { now: 120, would: 3 } }
  expect((await area.call(headers, 'GET', `/feeds/${id}`)).body).toMatchObject(held)
  expect((await area.call(headers, 'GET', '/feeds')).body.items[0]).toMatchObject(held)
  for (const kind of ['hold', 'release'])
    expect(await area.call(headers, 'POST', `/feeds/${id}/${kind}`)).toMatchObject({ status: 202, body: held })
  area.states.set(id, { state: 'live', items: 3, sequence: 10, held: null })
  expect((await area.call(headers, 'GET', `/feeds/${id}`)).body).not.toHaveProperty('held')
})

test('a feed is a 404 for everybody but its owner in all of its groups, for every method', async () => {
  const { id } = (await post(team.user.headers)).body
  await area.people.accounts.updateUser(team.user.id, { groups: ['public', 'red'] }, cause())
  const red = (await post(team.user.headers, { groups: ['red', 'public'] })).body
  expect(red.groups).toEqual(['public', 'red'])
  const stranger = await alone()
  const [mine, theirs] = [`/feeds/${id}`, `/feeds/${red.id}`]
  const calls = (path: string): [string, string, object?][] => [
    ['GET', path],
    ['PATCH', path, { name: 'x' }],
    ['DELETE', path],
    ['POST', `${path}/hold`],
    ['POST', `${path}/release`],
    ['POST', `${path}/tokens`, { name: 'a', days: 1 }],
    ['GET', `${path}/tokens`],
    ['DELETE', `${path}/tokens/${randomUUID()}`],
  ]
  const refused = async (headers: Record<string, string>, path: string) => {
    for (const [method, where, given] of calls(path))
      expect([method, where, (await area.call(headers, method, where, given)).status]).toEqual([method, where, 404])
  }
  await refused(stranger.headers, mine)
  await refused(team.user2.headers, theirs)
  await refused(asAdmin, mine)
  expect((await area.call(team.user2.headers, 'GET', mine)).status).toBe(200)
  const listed = (await area.call(team.user2.headers, 'GET', '/feeds')).body.items.map(
    (feed: { id: string }) => feed.id,
  )
  expect([listed.includes(id), listed.includes(red.id)]).toEqual([true, false])
  expect((await area.call({}, 'GET', mine)).status).toBe(404)
  expect((await area.call({}, 'GET', '/feeds')).status).toBe(401)
  // A group that is lost takes effect at once; the feed stays, and a group that is given again brings it back.
  await area.people.accounts.updateUser(team.user.id, { groups: ['public'] }, cause())
  await refused(team.user.headers, theirs)
  await area.people.accounts.updateUser(team.user.id, { groups: ['red'] }, cause())
  expect((await area.call(team.user.headers, 'GET', theirs)).status).toBe(200)
  // Without the role its owner is told why.
  await area.people.accounts.updateUser(team.user.id, { removeRole: 'user' }, cause())
  expect((await area.call(team.user.headers, 'GET', theirs)).status).toBe(403)
  await area.people.accounts.updateUser(team.user.id, { addRole: 'user' }, cause())
})

test('an open feed is read by everybody and changed by its owner alone', async () => {
  const maker = await alone('user', 'trusted')
  const made = await post(maker.headers, { groups: ['public'], open: true })
  expect([made.status, made.body.open]).toEqual([201, true])
  const path = `/feeds/${made.body.id}`
  const [stranger, reporter] = [await alone(), await alone('reporter')]
  for (const headers of [{}, stranger.headers, reporter.headers])
    expect((await area.call(headers, 'GET', path)).body).toEqual(made.body)
  for (const [method, where, given] of [
    ['PATCH', path, { name: 'x' }],
    ['DELETE', path],
    ['POST', `${path}/hold`],
    ['POST', `${path}/tokens`, { name: 'a', days: 1 }],
    ['GET', `${path}/tokens`],
  ] as const)
    expect([method, (await area.call(stranger.headers, method, where, given)).status]).toEqual([method, 403])
  expect((await area.call(maker.headers, 'PATCH', path, { name: 'x' })).status).toBe(200)
  expect((await area.call({}, 'GET', '/list')).body).toEqual([{ name: 'x', type: 'accumulative', accuracy: 'level1' }])
})

test('only a trusted user opens a feed, and only one of the public', async () => {
  const [trusted, plain] = [await alone('user', 'trusted'), await alone()]
  expect(await post(plain.headers, { groups: ['public'], open: true })).toMatchObject({
    status: 403,
    body: { error: { param: 'open' } },
  })
  await area.people.accounts.updateUser(trusted.id, { groups: ['blue'] }, cause())
  for (const given of [{}, { groups: ['public', 'blue'] }, { groups: ['blue'] }])
    expect(await post(trusted.headers, { ...given, open: true })).toMatchObject({
      status: 400,
      body: { error: { param: 'open' } },
    })
  expect((await post(trusted.headers, { groups: ['public', 'public'], open: true })).body.groups).toEqual(['public'])
})

test('groups are those of the creator', async () => {
  const { headers } = await alone()
  expect(await post(headers, { groups: ['public', 'red'] })).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden', param: 'groups[1]', message: 'groups[1]: is not a group of the caller' } },
  })
  expect((await post(headers, { groups: [`customer-${team.customerId}`] })).status).toBe(403)
})

test('the quota of the tier is the bound of every owner', async () => {
  const { headers } = await alone()
  for (let i = 0; i < QUOTA; i++) expect((await post(headers)).status).toBe(201)
  expect(await post(headers)).toMatchObject({ status: 409, body: { error: { code: 'quota_exceeded' } } })
  const { items } = (await area.call(headers, 'GET', '/feeds')).body
  expect(items).toHaveLength(QUOTA)
  await area.call(headers, 'DELETE', `/feeds/${items[0].id}`)
  expect((await post(headers)).status).toBe(201)
  const page = (await area.call(headers, 'GET', '/feeds?limit=3')).body
  const rest = (await area.call(headers, 'GET', `/feeds?limit=3&after=${page.next}`)).body
  expect([page.items.length, rest.items.length, rest.next]).toEqual([3, 2, undefined])
})

test('the administrator of the configuration has feeds of its own', async () => {
  const made = await post(asAdmin)
  expect([made.status, made.body.groups]).toEqual([201, ['public']])
  expect((await area.call(asAdmin, 'DELETE', `/feeds/${made.body.id}`)).status).toBe(204)
})

test('a user who joins a customer keeps the feeds that it had alone', async () => {
  const { id, headers } = await alone()
  const made = (await post(headers)).body
  await area.people.team.appoint({ customerId: team.customerId, userId: id, role: 'user', membershipId: randomUUID() })
  expect((await area.call(headers, 'GET', `/feeds/${made.id}`)).status).toBe(200)
  expect((await area.call(team.owner.headers, 'GET', `/feeds/${made.id}`)).status).toBe(404)
})

const BAD: [string, object, string][] = [
  ['no name', { name: undefined }, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a blank name', { name: '  ' }, 'name'],
  ['a name of two lines', { name: 'a\nb' }, 'name'],
  ['a long name', { name: 'x'.repeat(201) }, 'name'],
  ['a long description', { description: 'x'.repeat(2_001) }, 'description'],
  ['a description with NUL', { description: 'a\u0000' }, 'description'],
  ['no selector', { selector: undefined }, 'selector'],
  ['a selector that is none', { selector: 'ip' }, 'selector'],
  ['an unknown part', { selector: { type: 'ip' } }, 'selector.type'],
  ['an unknown type', { selector: { types: ['no-such-type'] } }, 'selector.types[0]'],
  ['an empty part', { selector: { reputation: {} } }, 'selector.reputation'],
  ['a contradiction', { selector: { reputation: { gte: 2, lte: 1 } } }, 'selector.reputation'],
  ['a bad network', { selector: { cidr: 'x' } }, 'selector.cidr'],
  ['a bad span', { selector: { seenWithin: '0h' } }, 'selector.seenWithin'],
  ['no group', { groups: [] }, 'groups'],
  ['an empty group', { groups: [''] }, 'groups[0]'],
  ['too many groups', { groups: Array.from({ length: 101 }, () => 'public') }, 'groups'],
  ['a cap of 0', { cap: 0 }, 'cap'],
  ['a cap that is too high', { cap: 10_000_001 }, 'cap'],
  ['a broken cap', { cap: 1.5 }, 'cap'],
  ['a loss above 1', { guard: { loss: 1.1 } }, 'guard'],
  ['a loss below 0', { guard: { loss: -0.1 } }, 'guard'],
  ['a gain below 1', { guard: { gain: 0.9 } }, 'guard'],
  ['a broken from', { guard: { from: 1.5 } }, 'guard'],
  ['a from below 0', { guard: { from: -1 } }, 'guard'],
  ['an unknown part of the guard', { guard: { lose: 1 } }, 'guard.lose'],
  ['a guard that is none', { guard: true }, 'guard'],
  ['an open that is none', { open: 'yes' }, 'open'],
  ['an unknown field', { owner: 'me' }, 'owner'],
]

for (const [name, given, param] of BAD)
  test(`${name} is refused by name`, async () => {
    const { headers } = team.admin
    const made = await post(headers, given)
    expect([made.status, made.body.error.code]).toEqual([400, 'invalid_parameter'])
    expect(made.body.error.param.startsWith(param)).toBe(true)
  })

test('a change is refused as the definition is, and groups and openness never change', async () => {
  const { headers } = await alone('user', 'trusted')
  const made = (await post(headers)).body
  const path = `/feeds/${made.id}`
  for (const [given, param] of [
    [{ groups: ['public'] }, 'groups'],
    [{ open: true }, 'open'],
    [{ open: false }, 'open'],
    [{ name: null }, 'name'],
    [{ selector: null }, 'selector'],
    [{ selector: { types: [] } }, 'selector.types'],
    [{ cap: 0 }, 'cap'],
    [{ guard: { gain: 0 } }, 'guard'],
    [{}, 'body'],
  ] as const) {
    const { status, body: answer } = await area.call(headers, 'PATCH', path, given)
    expect([given, status]).toEqual([given, 400])
    expect([given, answer.error.param.startsWith(param)]).toEqual([given, true])
  }
  expect((await area.call(headers, 'GET', path)).body).toEqual(made)
})

test('a selector of 10,000 values, and one of values of 64 KiB, is stored as it was given', async () => {
  const { headers } = await alone()
  const many = {
    types: ['file'],
    value: { in: Array.from({ length: 10_000 }, (_, i) => i.toString(16).padStart(64, '0')) },
  }
  const long = { value: { in: [`https://example.com/${'x'.repeat(65_516)}`], prefix: '€ 😀' } }
  for (const selector of [many, long]) {
    const made = await post(headers, { selector })
    expect(made.status).toBe(201)
    const shown = await area.call(headers, 'GET', `/feeds/${made.body.id}`)
    expect(shown.body.selector).toEqual({ ...selector, wellKnown: false })
  }
  const over = { value: { in: Array.from({ length: 10_001 }, (_, i) => `${i}`) } }
  expect(await post(headers, { selector: over })).toMatchObject({
    status: 400,
    body: { error: { param: 'selector.value.in' } },
  })
  const large = { value: { in: Array.from({ length: 16 }, (_, i) => `${i}${'x'.repeat(64_000)}`) } }
  const refused = await post(headers, { selector: large })
  expect([refused.status, refused.body.error.param]).toEqual([400, 'selector'])
  expect((await post(headers, { selector: { value: { in: ['x'.repeat(1_100_000)] } } })).status).toBe(413)
})

test('orders take no fields: no body and an empty object are the same, and an unknown field is refused by name', async () => {
  const { headers } = await person(area.people.accounts, { roles: ['user'] })
  const { id } = (await area.call(headers, 'POST', '/feeds', { name: 'one', selector: {} })).body
  for (const kind of ['hold', 'release']) {
    const order = (body?: unknown) => area.call(headers, 'POST', `/feeds/${id}/${kind}`, body)
    expect([(await order()).status, (await order({})).status]).toEqual([202, 202])
    const refused = await order({ until: 'noon' })
    expect([refused.status, refused.body.error.param]).toEqual([400, 'until'])
    expect((await order([])).status).toBe(400)
  }
})
