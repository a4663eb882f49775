import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '../../../../../../schemas/accounts/accounts.ts'
import { person } from '../../../../../builders/accounts/people.ts'
import { crew, embeddedPeople, type People } from '../../../../../builders/accounts/team.ts'
import { asAdmin, errorOf, type RunningApi, startApi } from '../../../../../builders/api/api.ts'
import { handlersOver } from '../../../../../builders/lifecycle/handlers.ts'

const NOW = 1_800_000_000_123
const CUSTOMER = '/api/billing/v1/customer'
const ADMIN = '/api/billing/v1/admin/customer'
const RECONCILE = '/api/billing/v1/admin/reconcile'

let people: People
let api: RunningApi
let handlers: ReturnType<typeof handlersOver>
let providerDown = false
const removed: string[] = []
const requests: boolean[] = []
beforeAll(async () => {
  people = await embeddedPeople()
  handlers = handlersOver(people.db)
  const unused = async () => expect.unreachable('the provider is only asked to remove an account')
  const payments = {
    register: unused,
    checkout: unused,
    portal: unused,
    end: unused,
    notices: null,
    async remove(account: string) {
      if (providerDown) throw new Error('no answer')
      removed.push(account)
    },
  }
  api = await startApi({
    ...people,
    now: () => NOW,
    payments,
    ledger: handlers.ledger,
    offboarding: { ...handlers.offboarding, deleteUser: people.offboarding.deleteUser },
    reconcile: (dryRun) => {
      requests.push(dryRun)
      return handlers.reconcile(dryRun)
    },
  })
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

type Headers = Record<string, string>
const call = (headers: Headers, method: string, path: string, body?: unknown) =>
  fetch(api.url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const status = async (...given: Parameters<typeof call>) => (await call(...given)).status
const user = (...roles: Role[]) => person(people.accounts, { roles })

/** What has been told since the last time. */
let told = 0
async function events() {
  await handlers.settle()
  const all = handlers.events()
  const fresh = all.slice(told)
  told = all.length
  return fresh.map(({ type, actor, subject, data }) => ({ type, actor, subject, data }))
}

test('a user deletes the own account on both prefixes; its credentials end with it', async () => {
  for (const prefix of ['', '/api']) {
    const { id, headers } = await user('user')
    await events()
    const gone = await call(headers, 'DELETE', `${prefix}/auth/v2/user`)
    expect([gone.status, await gone.text()]).toEqual([204, ''])
    expect(await status(headers, 'DELETE', `${prefix}/auth/v2/user`)).toBe(401)
    expect(await events()).toEqual([
      {
        type: 'user.deleted',
        actor: { userID: id, kind: 'self' },
        subject: { userID: id, customerID: null },
        data: { memberships: [] },
      },
    ])
  }
})

test('a user that an administrator deletes is told of as theirs; a second time is a 404 and says nothing', async () => {
  const admin = await user('auth_admin')
  const { user: member, customerId } = await crew(people)
  await events()
  expect(await status(admin.headers, 'DELETE', `/auth/v2/admin/user/${member.id}`)).toBe(204)
  expect(await status(admin.headers, 'DELETE', `/auth/v2/admin/user/${member.id}`)).toBe(404)
  expect(await events()).toEqual([
    {
      type: 'user.deleted',
      actor: { userID: admin.id, kind: 'admin' },
      subject: { userID: member.id, customerID: customerId },
      data: { memberships: [{ customerID: customerId, role: 'user' }] },
    },
  ])
})

test('the administrator of the configuration cannot delete itself, and is told why', async () => {
  for (const path of ['/auth/v2/user', '/auth/v2/admin/user/00000000-0000-4000-8000-000000000001']) {
    const refused = await call(asAdmin, 'DELETE', path)
    expect(refused.status).toBe(403)
    expect((await errorOf(refused)).message).toContain('built-in administrator')
  }
})

test('disabling is told once, and only when it is new', async () => {
  const { id } = await user('user')
  await events()
  const path = `/auth/v2/admin/user/${id}`
  for (const body of [{ disabled: true }, { disabled: true }, { disabled: false }, { roles: [] }])
    expect(await status(asAdmin, 'PUT', path, body)).toBe(200)
  const told = await events()
  expect(told.map(({ type, subject, data }) => [type, subject.userID, data])).toEqual([['user.disabled', id, {}]])
})

test('an owner deletes the customer with everybody in it; nobody else of it may', async () => {
  const { owner, admin, user: member, customerId } = await crew(people)
  await handlers.ledger.link(customerId, `cus_${customerId}`)
  await events()
  for (const { headers } of [admin, member]) expect(await status(headers, 'DELETE', CUSTOMER)).toBe(403)
  expect(removed).not.toContain(`cus_${customerId}`)
  expect(await people.team.customer(customerId)).not.toBeNull()
  expect(await status(owner.headers, 'DELETE', CUSTOMER)).toBe(204)
  expect(removed).toContain(`cus_${customerId}`)
  expect(await people.team.customer(customerId)).toBeNull()
  for (const { headers } of [owner, admin, member]) expect(await status(headers, 'DELETE', CUSTOMER)).toBe(404)
  expect(await people.accounts.user(owner.id)).not.toBeNull()
  expect(await events()).toEqual([
    {
      type: 'customer.deleted',
      actor: { userID: owner.id, kind: 'owner' },
      subject: { userID: null, customerID: customerId },
      data: { reason: 'owner' },
    },
  ])
})

test('a caller without a customer is told so, the administrator of the configuration too', async () => {
  const stranger = await user('user', 'billing_admin')
  for (const headers of [stranger.headers, asAdmin]) {
    const refused = await call(headers, 'DELETE', CUSTOMER)
    expect(refused.status).toBe(404)
    expect((await errorOf(refused)).code).toBe('not_found')
  }
})

test('billing_admin ends a customer by force; what it paid for is told of first; a second time is a 404', async () => {
  const billing = await user('billing_admin')
  const { customerId, owner } = await crew(people)
  await handlers.ledger.set(customerId, { tier: 'Pro', quantity: 2 }, { id: randomUUID(), actor: ACTOR, now: NOW })
  await events()
  expect(await status(owner.headers, 'DELETE', `${ADMIN}/${customerId}`)).toBe(403)
  expect(await status(billing.headers, 'DELETE', `${ADMIN}/acme`)).toBe(400)
  expect(await status(billing.headers, 'DELETE', `${ADMIN}/${customerId}`)).toBe(204)
  expect(await status(billing.headers, 'DELETE', `${ADMIN}/${customerId}`)).toBe(404)
  expect(
    (await events()).map(({ type, actor, data }) => [type, actor.kind, 'reason' in data ? data.reason : null]),
  ).toEqual([
    ['subscription.cancelled', 'admin', null],
    ['customer.deleted', 'admin', 'admin'],
  ])
})

test('while the provider cannot be reached nothing is deleted', async () => {
  const { owner, customerId } = await crew(people)
  await handlers.ledger.link(customerId, `cus_${customerId}`)
  providerDown = true
  const refused = await call(owner.headers, 'DELETE', CUSTOMER).finally(() => {
    providerDown = false
  })
  expect(refused.status).toBe(500)
  expect((await errorOf(refused)).code).toBe('payment_failed')
  expect(await people.team.membership(owner.id)).toEqual({ customerId, role: 'owner' })
})

test('a reconciliation is asked for by auth_admin, and repairs unless it is a dry run', async () => {
  await events()
  const admin = await user('auth_admin')
  const { user: lost } = await crew(people)
  await people.db.deleteFrom('users').where('id', '=', lost.id).execute()
  for (const [body, want] of [
    [{ dryRun: true }, { found: 1, repaired: 0 }],
    [{}, { found: 1, repaired: 1 }],
    [{ dryRun: false }, { found: 0, repaired: 0 }],
  ] as const) {
    const answer = await call(admin.headers, 'POST', RECONCILE, body)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ orphan_memberships: want })
  }
  expect(requests).toEqual([true, false, false])
  const wrong = await call(admin.headers, 'POST', RECONCILE, { dryRun: 'yes' })
  expect([wrong.status, (await errorOf(wrong)).param]).toEqual([400, 'dryRun'])
})

const ACTOR = { userID: null, kind: 'system' } as const
