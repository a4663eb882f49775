import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { person } from '../../../../../builders/accounts/people.ts'
import { crew } from '../../../../../builders/accounts/team.ts'
import { assetArea, QUOTA } from '../../../../../builders/api/asset-area.ts'
import { during } from '../../../../../builders/suite/during.ts'

const PATH = '/api/compute/v1/instances'
const ADMIN = '/api/compute/v1/admin/instances'

const area = during(assetArea)

type Headers = Record<string, string>
const create = (headers: Headers, body: object = { name: 'lab' }) => area.call(headers, 'POST', PATH, body)
const state = async (headers: Headers, id: string) => (await area.call(headers, 'GET', `${PATH}/${id}`)).body.status

test('a member creates an instance, which comes to run by itself', async () => {
  const team = await crew(area.people)
  const wanted = { name: 'lab', zone: 'zone-b', machineType: 'large', templateId: 'debian' }
  const { status, body } = await create(team.user.headers, wanted)
  expect(status).toBe(202)
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    userID: team.user.id,
    customerID: team.customerId,
    ...wanted,
    status: 'PROVISIONING',
    createdAt: new Date(area.clock.now).toISOString(),
  })
  const seen: string[] = []
  for (let step = 0; step < 4; step++) {
    seen.push(await state(team.owner.headers, body.id))
    await area.pass()
  }
  expect(seen).toEqual(['PROVISIONING', 'STAGING', 'RUNNING', 'RUNNING'])
})

test('stopping and starting pass through their states; from another state they are a 409', async () => {
  const { user, customerId } = await crew(area.people)
  const { id } = (await create(user.headers)).body
  const ask = (step: string) => area.call(user.headers, 'POST', `${PATH}/${id}/${step}`)
  const early = await ask('stop')
  expect([early.status, early.body.error.code]).toEqual([409, 'conflict'])
  expect(early.body.error.message).toBe('an instance in state PROVISIONING cannot be stopped')
  await area.pass()
  await area.pass()
  const stopping = await ask('stop')
  expect([stopping.status, stopping.body.status]).toEqual([202, 'STOPPING'])
  expect((await ask('start')).status).toBe(409)
  await area.pass()
  expect(await state(user.headers, id)).toBe('STOPPED')
  const starting = await ask('start')
  expect([starting.status, starting.body.status]).toEqual([202, 'STAGING'])
  await area.pass()
  expect(await state(user.headers, id)).toBe('RUNNING')
  expect(await area.used(customerId, 'max_instances')).toBe(1)
})

test('any member sees all instances; only the creator, an owner or an admin changes one', async () => {
  const { user, user2, admin, owner } = await crew(area.people)
  const { id } = (await create(user.headers)).body
  await area.pass()
  await area.pass()
  expect(await state(user2.headers, id)).toBe('RUNNING')
  for (const [method, path] of [
    ['POST', `${PATH}/${id}/stop`],
    ['POST', `${PATH}/${id}/start`],
    ['DELETE', `${PATH}/${id}`],
  ] as const) {
    const refused = await area.call(user2.headers, method, path)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
  }
  expect((await area.call(admin.headers, 'POST', `${PATH}/${id}/stop`)).status).toBe(202)
  expect((await area.call(owner.headers, 'DELETE', `${PATH}/${id}`)).status).toBe(204)
  expect((await area.call(owner.headers, 'DELETE', `${PATH}/${id}`)).status).toBe(404)
})

test('an instance of another customer is none', async () => {
  const [team, others] = [await crew(area.people), await crew(area.people)]
  const { id } = (await create(team.user.headers)).body
  for (const [method, path] of [
    ['GET', `${PATH}/${id}`],
    ['POST', `${PATH}/${id}/stop`],
    ['DELETE', `${PATH}/${id}`],
  ] as const)
    expect((await area.call(others.owner.headers, method, path)).status).toBe(404)
  expect((await area.call(others.owner.headers, 'GET', PATH)).body).toEqual([])
  expect(await state(team.user.headers, id)).toBe('PROVISIONING')
})

test('the quota is of the customer: what is full is a 409, and a deleted instance makes room', async () => {
  const { user, owner, customerId } = await crew(area.people)
  const made = [(await create(user.headers)).body.id, (await create(owner.headers)).body.id]
  const full = await create(user.headers)
  expect([full.status, full.body.error.code]).toEqual([409, 'quota_exceeded'])
  expect(await area.used(customerId, 'max_instances')).toBe(QUOTA)
  const page = (await area.call(user.headers, 'GET', `${PATH}?limit=1&page=2`)).body
  expect(page).toHaveLength(1)
  expect(made).toContain(page[0].id)
  expect((await area.call(user.headers, 'DELETE', `${PATH}/${made[0]}`)).status).toBe(204)
  expect(await area.used(customerId, 'max_instances')).toBe(1)
  expect((await create(user.headers)).status).toBe(202)
})

test('creating is limited by the minute, and a creation beyond it is a 429 that makes nothing', async () => {
  let left = 1
  const take = async () => ({ admitted: left-- > 0, used: 1 })
  const limited = await assetArea({ limits: { take, giveBack: () => undefined, usage: async () => [] } })
  const { user, customerId } = await crew(limited.people)
  expect((await limited.call(user.headers, 'POST', PATH, { name: 'a' })).status).toBe(202)
  const refused = await limited.call(user.headers, 'POST', PATH, { name: 'b' })
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
  expect(await limited.used(customerId, 'max_instances')).toBe(1)
  await limited.close()
})

test('a compute_admin deletes an instance of anybody, and its quota is given back', async () => {
  const team = await crew(area.people)
  const admin = await person(area.people.accounts, { roles: ['compute_admin'] })
  const { id } = (await create(team.user.headers)).body
  const remove = (what: string, headers: Headers = admin.headers) => area.call(headers, 'DELETE', `${ADMIN}/${what}`)
  expect((await remove(id, team.owner.headers)).status).toBe(403)
  const malformed = await remove('7')
  expect([malformed.status, malformed.body.error.param]).toEqual([400, 'id'])
  expect((await remove(randomUUID())).status).toBe(404)
  expect((await remove(id)).status).toBe(204)
  expect((await remove(id)).status).toBe(404)
  expect(await area.used(team.customerId, 'max_instances')).toBe(0)
  expect(await area.people.db.selectFrom('outbox').select('id').execute()).toEqual([])
})

const bad: [string, object, string][] = [
  ['no name', {}, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a name of two lines', { name: 'a\nb' }, 'name'],
  ['a zone that is no word', { name: 'a', zone: 'Zone A' }, 'zone'],
  ['a long machine type', { name: 'a', machineType: 'a'.repeat(64) }, 'machineType'],
  ['a member that is not known', { name: 'a', status: 'RUNNING' }, 'status'],
]
for (const [name, body, param] of bad)
  test(`${name} is a 400 that names it`, async () => {
    const { user, customerId } = await crew(area.people)
    const refused = await create(user.headers, body)
    expect([refused.status, refused.body.error.param]).toEqual([400, param])
    expect(await area.used(customerId, 'max_instances')).toBe(0)
  })
