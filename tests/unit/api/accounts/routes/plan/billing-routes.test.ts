import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Payments } from '../../../../../../connectors/payments/port.ts'
import { stripePayments } from '../../../../../../connectors/payments/stripe.ts'
import { kyselyAccounts } from '../../../../../../connectors/postgres/accounts/users/account-store.ts'
import type { AccountsDatabase } from '../../../../../../connectors/postgres/core/database.ts'
import { newKeyPair, newUser } from '../../../../../builders/accounts/accounts.ts'
import { billingOver, customerIn, eventIn } from '../../../../../builders/accounts/billing.ts'
import { memoryDatabase } from '../../../../../builders/accounts/database/memory-database.ts'
import { person } from '../../../../../builders/accounts/people.ts'
import { stripeEvent, stripeSignature } from '../../../../../builders/accounts/stripe.ts'
import { apiPorts, asAdmin, errorOf, type RunningApi, startApi } from '../../../../../builders/api/api.ts'
import { append } from '../../../../../builders/lifecycle/events.ts'

const NOW = 1_800_000_000_000
const SECRET = 'whsec_test'
const BILLING = '/api/billing/v1'

let database: AccountsDatabase
let local: RunningApi
let stripe: RunningApi
const ended: string[] = []

/** Stripe's reading of notices, without Stripe. */
const offline: Payments = {
  ...apiPorts().payments,
  end: async (subscription) => void ended.push(subscription),
  notices: stripePayments({ secretKey: 'sk_test_offline', webhookSecret: SECRET, returnUrl: 'http://x/' }).notices,
}

beforeAll(async () => {
  database = await memoryDatabase()
  const accounts = kyselyAccounts(database.db, append)
  const { ledger } = billingOver(database.db)
  const ports = { accounts, ledger, now: () => NOW }
  local = await startApi(ports)
  stripe = await startApi({ ...ports, payments: offline })
})
afterAll(async () => {
  await local?.close()
  await stripe?.close()
  await database?.close()
})

type Headers = Record<string, string>

const call = (method: string, path: string, body?: unknown, headers: Headers = asAdmin, api = local) =>
  fetch(api.url + BILLING + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const eventsOf = async (id: string) => {
  const query = database.db.selectFrom('outbox').select('record').where('key', '=', id).orderBy('seq')
  return (await query.execute()).map(({ record }) => eventIn(record))
}

/** A customer, and the credentials of its owner. */
async function owned() {
  const { id, ownerId } = await customerIn(database.db)
  const secret = randomUUID()
  const pair = newKeyPair(ownerId, { secret })
  await kyselyAccounts(database.db, append).createKeyPair(pair)
  return { id, ownerId, headers: { 'api-key': pair.apiKey, 'api-secret': secret } }
}

/** Credentials of a new member. */
async function member(customerId: string, role: string): Promise<Headers> {
  const { id, headers } = await person(kyselyAccounts(database.db, append), newUser())
  const row = { id: randomUUID(), customer_id: customerId, user_id: id, role, accepted_at: new Date() }
  await database.db.insertInto('memberships').values(row).execute()
  return headers
}

test('without a provider, an upgrade by the owner counts at once and is told as its', async () => {
  const { id, ownerId, headers } = await owned()
  const response = await call('POST', '/stripe/upgrade', { tier: 'Pro', quantity: 2 }, headers)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ checkoutURL: 'http://127.0.0.1/' })
  expect(await eventsOf(id)).toMatchObject([
    {
      type: 'subscription.changed',
      time: NOW,
      actor: { userID: ownerId, kind: 'owner' },
      subject: { userID: null, customerID: id },
      data: { tier: 'Pro', quantity: 2, effective: { max_instances: 10 } },
    },
  ])
})

test('an upgrade that names no tier is to the next one up, as often as before, and comes back to the client', async () => {
  const { id, headers } = await owned()
  const back = { successURL: 'https://app.example/paid', cancelURL: 'https://app.example/prices' }
  const response = await call('POST', '/stripe/upgrade', back, headers)
  expect([response.status, await response.json()]).toEqual([200, { checkoutURL: back.successURL }])
  await call('PUT', `/admin/customer/${id}/subscription`, { tier: 'Pro', quantity: 3 })
  expect((await call('POST', '/stripe/upgrade', {}, headers)).status).toBe(200)
  const orders = (await eventsOf(id)).map(({ data }) => data)
  expect(orders).toMatchObject([
    { tier: 'Pro', quantity: 1 },
    { tier: 'Pro', quantity: 3 },
    { tier: 'Enterprise', quantity: 3 },
  ])
  expect((await call('POST', '/stripe/upgrade', back, headers)).status).toBe(409)
})

test('a browser is sent to pages of the web alone', async () => {
  const { headers } = await owned()
  for (const successURL of ['javascript:alert(1)', 'data:text/html,x', '/paid', '']) {
    const response = await call('POST', '/stripe/upgrade', { successURL }, headers)
    expect([successURL, response.status]).toEqual([successURL, 400])
  }
})

test('the owner is shown the way to its bills', async () => {
  const { headers } = await owned()
  const response = await call('GET', '/stripe/customer', undefined, headers)
  expect([response.status, await response.json()]).toEqual([200, { url: 'http://127.0.0.1/' }])
})

test('members who are not owners, and users without a customer, may not pay or see bills', async () => {
  const { id } = await owned()
  const upgrade = { tier: 'Pro', quantity: 1 }
  for (const role of ['admin', 'user']) {
    const headers = await member(id, role)
    expect((await call('POST', '/stripe/upgrade', upgrade, headers)).status).toBe(403)
    expect((await call('GET', '/stripe/customer', undefined, headers)).status).toBe(403)
  }
  const { headers } = await person(kyselyAccounts(database.db, append))
  expect((await call('POST', '/stripe/upgrade', upgrade, headers)).status).toBe(404)
  expect((await call('GET', '/stripe/customer', undefined, headers)).status).toBe(404)
  expect(await eventsOf(id)).toEqual([])
})

test('a provider that fails is a 500 that does not say why', async () => {
  const { headers } = await owned()
  const broken = { ...offline, checkout: () => Promise.reject(new Error('sk_live_secret is revoked')) }
  const accounts = kyselyAccounts(database.db, append)
  const api = await startApi({ accounts, payments: broken, ledger: billingOver(database.db).ledger })
  const response = await call('POST', '/stripe/upgrade', { tier: 'Pro', quantity: 1 }, headers, api)
  expect(response.status).toBe(500)
  expect(await errorOf(response)).toMatchObject({
    code: 'payment_failed',
    message: 'the payment provider cannot be reached',
  })
  await api.close()
})

test('an administrator sets and cancels; what stays the same tells nothing', async () => {
  const { id } = await owned()
  const path = `/admin/customer/${id}/subscription`
  const pro = { tier: 'Pro', quantity: 4 }
  for (const [method, body, status] of [
    ['PUT', pro, 204],
    ['PUT', pro, 204],
    ['DELETE', undefined, 204],
    ['DELETE', undefined, 404],
  ] as const)
    expect((await call(method, path, body)).status).toBe(status)
  const events = await eventsOf(id)
  expect(events.map(({ type, actor }) => [type, actor.kind])).toEqual([
    ['subscription.changed', 'admin'],
    ['subscription.cancelled', 'admin'],
  ])
  expect(events[1]!.data).toEqual({
    tier: 'Free',
    quantity: 1,
    oldTier: 'Pro',
    oldQuantity: 4,
    effective: { max_instances: 0 },
    oldEffective: { max_instances: 20 },
  })
})

test('an unknown customer is a 404', async () => {
  const path = `/admin/customer/${randomUUID()}/subscription`
  for (const response of [await call('PUT', path, { tier: 'Pro', quantity: 1 }), await call('DELETE', path)]) {
    expect(response.status).toBe(404)
    expect((await errorOf(response)).code).toBe('not_found')
  }
})

const refusals: [body: unknown, param: string][] = [
  [{ tier: 'Gold', quantity: 1 }, 'tier'],
  [{ tier: 'Public', quantity: 1 }, 'tier'],
  [{ tier: 'pro', quantity: 1 }, 'tier'],
  [{ tier: 'Pro' }, 'quantity'],
  [{ tier: 'Pro', quantity: 0 }, 'quantity'],
  [{ tier: 'Pro', quantity: 1.5 }, 'quantity'],
  [{ tier: 'Pro', quantity: 1001 }, 'quantity'],
  [{ tier: 'Pro', quantity: 1, status: 'active' }, 'status'],
]
for (const [body, param] of refusals)
  test(`a subscription of ${JSON.stringify(body)} is a 400 that names ${param}`, async () => {
    const { id } = await customerIn(database.db)
    for (const [method, path] of [
      ['PUT', `/admin/customer/${id}/subscription`],
      ['POST', '/stripe/upgrade'],
    ] as const) {
      const response = await call(method, path, body)
      expect(response.status).toBe(400)
      expect((await errorOf(response)).param).toBe(param)
    }
  })

test('the administration names the tier that it sets', async () => {
  const { id } = await customerIn(database.db)
  const response = await call('PUT', `/admin/customer/${id}/subscription`, { quantity: 1 })
  expect([response.status, (await errorOf(response)).param]).toEqual([400, 'tier'])
})

test('the free tier is not for sale', async () => {
  const { headers } = await owned()
  const response = await call('POST', '/stripe/upgrade', { tier: 'Free', quantity: 1 }, headers)
  expect([response.status, (await errorOf(response)).param]).toEqual([400, 'tier'])
})

const hook = (payload: string, signature?: string, api = stripe) =>
  fetch(`${api.url}${BILLING}/stripe/webhook`, {
    method: 'POST',
    headers: signature === undefined ? {} : { 'stripe-signature': signature },
    body: payload,
  })

test('a signed event of the provider changes the subscription, once', async () => {
  const { id } = await customerIn(database.db)
  const about = { customerId: id, providerCustomer: `cus_${id}`, subscription: `sub_${id}`, now: NOW }
  const payload = stripeEvent({ ...about, quantity: 3 })
  const signature = stripeSignature(payload, SECRET, NOW)
  for (let i = 0; i < 2; i++) {
    const response = await hook(payload, signature)
    expect([response.status, await response.json()]).toEqual([200, { received: true }])
  }
  const end = stripeEvent({ ...about, type: 'customer.subscription.deleted' })
  expect((await hook(end, stripeSignature(end, SECRET, NOW))).status).toBe(200)
  expect(await eventsOf(id)).toMatchObject([
    { type: 'subscription.changed', actor: { userID: null, kind: 'provider' }, data: { tier: 'Pro', quantity: 3 } },
    { type: 'subscription.cancelled', actor: { userID: null, kind: 'provider' } },
  ])
})

test('a body that was changed on the way, an old one and an unsigned one are 400 and change nothing', async () => {
  const { id } = await customerIn(database.db)
  const payload = stripeEvent({ customerId: id, now: NOW })
  const signature = stripeSignature(payload, SECRET, NOW)
  const responses = [
    await hook(payload.replace('"quantity":1', '"quantity":9'), signature),
    await hook(payload, stripeSignature(payload, SECRET, NOW - 301_000)),
    await hook(payload),
  ]
  for (const response of responses) {
    expect(response.status).toBe(400)
    expect((await errorOf(response)).message).toMatch(/^stripe-signature: /)
  }
  expect(await eventsOf(id)).toEqual([])
})

test('an event about a customer that is gone is taken, so that it is not sent for days', async () => {
  const payload = stripeEvent({ customerId: randomUUID(), now: NOW })
  expect((await hook(payload, stripeSignature(payload, SECRET, NOW))).status).toBe(200)
})

test('a webhook of more than 1 MiB is a 413', async () => {
  expect((await hook('x'.repeat(1024 * 1024 + 1), 't=1,v1=00')).status).toBe(413)
})

test('without a provider there is no webhook', async () => {
  expect((await hook('{}', 't=1,v1=00', local)).status).toBe(404)
})

test('a cancellation by an administrator ends the subscription at the provider first', async () => {
  const { id } = await customerIn(database.db)
  const payload = stripeEvent({ customerId: id, providerCustomer: `c_${id}`, subscription: `s_${id}`, now: NOW })
  await hook(payload, stripeSignature(payload, SECRET, NOW))
  expect((await call('DELETE', `/admin/customer/${id}/subscription`, undefined, asAdmin, stripe)).status).toBe(204)
  expect(ended).toEqual([`s_${id}`])
})
