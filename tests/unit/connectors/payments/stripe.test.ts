import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NoticeRefused, type Payments } from '../../../../connectors/payments/port.ts'
import { stripePayments } from '../../../../connectors/payments/stripe.ts'
import { stripeEvent, stripeSignature } from '../../../builders/accounts/stripe.ts'

const SECRET = 'whsec_test'
const NOW = 1_800_000_000_000
const CUSTOMER = '0191f2aa-0000-7000-8000-000000000001'

/** What Stripe would be asked, and what it answers: by method and path. */
let requests: { call: string; form: Record<string, string>; key: string | undefined }[] = []
let answers: Record<string, { status?: number; body: unknown }> = {}
let server: Server
let payments: Payments

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { pathname, searchParams } = new URL(request.url!, 'http://stripe')
    const form = Object.fromEntries([...searchParams, ...new URLSearchParams(text)])
    const call = `${request.method} ${pathname}`
    requests.push({ call, form, key: request.headers['idempotency-key'] as string | undefined })
    const { status = 200, body } = answers[call] ?? { status: 400, body: { error: { message: `unexpected ${call}` } } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  payments = stripePayments({
    secretKey: 'sk_test_offline',
    webhookSecret: SECRET,
    returnUrl: 'https://harrier.example/',
    server: { protocol: 'http', host: '127.0.0.1', port },
  })
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  requests = []
  answers = {}
})

const payer = {
  id: CUSTOMER,
  name: 'Acme',
  email: 'a@example.com',
  providerCustomer: 'cus_1',
  subscription: null,
  tier: 'Free',
  quantity: 1,
}

test('a customer is registered under its own id, so that asking twice makes one', async () => {
  answers['POST /v1/customers'] = { body: { id: 'cus_1' } }
  expect(await payments.register(payer)).toBe('cus_1')
  const form = { name: 'Acme', email: 'a@example.com', 'metadata[harrier_customer_id]': CUSTOMER }
  expect(requests).toEqual([{ call: 'POST /v1/customers', form, key: `harrier-customer-${CUSTOMER}` }])
})

test('the account of a customer is removed; one that is gone is no error, any other refusal is', async () => {
  answers['DELETE /v1/customers/cus_1'] = { body: { id: 'cus_1', deleted: true } }
  await payments.remove('cus_1')
  expect(requests.map(({ call }) => call)).toEqual(['DELETE /v1/customers/cus_1'])
  answers['DELETE /v1/customers/cus_1'] = { status: 404, body: { error: { message: 'No such customer' } } }
  await payments.remove('cus_1')
  answers['DELETE /v1/customers/cus_1'] = { status: 400, body: { error: { message: 'not now' } } }
  await expect(payments.remove('cus_1')).rejects.toThrow('not now')
})

test('a checkout is for the price of the tier and carries the customer to the webhook', async () => {
  answers['GET /v1/prices'] = { body: { data: [{ id: 'price_pro' }] } }
  answers['POST /v1/checkout/sessions'] = { body: { id: 'cs_1', url: 'https://checkout.example/cs_1' } }
  const checkout = await payments.checkout(payer, { tier: 'Pro', quantity: 3 }, null)
  expect(checkout).toEqual({ url: 'https://checkout.example/cs_1', paid: false })
  expect(requests[0]!.form).toMatchObject({ 'lookup_keys[0]': 'harrier_pro', active: 'true' })
  expect(requests[1]!.form).toEqual({
    mode: 'subscription',
    customer: 'cus_1',
    client_reference_id: CUSTOMER,
    'line_items[0][price]': 'price_pro',
    'line_items[0][quantity]': '3',
    'subscription_data[metadata][harrier_customer_id]': CUSTOMER,
    success_url: 'https://harrier.example/',
    cancel_url: 'https://harrier.example/',
  })
})

test('a checkout comes back to where the owner said', async () => {
  answers['GET /v1/prices'] = { body: { data: [{ id: 'price_pro' }] } }
  answers['POST /v1/checkout/sessions'] = { body: { id: 'cs_1', url: 'https://checkout.example/cs_1' } }
  const back = { success: 'https://app.example/paid', cancel: 'https://app.example/prices' }
  await payments.checkout(payer, { tier: 'Pro', quantity: 1 }, back)
  expect(requests[1]!.form).toMatchObject({ success_url: back.success, cancel_url: back.cancel })
})

test('a tier without a price is an error that names the missing lookup key', async () => {
  answers['GET /v1/prices'] = { body: { data: [] } }
  await expect(payments.checkout(payer, { tier: 'Enterprise', quantity: 1 }, null)).rejects.toThrow(
    'harrier_enterprise',
  )
})

test('with a running subscription, an upgrade goes to the portal instead of to a second subscription', async () => {
  answers['POST /v1/billing_portal/sessions'] = { body: { url: 'https://portal.example/1' } }
  const checkout = await payments.checkout({ ...payer, subscription: 'sub_1' }, { tier: 'Pro', quantity: 1 }, null)
  expect(checkout).toEqual({ url: 'https://portal.example/1', paid: false })
  expect(requests).toHaveLength(1)
  expect(requests[0]!.form).toMatchObject({ 'flow_data[subscription_update][subscription]': 'sub_1' })
})

test('the portal is that of the customer', async () => {
  answers['POST /v1/billing_portal/sessions'] = { body: { url: 'https://portal.example/2' } }
  expect(await payments.portal('cus_7')).toBe('https://portal.example/2')
  expect(requests[0]!.form).toEqual({ customer: 'cus_7', return_url: 'https://harrier.example/' })
})

test('ending a subscription that is gone is no error, and any other refusal is one', async () => {
  answers['DELETE /v1/subscriptions/sub_1'] = { status: 404, body: { error: { message: 'No such subscription' } } }
  await payments.end('sub_1')
  answers['DELETE /v1/subscriptions/sub_1'] = { status: 403, body: { error: { message: 'not allowed' } } }
  await expect(payments.end('sub_1')).rejects.toThrow('not allowed')
  expect(requests).toHaveLength(2)
})

const read = (payload: string, signature: string, now = NOW) => payments.notices!(Buffer.from(payload), signature, now)
const signed = (payload: string, at = NOW, secret = SECRET) => stripeSignature(payload, secret, at)
const event = (given: Parameters<typeof stripeEvent>[0] = {}) =>
  stripeEvent({ customerId: CUSTOMER, now: NOW, ...given })

test('a subscription that runs is a notice of its tier and quantity', () => {
  const payload = event({ id: 'evt_1', quantity: 4, lookupKey: 'harrier_enterprise' })
  expect(read(payload, signed(payload))).toEqual({
    id: 'evt_1',
    time: NOW,
    customerId: CUSTOMER,
    providerCustomer: 'cus_1',
    subscription: 'sub_1',
    order: { tier: 'Enterprise', quantity: 4 },
  })
})

const states: [name: string, given: Parameters<typeof stripeEvent>[0], order: unknown][] = [
  ['on trial runs', { status: 'trialing' }, { tier: 'Pro', quantity: 1 }],
  ['whose payment is late stays as it is', { status: 'past_due' }, 'nothing'],
  ['whose first payment is under way is nothing yet', { status: 'incomplete' }, 'nothing'],
  ['that was never paid is over', { status: 'incomplete_expired' }, null],
  ['that is no longer paid is over', { status: 'unpaid' }, null],
  ['that was deleted is over', { type: 'customer.subscription.deleted', status: 'canceled' }, null],
  ['of nobody of ours is nothing', { customerId: 'somebody' }, 'nothing'],
]
for (const [name, given, order] of states)
  test(`a subscription ${name}`, () => {
    const payload = event(given)
    const notice = read(payload, signed(payload))
    if (order === 'nothing') expect(notice).toBeNull()
    else expect(notice?.order).toEqual(order)
  })

test('an event about something else is nothing', () => {
  const payload = event({ type: 'invoice.paid' })
  expect(read(payload, signed(payload))).toBeNull()
})

test('a signature counts for 300 seconds and not for longer', () => {
  const payload = event()
  const signature = signed(payload)
  expect(read(payload, signature, NOW + 300_000)).not.toBeNull()
  expect(() => read(payload, signature, NOW + 301_000)).toThrow(NoticeRefused)
})

const refused: [name: string, payload: string, signature: (payload: string) => string][] = [
  ['made with another secret', event(), (payload) => signed(payload, NOW, 'whsec_other')],
  ['of another body', event(), () => signed(event({ quantity: 900 }))],
  ['without a timestamp', event(), (payload) => signed(payload).replace(/t=\d+,/, '')],
  ['that is none', event(), () => 'yes'],
  ['over a body that is no JSON', 'not json', signed],
  ['over a price that is not a tier', event({ lookupKey: 'something_else' }), signed],
  ['over a quantity out of range', event({ quantity: 1001 }), signed],
]
for (const [name, payload, signature] of refused)
  test(`a signature ${name} is refused`, () => {
    expect(() => read(payload, signature(payload))).toThrow(NoticeRefused)
  })

test('the signatures of these tests are the ones of the library', () => {
  const payload = event()
  const header = signed(payload)
  expect(Stripe.webhooks.signature!.verifyHeader(payload, header, SECRET, 300, undefined, NOW)).toBe(true)
})
