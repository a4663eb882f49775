import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Role } from '../../../../../../schemas/accounts/accounts.ts'
import { person } from '../../../../../builders/accounts/people.ts'
import { ADDRESS, crew, embeddedPeople } from '../../../../../builders/accounts/team.ts'
import { asAdmin, errorOf, startApi } from '../../../../../builders/api/api.ts'
import { handlersOver } from '../../../../../builders/lifecycle/handlers.ts'
import { during } from '../../../../../builders/suite/during.ts'

const NOW = 1_800_000_000_123
const CUSTOMER = '/api/billing/v1/customer'
const ADMIN = '/api/billing/v1/admin/customer'

const people = during(embeddedPeople)
const api = during(() => startApi({ ...people, now: () => NOW }))

type Headers = Record<string, string>
const call = (headers: Headers, method: string, path: string, body?: unknown) =>
  fetch(api.url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const ACME = { email: 'billing@acme.example', name: 'Acme', billingAddress: ADDRESS }
const user = (...roles: Role[]) => person(people.accounts, { roles })

test('a user creates a customer, owns it, reads its group at once and creates no second one', async () => {
  const { id, headers } = await user('user')
  const made = await call(headers, 'POST', CUSTOMER, ACME)
  expect(made.status).toBe(201)
  const { message, ...customer } = (await made.json()) as { message: string; id: string; customerID: string }
  expect(message).toBe('acknowledged')
  expect(customer).toEqual({
    id: customer.customerID,
    customerID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...ACME,
    tierName: 'Free',
    stacks: 1,
    gcid: null,
    createdAt: '2027-01-15T08:00:00.123Z',
  })
  expect(await (await call(headers, 'GET', CUSTOMER)).json()).toEqual(customer)
  expect(await (await call(headers, 'GET', `${CUSTOMER}/members`)).json()).toEqual({
    members: [
      {
        roleID: expect.any(String),
        userID: id,
        role: 'owner',
        joinedAt: '2027-01-15T08:00:00.123Z',
        fullName: 'Ada Lovelace',
        accepted: true,
        alias: 'ada',
        email: expect.stringContaining('@'),
      },
    ],
    items: 1,
    pages: 1,
  })
  const credential = await people.accounts.keyPairCredential(headers['api-key'])
  expect(credential?.identity.customerId).toBe(customer.customerID)
  const again = await call(headers, 'POST', CUSTOMER, ACME)
  expect(again.status).toBe(412)
  expect((await errorOf(again)).code).toBe('precondition_failed')
})

test('every member sees the customer and its tier; a stranger finds none', async () => {
  const { owner, admin, user: member, customerId } = await crew(people)
  for (const { headers } of [owner, admin, member]) {
    expect(await (await call(headers, 'GET', CUSTOMER)).json()).toMatchObject({ customerID: customerId })
    expect(await (await call(headers, 'GET', `${CUSTOMER}/tier`)).json()).toEqual({
      customerId,
      tierId: 'free',
      tierName: 'Free',
      description: expect.stringMatching(/./),
      isActive: true,
      subscriptionStatus: 'none',
      stacks: 1,
      trialUsed: false,
    })
  }
  const stranger = await user('user')
  expect((await call(stranger.headers, 'GET', CUSTOMER)).status).toBe(404)
  expect((await call(stranger.headers, 'GET', `${CUSTOMER}/tier`)).status).toBe(404)
})

test('stacks of a tier are its quantity', async () => {
  const { user: member, customerId } = await crew(people)
  await people.db.updateTable('customers').set({ tier: 'Pro', quantity: 3 }).where('id', '=', customerId).execute()
  const tier = await (await call(member.headers, 'GET', `${CUSTOMER}/tier`)).json()
  expect(tier).toMatchObject({ tierId: 'pro', tierName: 'Pro', subscriptionStatus: 'active', stacks: 3 })
})

test('a cancelled subscription is told as such', async () => {
  const { user: member, customerId } = await crew(people)
  const cancelled = { subscription_status: 'cancelled' } as const
  await people.db.updateTable('customers').set(cancelled).where('id', '=', customerId).execute()
  const tier = await (await call(member.headers, 'GET', `${CUSTOMER}/tier`)).json()
  expect(tier).toMatchObject({ tierId: 'free', isActive: false, subscriptionStatus: 'cancelled' })
})

test('the administrator of the configuration has no account and owns no customer', async () => {
  expect((await call(asAdmin, 'POST', CUSTOMER, ACME)).status).toBe(403)
})

test('what is wrong with a new customer is named', async () => {
  const { headers } = await user('user')
  const { country: _, ...stateless } = ADDRESS
  const cases: [object, string][] = [
    [{ ...ACME, email: 'acme' }, 'email'],
    [{ ...ACME, name: '' }, 'name'],
    [{ ...ACME, name: 'a\0b' }, 'name'],
    [{ ...ACME, name: 'x'.repeat(201) }, 'name'],
    [{ email: ACME.email, name: ACME.name }, 'billingAddress'],
    [{ ...ACME, billingAddress: stateless }, 'billingAddress.country'],
    [{ ...ACME, billingAddress: { ...ADDRESS, planet: 'Earth' } }, 'billingAddress.planet'],
    [{ ...ACME, tier: 'Enterprise' }, 'tier'],
  ]
  for (const [body, param] of cases) {
    const response = await call(headers, 'POST', CUSTOMER, body)
    expect(response.status).toBe(400)
    expect((await errorOf(response)).param).toBe(param)
  }
})

test('billing_admin lists and shows customers, and adds members with any role', async () => {
  const billing = (await user('billing_admin')).headers
  const { customerId } = await crew(people)
  const list = await (await call(billing, 'GET', `${ADMIN}s?limit=100`)).json()
  const { customers, items, pages } = list as { customers: { customerID: string }[]; items: number; pages: number }
  expect(customers.map(({ customerID }) => customerID)).toContain(customerId)
  expect([items, pages]).toEqual([customers.length, 1])
  const shown = await (await call(billing, 'GET', `${ADMIN}/${customerId}`)).json()
  expect(customers).toContainEqual(shown)

  const path = `${ADMIN}/${customerId}/member`
  for (const [given, role] of [
    ['owner', 'owner'],
    [0, 'owner'],
    ['admin', 'admin'],
    ['user', 'user'],
  ] as const) {
    const { id } = await user('user')
    const added = await call(billing, 'POST', path, { userID: id, role: given })
    expect([added.status, await added.json()]).toEqual([201, { message: 'acknowledged' }])
    expect(await people.team.membership(id)).toEqual({ customerId, role })
    const again = await call(billing, 'POST', path, { userID: id, role: given })
    expect(again.status).toBe(409)
    expect((await errorOf(again)).code).toBe('conflict')
  }
})

test('billing_admin is told of customers and users that are not there', async () => {
  const { customerId, user: member } = await crew(people)
  const absent = randomUUID()
  const cases: [path: string, method: string, body: object | undefined, status: number][] = [
    [`${ADMIN}/${absent}`, 'GET', undefined, 404],
    [`${ADMIN}/acme`, 'GET', undefined, 400],
    [`${ADMIN}/${absent}/member`, 'POST', { userID: member.id, role: 'user' }, 404],
    [`${ADMIN}/${customerId}/member`, 'POST', { userID: absent, role: 'user' }, 404],
    [`${ADMIN}/${customerId}/member`, 'POST', { userID: absent, role: 'root' }, 400],
    [`${ADMIN}s?limit=101`, 'GET', undefined, 400],
  ]
  for (const [path, method, body, status] of cases) {
    expect((await call(asAdmin, method, path, body)).status).toBe(status)
  }
})

test('with two owners one may be demoted, removed or leave, and the other is the last', async () => {
  const { owner, customerId } = await crew(people)
  const second = await user('user')
  const appoint = () =>
    call(asAdmin, 'POST', `${ADMIN}/${customerId}/member`, { userID: second.id, role: 'owner' }).then((r) => r.status)
  const member = `${CUSTOMER}/member`
  for (const act of [
    () => call(owner.headers, 'DELETE', `${member}/${second.id}`),
    () => call(second.headers, 'DELETE', `${CUSTOMER}/leave`),
    () => call(second.headers, 'DELETE', `${member}/${second.id}`),
    () => call(owner.headers, 'PUT', member, { userID: second.id, role: 'user' }),
  ]) {
    expect(await appoint()).toBe(201)
    expect((await act()).status).toBe(204)
    const last = await call(owner.headers, 'DELETE', `${CUSTOMER}/leave`)
    expect(last.status).toBe(400)
    expect((await errorOf(last)).code).toBe('last_owner')
  }
})

test('the deletion of the last owner ends the customer once it is handled; of any other member it does not', async () => {
  const { owner, admin, user: member, customerId } = await crew(people)
  const erase = (id: string) => call(asAdmin, 'DELETE', `/auth/v2/admin/user/${id}`).then((r) => r.status)
  const handlers = handlersOver(people.db)
  expect(await erase(member.id)).toBe(204)
  await handlers.settle()
  expect(await people.team.customer(customerId)).not.toBeNull()
  expect(await erase(owner.id)).toBe(204)
  await handlers.settle()
  expect(await people.team.customer(customerId)).toBeNull()
  expect((await call(admin.headers, 'GET', CUSTOMER)).status).toBe(404)
})
