/** Enforcement over real HTTP and a real database: who is counted, what is consumed, what every answer says. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { apiRoutes } from '../../../../../api/app.ts'
import { kyselyCounters } from '../../../../../connectors/postgres/accounts/plan/limit-counters.ts'
import { limitLeases } from '../../../../../connectors/postgres/accounts/plan/limit-leases.ts'
import { kyselySubscriptions } from '../../../../../connectors/postgres/accounts/plan/subscriptions.ts'
import { kyselyTeam } from '../../../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../../../connectors/postgres/accounts/users/account-store.ts'
import type { Accounts } from '../../../../../connectors/postgres/accounts/users/port.ts'
import type { AccountsDatabase } from '../../../../../connectors/postgres/core/database.ts'
import { layOver } from '../../../../../schemas/accounts/tiers/overlay.ts'
import { BUILT_IN_TIERS, entryOf } from '../../../../../schemas/accounts/tiers/tiers.ts'
import { memoryDatabase } from '../../../../builders/accounts/database/memory-database.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { newCustomer } from '../../../../builders/accounts/team.ts'
import { apiConfig, apiPorts, asAdmin, errorOf, type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { append } from '../../../../builders/lifecycle/events.ts'

/** 13 s into a minute. */
const AT = Date.UTC(2026, 10, 20, 12, 0, 13)

const few = (value: number) => ({
  limits: {
    'analytics-api': { overview_per_minute: { value }, recent_per_minute: { value: 0 } },
    'search-api': { history_search_per_minute: { value } },
    'ingest-api': { entity_per_minute: { value } },
  },
})
const tiers = layOver(BUILT_IN_TIERS, {
  tiers: { Public: few(3), Free: few(5), Pro: { limits: { 'analytics-api': { overview_per_minute: { value: -1 } } } } },
})

let database: AccountsDatabase
let accounts: Accounts
let api: RunningApi
let now = AT
let client = 0
/** Anonymous callers of one test are not those of another. */
let from: Record<string, string>

beforeAll(async () => {
  database = await memoryDatabase()
  accounts = kyselyAccounts(database.db, append)
  const limits = limitLeases(kyselyCounters(database.db), () => now)
  const subscriptions = kyselySubscriptions(database.db)
  api = await startApi({ accounts, limits, subscriptions, now: () => now }, { tiers, trustedProxies: 1 })
})
afterAll(async () => {
  await api?.close()
  await database?.close()
})
beforeEach(() => {
  now = AT
  from = { 'x-forwarded-for': `192.0.2.${++client}` }
})

const overview = (headers: Record<string, string> = from, query = '') =>
  fetch(`${api.url}/api/analytics/v1/overview${query}`, { headers })

const post = (path: string, body: unknown, headers: Record<string, string> = from) =>
  fetch(api.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const limitHeaders = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`ratelimit-${name}`)
    return value === null ? null : Number(value)
  })

async function statuses(count: number, ask: () => Promise<Response>): Promise<number[]> {
  const answers: number[] = []
  for (let i = 0; i < count; i++) answers.push((await ask()).status)
  return answers
}

async function customer(tier = 'Free') {
  const owner = await person(accounts, { roles: ['user', 'reporter'] })
  const id = randomUUID()
  await kyselyTeam(database.db).createCustomer(newCustomer(owner.id, { id }))
  await database.db.updateTable('customers').set({ tier }).where('id', '=', id).execute()
  return { ...owner, id }
}

async function member(customerId: string) {
  const user = await person(accounts)
  const row = { id: randomUUID(), customer_id: customerId, user_id: user.id, role: 'user', accepted_at: new Date() }
  await database.db.insertInto('memberships').values(row).execute()
  return user
}

test('every limit that a route declares is one of the tiers file', () => {
  const limited = apiRoutes(apiPorts(), apiConfig).flatMap(({ limit }) => (limit === null ? [] : [limit]))
  expect(limited.length).toBeGreaterThanOrEqual(7)
  for (const { service, features } of limited)
    for (const key of features)
      expect(entryOf(BUILT_IN_TIERS.Public!.limits, service, key), `${service} ${key}`).toBeDefined()
})

test('every answer tells where the window stands, and the one beyond the limit is a 429', async () => {
  const answers: (number | null)[][] = []
  for (let i = 0; i < 3; i++) answers.push(limitHeaders(await overview()))
  expect(answers).toEqual([
    [3, 2, 47],
    [3, 1, 47],
    [3, 0, 47],
  ])
  const refused = await overview()
  expect(refused.status).toBe(429)
  expect(limitHeaders(refused)).toEqual([3, 0, 47])
  expect(refused.headers.get('retry-after')).toBe('47')
  expect(refused.headers.get('x-error')).toBe('rate limit exceeded')
  expect(await errorOf(refused)).toMatchObject({ code: 'rate_limited', message: 'rate limit exceeded' })
  now = AT + 47_000
  expect(limitHeaders(await overview())).toEqual([3, 2, 60])
})

test('a disabled feature is a 429 that says so', async () => {
  const refused = await fetch(`${api.url}/api/analytics/v1/recent`, { headers: from })
  expect(refused.status).toBe(429)
  expect(limitHeaders(refused)).toEqual([0, 0, 47])
  expect(refused.headers.get('retry-after')).toBe('47')
  expect(await errorOf(refused)).toMatchObject({ code: 'feature_disabled', message: 'rate limit exceeded' })
})

test('anonymous callers are counted by address, and the analytics do not share a pool', async () => {
  expect(await statuses(4, overview)).toEqual([200, 200, 200, 429])
  expect((await overview({ 'x-forwarded-for': '198.51.100.7' })).status).toBe(200)
  expect((await fetch(`${api.url}/api/analytics/v1/attribution`, { headers: from })).status).toBe(200)
})

test('a /64 of IPv6 is one caller, whichever of its addresses it uses and however it is written', async () => {
  const spelt = ['2001:db8::a', '2001:DB8::A', '2001:db8:0:0:ffff::1', '2001:0db8::000b']
  const answers = await Promise.all(spelt.map((address) => overview({ 'x-forwarded-for': address })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  expect((await overview({ 'x-forwarded-for': '2001:db8:0:1::a' })).status).toBe(200)
})

test('members share what their customer has, whatever address they come from', async () => {
  const acme = await customer()
  const second = await member(acme.id)
  expect(await statuses(3, () => overview({ ...acme.headers, ...from }))).toEqual([200, 200, 200])
  expect(await statuses(3, () => overview(second.headers))).toEqual([200, 200, 429])
  const other = await customer()
  expect(limitHeaders(await overview(other.headers))).toEqual([5, 4, 47])
})

test('a user without a customer has the public values, for itself', async () => {
  const [one, two] = [await person(accounts), await person(accounts)]
  expect(await statuses(4, () => overview({ ...one.headers, ...from }))).toEqual([200, 200, 200, 429])
  expect((await overview({ ...two.headers, ...from })).status).toBe(200)
})

test('unlimited answers and those to the built-in administrator carry no limit', async () => {
  const pro = await customer('Pro')
  for (const headers of [pro.headers, asAdmin]) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => overview(headers)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.map(limitHeaders)).toEqual(Array(8).fill([null, null, null]))
  }
})

test('a change of tier counts at once, from what was used', async () => {
  const acme = await customer()
  const tier = (name: string) => database.db.updateTable('customers').set({ tier: name }).where('id', '=', acme.id)
  expect(await statuses(6, () => overview(acme.headers))).toEqual([200, 200, 200, 200, 200, 429])
  await tier('Pro').execute()
  expect((await overview(acme.headers)).status).toBe(200)
  await tier('Free').execute()
  expect((await overview(acme.headers)).status).toBe(429)
})

test('what validation or authorisation refuses consumes nothing, in the handler neither', async () => {
  expect((await overview(from, '?days=0')).status).toBe(400)
  expect((await overview({ ...from, 'api-key': 'wrong-key', 'api-secret': 'wrong' })).status).toBe(401)
  expect(limitHeaders(await overview())).toEqual([3, 2, 47])

  const search = '/api/search/v1/entities/history/simple'
  for (let i = 0; i < 5; i++) {
    const refused = await post(`${search}?sort=nothing`, { query: 'x' })
    expect([refused.status, limitHeaders(refused)]).toEqual([400, [3, 3, 47]])
  }
  const reporter = await customer()
  const foreign = { type: 'ip', attributes: { ip: '8.8.8.8' }, visibleBy: ['red'] }
  const refused = await post('/api/ingest/v1/entity', foreign, reporter.headers)
  expect([refused.status, limitHeaders(refused)]).toEqual([403, [5, 5, 47]])

  const unspoken = await fetch(`${api.url}/taxii2/`, { headers: { ...from, accept: 'text/html' } })
  expect([unspoken.status, limitHeaders(unspoken)]).toEqual([406, [1200, 1200, 47]])
})

test('a search that finds nothing consumes', async () => {
  const search = () => post('/api/search/v1/entities/history/simple', { query: 'x' })
  expect(limitHeaders(await search())).toEqual([3, 2, 47])
  expect(await statuses(3, search)).toEqual([404, 404, 429])
})

test('many at once: exactly the limit is admitted', async () => {
  const acme = await customer()
  const answers = await Promise.all(Array.from({ length: 40 }, () => overview(acme.headers)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(35)
})

test('without a count nobody is admitted, and the cause is not told', async () => {
  const limits = { take: () => Promise.reject(new Error('limit_windows')), giveBack() {}, usage: async () => [] }
  const broken = await startApi({ limits })
  const answer = await fetch(`${broken.url}/api/analytics/v1/overview`)
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('limit_windows')
  await broken.close()
})
