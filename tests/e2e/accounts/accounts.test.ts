import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedDatabase } from '../../../connectors/postgres/core/embedded/embedded-database.ts'
import { ADDRESS } from '../../builders/accounts/team.ts'
import { newUserOf, type User } from '../../builders/accounts/users.ts'
import { type Receiver, receiver } from '../../builders/network/receiver.ts'
import { metricsOf } from '../../builders/platform/metrics.ts'
import {
  ADMINISTRATOR,
  type Answered,
  eventually,
  filled,
  type Platform,
  startPlatform,
} from '../../builders/platform/platform.ts'
import { delivery, enqueue, SECRET, verify } from '../../builders/scans/webhooks.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** The way of a newcomer on the embedded defaults, from the registration to a bill; the mail is a file. Before that a kill, and what goes on after it. */
const folder = ownFolder()
const dataDir = join(folder, 'data')
const tiersFile = join(folder, 'tiers.json')
const FREE = {
  'search-api': { history_search_per_minute: { value: 1 } },
  'analytics-api': { overview_per_minute: { value: 0 } },
}
const BILLING = '/api/billing/v1'
const INSTANCES = '/api/compute/v1/instances'
const NOTHING_LIKE_IT = { query: 'nothing-is-called-this.example' }

let platform: Platform
let owner: Record<string, string>
let target: Receiver
let given: ReturnType<typeof delivery>

beforeAll(async () => {
  writeFileSync(tiersFile, JSON.stringify({ tiers: { Free: { limits: FREE } } }))
  await filled(dataDir)
  target = await receiver((response, n) => void (n > 1 && response.end()))
  given = delivery(target.url, { createdAt: Date.now() })
  const before = await accounts()
  await enqueue(before.db, given)
  await before.close()
  // An instance is long enough in its first state to be killed there.
  platform = await start('3000')
})
afterAll(async () => {
  await platform?.stop()
  await target?.close()
})

const accounts = () => embeddedDatabase({ folder: join(dataDir, 'accounts') })
const start = (step: string) =>
  startPlatform(dataDir, {
    HARRIER_TIERS_FILE: tiersFile,
    HARRIER_COMPUTE_STEP_MS: step,
    HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true',
  })

async function put(path: string, body: unknown, as: Record<string, string>): Promise<number> {
  const headers = { 'content-type': 'application/json', ...as }
  return (await fetch(platform.url + path, { method: 'PUT', headers, body: JSON.stringify(body) })).status
}

function mailedCode(email: string): string {
  const mails = readdirSync(join(dataDir, 'outbox')).sort()
  const text = mails
    .map((name) => readFileSync(join(dataDir, 'outbox', name), 'utf8'))
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

describe('a kill', () => {
  let payer: User
  let renter: User
  let made: { id: string; status: string }
  let path: string
  let one: number
  const quota = async () =>
    (await platform.ask(`${BILLING}/quotas/compute-api/max_instances`, undefined, payer.headers)).body.value

  beforeAll(async () => {
    const customerOf = async (name: string) => {
      const user = await newUserOf(platform, { roles: ['user'], groups: ['public'] })
      const customer = { email: 'billing@example.com', name, billingAddress: ADDRESS }
      const { status, body } = await platform.ask(`${BILLING}/customer`, customer, user.headers)
      expect(status).toBe(201)
      return { user, customerID: body.customerID as string }
    }
    const paying = await customerOf('Beta')
    payer = paying.user
    renter = (await customerOf('Gamma')).user
    path = `${BILLING}/admin/customer/${paying.customerID}/subscription`
    one = await quota()
    expect(await put(path, { tier: 'Free', quantity: 3 }, ADMINISTRATOR)).toBe(204)
    expect(await quota()).toBe(3 * one)
    // The first try of the webhook is under way.
    await eventually(
      async () => target.received.length,
      (n) => n === 1,
    )
    const asked = await platform.ask(INSTANCES, { name: 'lab' }, renter.headers)
    made = asked.body
    expect([asked.status, made.status]).toEqual([202, 'PROVISIONING'])

    await platform.kill()
    // The lease of the webhook would end by itself half a minute later.
    const between = await accounts()
    await between.db
      .updateTable('delivery_queues')
      .set({ lease_until: new Date(0) })
      .execute()
    await between.close()
    platform = await start('50')
  })

  test('leaves a subscription, which multiplies quotas and leaves none when it is cancelled', async () => {
    expect(await quota()).toBe(3 * one)
    const cancelled = await fetch(platform.url + path, { method: 'DELETE', headers: ADMINISTRATOR })
    expect(cancelled.status).toBe(204)
    expect(await quota()).toBe(0)
    const metrics = async () => metricsOf(platform.url)
    await eventually(metrics, (text) => /^harrier_outbox_pending 0$/m.test(text) && !/published_total 0$/m.test(text))
  })

  test('leaves an instance that was under way: it runs after the next start, stops, and makes room', async () => {
    const as = renter.headers
    const mine = `${INSTANCES}/${made.id}`
    const until = (wanted: string) =>
      eventually(
        async () => (await platform.ask(mine, undefined, as)).body,
        ({ status: seen }) => seen === wanted,
      )
    expect(await until('RUNNING')).toEqual({ ...made, status: 'RUNNING' })
    const full = await platform.ask(INSTANCES, { name: 'second' }, as)
    expect([full.status, full.body.error.code]).toEqual([409, 'quota_exceeded'])
    expect((await platform.ask(`${mine}/stop`, {}, as)).body.status).toBe('STOPPING')
    await until('STOPPED')
    // The administrator of the configuration belongs to no customer.
    expect((await platform.ask(mine)).status).toBe(403)

    const admin = { method: 'DELETE', headers: ADMINISTRATOR }
    const end = () => fetch(`${platform.url}/api/compute/v1/admin/instances/${made.id}`, admin)
    expect((await end()).status).toBe(204)
    expect((await end()).status).toBe(404)
    expect((await platform.ask(INSTANCES, { name: 'second' }, as)).status).toBe(202)

    const note = { title: 'Phishing of March', summary: 'what the second instance is for' }
    const kept = await platform.ask('/api/casework/v1/cases', note, as)
    expect([kept.status, kept.body]).toMatchObject([201, { ...note, status: 'open' }])
    const usage = (await platform.ask(`${BILLING}/quotas/usage`, undefined, as)).body
    const used = Object.values(
      usage.services as Record<string, { features: { featureKey: string; currentUsage: number }[] }>,
    )
      .flatMap(({ features }) => features)
      .filter(({ currentUsage }) => currentUsage > 0)
    expect(used.map(({ featureKey, currentUsage }) => [featureKey, currentUsage]).sort()).toEqual([
      ['max_cases', 1],
      ['max_instances', 1],
    ])
  })
})

test('a newcomer registers by mail, gets a key pair, founds a customer and adds a member', async () => {
  const session = await registered('ada@example.com')
  const { body: pair } = await platform.ask('/auth/v2/keypair', { name: 'laptop', days: 90 }, session)
  owner = { 'api-key': pair.apiKey, 'api-secret': pair.apiSecret }
  const acme = { name: 'Acme', email: 'billing@example.com', billingAddress: ADDRESS }
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

test('a platform that is killed in the middle of a try sends the webhook again, with the same id, after the next start', async () => {
  await eventually(
    async () => target.received.length,
    (n) => n === 2,
  )
  const metrics = async () => await metricsOf(platform.url)
  await eventually(metrics, (text) => /^harrier_webhook_tries_total\{outcome="delivered"\} 1$/m.test(text))
  expect(await metrics()).toMatch(/^harrier_webhooks_waiting 0$/m)
  expect(await platform.stop()).toBe(0)

  for (const { headers, body, at } of target.received) {
    expect([headers['x-harrier-delivery'], body]).toEqual([given.id, given.body])
    expect(verify(SECRET, headers['x-harrier-signature'] as string, body, at / 1000)).toBe(true)
  }
  const after = await accounts()
  const row = await after.db.selectFrom('deliveries').select(['state', 'attempts']).executeTakeFirstOrThrow()
  expect(row).toEqual({ state: 'delivered', attempts: 2 })
  await after.close()
})
