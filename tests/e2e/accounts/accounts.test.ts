import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metricsOf } from '../../builders/platform/metrics.ts'
import {
  ADMINISTRATOR,
  type Answered,
  eventually,
  type Platform,
  remove,
  startPlatform,
  temporaryFolder,
} from '../../builders/platform/platform.ts'

/** The way of a newcomer on the embedded defaults, from the registration to a bill; the mail is a file. */
const folder = temporaryFolder()
const tiersFile = join(folder, 'tiers.json')
const FREE = {
  'search-api': { history_search_per_minute: { value: 1 } },
  'analytics-api': { overview_per_minute: { value: 0 } },
}
const BILLING = '/api/billing/v1'
const NOTHING_LIKE_IT = { query: 'nothing-is-called-this.example' }

let platform: Platform
let owner: Record<string, string>

beforeAll(async () => {
  writeFileSync(tiersFile, JSON.stringify({ tiers: { Free: { limits: FREE } } }))
  platform = await start()
})
afterAll(async () => {
  await platform?.stop()
  remove(folder)
})

const start = () => startPlatform(folder, { HARRIER_TIERS_FILE: tiersFile })

async function put(path: string, body: unknown, as: Record<string, string>): Promise<number> {
  const headers = { 'content-type': 'application/json', ...as }
  return (await fetch(platform.url + path, { method: 'PUT', headers, body: JSON.stringify(body) })).status
}

function mailedCode(email: string): string {
  const mails = readdirSync(join(folder, 'outbox')).sort()
  const text = mails
    .map((name) => readFileSync(join(folder, 'outbox', name), 'utf8'))
    .findLast((mail) => mail.includes(email) && /\b\d{6}\b/.test(mail))
  return /\b\d{6}\b(?![\s\S]*\b\d{6}\b)/.exec(text ?? '')![0]
}

/** A verified session; the bearer counts for nothing before the code. */
async function registered(email: string): Promise<Record<string, string>> {
  const { status, body } = await platform.ask('/auth/v2/user', { email, fullName: 'Ada Lovelace', alias: 'ada' }, null)
  expect(status).toBe(201)
  const as = { authorization: `Bearer ${body.bearer}` }
  expect((await platform.ask('/auth/v2/session', undefined, as)).status).toBe(401)
  const answer = { verificationCodeID: body.verificationCodeID, code: mailedCode(email) }
  expect(await put('/auth/v2/session/verification', answer, {})).toBe(200)
  return as
}

test('a newcomer registers by mail, gets a key pair, founds a customer and adds a member', async () => {
  const session = await registered('ada@example.com')
  const { body: pair } = await platform.ask('/auth/v2/keypair', { name: 'laptop', days: 90 }, session)
  owner = { 'api-key': pair.apiKey, 'api-secret': pair.apiSecret }
  const billingAddress = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
  const acme = { name: 'Acme', email: 'billing@example.com', billingAddress }
  expect((await platform.ask(`${BILLING}/customer`, acme, owner)).status).toBe(201)

  const bob = await registered('bob@example.com')
  const { userID } = (await platform.ask('/auth/v2/session', undefined, bob)).body
  expect((await platform.ask(`${BILLING}/customer/member`, { userID, role: 2 }, owner)).status).toBe(201)
  const { body: members } = await platform.ask(`${BILLING}/customer/members`, undefined, owner)
  expect(members).toMatchObject({ items: 2, members: [{ role: 'owner' }, { userID, role: 'user' }] })
})

test('the customer is limited by the tiers of the operator, and told so', async () => {
  const answers: Answered[] = []
  // Four, as a minute may end between two of them.
  for (let i = 0; i < 4; i++) {
    answers.push(await platform.ask('/api/search/v1/entities/history/simple', NOTHING_LIKE_IT, owner))
  }
  expect(answers[0]!.status).toBe(404)
  expect(answers[0]!.headers.get('ratelimit-limit')).toBe('1')
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(2)
  expect(refused[0]!.headers.get('x-error')).toBe('rate limit exceeded')
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)

  const disabled = await platform.ask('/api/analytics/v1/overview', undefined, owner)
  expect(disabled).toMatchObject({ status: 429, body: { error: { code: 'feature_disabled' } } })
  expect((await platform.ask('/api/analytics/v1/overview')).status).toBe(200)
})

test('a subscription multiplies quotas, survives a kill, and leaves none when it is cancelled', async () => {
  const { customerID } = (await platform.ask(`${BILLING}/customer`, undefined, owner)).body
  const path = `${BILLING}/admin/customer/${customerID}/subscription`
  const instances = async () =>
    (await platform.ask(`${BILLING}/quotas/compute-api/max_instances`, undefined, owner)).body.value
  const one = await instances()
  expect(await put(path, { tier: 'Free', quantity: 3 }, ADMINISTRATOR)).toBe(204)
  expect(await instances()).toBe(3 * one)

  await platform.kill()
  platform = await start()
  expect(await instances()).toBe(3 * one)
  const cancelled = await fetch(platform.url + path, { method: 'DELETE', headers: ADMINISTRATOR })
  expect(cancelled.status).toBe(204)
  expect(await instances()).toBe(0)
  const metrics = async () => metricsOf(platform.url)
  await eventually(metrics, (text) => /^harrier_outbox_pending 0$/m.test(text) && !/published_total 0$/m.test(text))
})
