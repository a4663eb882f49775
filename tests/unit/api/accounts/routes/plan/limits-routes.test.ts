/** What a tier allows and what has been taken, as the routes of billing tell it (specification 4.5, 4.6). */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Limits, Quotas } from '../../../../../../connectors/postgres/accounts/plan/port.ts'
import type { Accounts, Credential } from '../../../../../../connectors/postgres/accounts/users/port.ts'
import type { Live } from '../../../../../../connectors/postgres/live/port.ts'
import { secretHash } from '../../../../../../schemas/accounts/credentials.ts'
import { BUILT_IN_TIERS } from '../../../../../../schemas/accounts/tiers/tiers.ts'
import { asAdmin, errorOf, noAccounts, type RunningApi, startApi } from '../../../../../builders/api/api.ts'
import { noLimits, noLive, noQuotas } from '../../../../../builders/api/ports.ts'

const AT = Date.UTC(2026, 10, 20, 12, 0, 13)
const CUSTOMER = '0192a000-0000-7000-8000-000000000001'
const USER = '0192a000-0000-7000-8000-000000000002'

const credential = (customerId: string | null): Credential => ({
  secretHash: secretHash('secret'),
  previous: null,
  expiresAt: null,
  verified: true,
  identity: {
    userId: USER,
    roles: [],
    ownGroups: [],
    groups: ['public'],
    customerId,
    chargedCustomerId: customerId,
    disabled: false,
    builtIn: false,
    bounds: null,
    by: null,
  },
})
const accounts: Accounts = {
  ...noAccounts,
  keyPairCredential: async (key) => credential(key === 'member' ? CUSTOMER : null),
}
const member = { 'api-key': 'member', 'api-secret': 'secret' }
const loner = { 'api-key': 'loner', 'api-secret': 'secret' }

const subscription = async () => ({ tier: 'Pro', quantity: 3 })
const limits: Limits = {
  ...noLimits,
  usage: async ({ type }) => [
    {
      service: 'search-api',
      featureKey: 'history_search_per_minute',
      window: 'minute',
      start: AT - 13_000,
      used: type === 'ip' ? 3_000 : 7,
    },
  ],
}
/** Streams that are open, by subject; whom the limit does not bind is not counted. */
const live: Live = {
  ...noLive,
  streams: {
    ...noLive.streams,
    open: async ({ type, id }, now) => {
      expect(now).toBe(AT)
      return { [CUSTOMER]: 4, [USER]: 0 }[id] ?? (type === 'ip' ? 1 : 99)
    },
  },
}
const quotas: Quotas = {
  ...noQuotas,
  usage: async () => [{ service: 'compute-api', featureKey: 'max_instances', used: 4 }],
}

let api: RunningApi
beforeAll(async () => {
  const subscriptions = { of: subscription, recent: subscription }
  api = await startApi({ accounts, limits, live, quotas, subscriptions, now: () => AT })
})
afterAll(() => api.close())

const ask = (path: string, headers: Record<string, string> = member) =>
  fetch(`${api.url}/api/billing/v1/${path}`, { headers })
// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
const answerOf = async (path: string, headers?: Record<string, string>): Promise<any> => {
  const response = await ask(path, headers)
  expect(response.status, path).toBe(200)
  return response.json()
}

const PRO = BUILT_IN_TIERS.Pro!
const PUBLIC = BUILT_IN_TIERS.Public!
const owner = { customerId: CUSTOMER, tierName: 'Pro' }

test('limits are told whole, by service and by feature', async () => {
  expect(await answerOf('limits')).toEqual({ ...owner, limits: PRO.limits })
  const serviceName = 'analytics-api'
  expect(await answerOf(`limits/${serviceName}`)).toEqual({ ...owner, serviceName, limits: PRO.limits[serviceName] })
  const featureKey = 'recent_per_minute'
  expect(await answerOf(`limits/${serviceName}/${featureKey}`)).toEqual({
    ...owner,
    serviceName,
    featureKey,
    ...PRO.limits[serviceName]![featureKey],
  })
})

test('anybody reads the limits of an address: `ip` is no service', async () => {
  const { ipLimits } = await answerOf('limits/ip', {})
  expect(Object.keys(ipLimits)).toEqual(Object.keys(PUBLIC.limits))
  const ofSearch = { serviceName: 'search-api', tierName: 'Public', limits: PUBLIC.limits['search-api'] }
  expect(ipLimits['search-api']).toEqual(ofSearch)
  expect(await answerOf('limits/ip/search-api', {})).toEqual(ofSearch)
  expect(await answerOf('limits/ip/search-api', { 'api-key': 'wrong', 'api-secret': 'x' })).toEqual(ofSearch)
})

test('quotas are told as they are enforced: times the quantity for compute alone', async () => {
  const instances = { ...PRO.quotas['compute-api']!.max_instances!, value: 15 }
  const casework = PRO.quotas['casework-api']
  expect(await answerOf('quotas')).toEqual({
    ...owner,
    quotas: {
      'casework-api': casework,
      'compute-api': { max_instances: instances },
      'feeds-api': PRO.quotas['feeds-api'],
    },
  })
  const serviceName = 'casework-api'
  expect(await answerOf(`quotas/${serviceName}`)).toEqual({ ...owner, serviceName, quotas: casework })
  expect(await answerOf('quotas/compute-api/max_instances')).toEqual({
    ...owner,
    serviceName: 'compute-api',
    featureKey: 'max_instances',
    ...instances,
  })
})

test('quota usage stands beside the limit', async () => {
  const used = await answerOf('quotas/usage')
  expect(used).toMatchObject({ customerId: CUSTOMER, totalFeatures: 7, fetchedAt: 0 })
  expect(used.services['compute-api']).toEqual({
    serviceName: 'compute-api',
    features: [
      {
        featureKey: 'max_instances',
        currentUsage: 4,
        limit: 15,
        remaining: 11,
        description: PRO.quotas['compute-api']!.max_instances!.description,
      },
    ],
  })
})

test('consumption tells identifier, use, rest and the end of the window', async () => {
  const used = await answerOf('limits/usage')
  const total = Object.values(PRO.limits).reduce((sum, features) => sum + Object.keys(features).length, 0)
  const { services, ...rest } = used
  expect(rest).toEqual({
    identifier: CUSTOMER,
    identifierType: 'customer',
    totalFeatures: total,
    fetchedAt: Math.floor(AT / 1000),
  })
  const of = (service: string, key: string) =>
    services[service].features.find((feature: { featureKey: string }) => feature.featureKey === key)
  const { value, description } = PRO.limits['search-api']!.history_search_per_minute!
  expect(of('search-api', 'history_search_per_minute')).toEqual({
    featureKey: 'history_search_per_minute',
    currentUsage: 7,
    limit: value,
    remaining: value - 7,
    window: 'minute',
    resetAt: Date.parse('2026-11-20T12:01:00Z') / 1000,
    isLocked: false,
    description,
  })
  expect(of('pentest-api', 'pentests_per_day')).toMatchObject({ limit: -1, remaining: -1, isLocked: false })
  expect(of('ai-api', 'embeddings_per_week')).toMatchObject({ resetAt: Date.parse('2026-11-23T00:00:00Z') / 1000 })
})

test('streams that are open now stand beside how many may be open at once', async () => {
  const open = async (path: string, headers?: Record<string, string>) =>
    (await answerOf(path, headers)).services['live-api'].features
  const { description } = PRO.limits['live-api']!.live_streams!
  const shown = {
    featureKey: 'live_streams',
    currentUsage: 4,
    limit: 10,
    remaining: 6,
    window: 'open',
    resetAt: AT / 1000 + 1,
    isLocked: false,
    description,
  }
  expect(await open('limits/usage')).toEqual([shown])
  expect(await open('limits/usage/ip', {})).toEqual([
    { ...shown, currentUsage: 1, limit: 1, remaining: 0, isLocked: true },
  ])
  expect(await open('limits/usage', loner)).toMatchObject([{ currentUsage: 0, limit: 1, remaining: 1 }])
  expect(await open('limits/usage', asAdmin)).toMatchObject([{ currentUsage: 0, limit: -1, remaining: -1 }])
  const entry = { value: 10, window: 'open', description }
  const featureKey = 'live_streams'
  const serviceName = 'live-api'
  expect(await answerOf('limits/live-api/live_streams')).toEqual({ ...owner, serviceName, featureKey, ...entry })
  expect((await answerOf('limits/ip/live-api', {})).limits).toEqual({ live_streams: { ...entry, value: 1 } })
})

test('consumption of an address and of a user without a customer is against the public values', async () => {
  const byAddress = await answerOf('limits/usage/ip', {})
  expect(byAddress).toMatchObject({ identifier: '127.0.0.1', identifierType: 'ip' })
  const [full] = byAddress.services['search-api'].features.filter((f: { currentUsage: number }) => f.currentUsage > 0)
  expect(full).toMatchObject({ currentUsage: 3_000, limit: 3_000, remaining: 0, isLocked: true })
  expect(byAddress.services['ai-api'].features[0]).toMatchObject({ limit: 0, remaining: 0, isLocked: true })
  expect(await answerOf('limits/usage', loner)).toMatchObject({ identifier: USER, identifierType: 'user' })
  const administrator = await answerOf('limits/usage', asAdmin)
  expect(administrator.services['search-api'].features[0]).toMatchObject({ limit: -1, remaining: -1, isLocked: false })
})

const unknown = [
  'limits/none',
  'limits/constructor',
  'limits/search-api/none',
  'limits/none/none',
  'limits/search-api/toString',
  'limits/ip/none',
  'quotas/none',
  'quotas/compute-api/none',
  'quotas/search-api',
]
for (const path of unknown)
  test(`${path} is not found`, async () => {
    const answer = await ask(path)
    expect(answer.status).toBe(404)
    expect(await errorOf(answer)).toMatchObject({
      code: 'not_found',
      param: expect.stringMatching(/serviceName|feature/),
    })
  })

const malformed = [
  'limits/',
  'limits//overview_per_minute',
  'limits/analytics-api/',
  'limits/ip/',
  'limits/%20',
  'limits/a%2Fb',
  `limits/${'a'.repeat(129)}`,
  'limits/search-api/%C3%A9',
  'limits?x=1',
  'quotas/',
  'quotas/compute-api/',
  'quotas/%00',
]
for (const path of malformed)
  test(`${path.slice(0, 40)} is a bad request`, async () => {
    const answer = await ask(path)
    expect(answer.status).toBe(400)
    await errorOf(answer)
  })

for (const path of [
  'limits',
  'limits/search-api',
  'limits/search-api/none',
  'quotas',
  'quotas/compute-api',
  'quotas/usage',
])
  test(`${path} needs a membership`, async () => {
    expect((await ask(path, {})).status).toBe(401)
    expect((await ask(path, loner)).status).toBe(403)
    expect((await ask(path, asAdmin)).status).toBe(403)
  })
