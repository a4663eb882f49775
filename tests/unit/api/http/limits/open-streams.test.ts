import { expect, test } from 'vitest'
import { allowances } from '../../../../../api/http/limits/allowance.ts'
import { takeStreamPlace } from '../../../../../api/http/limits/open-streams.ts'
import { BUILT_IN_ADMINISTRATOR } from '../../../../../api/http/middleware/identity.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'
import type { Subject } from '../../../../../connectors/postgres/accounts/plan/port.ts'
import type { Identity } from '../../../../../schemas/accounts/accounts.ts'
import { layOver } from '../../../../../schemas/accounts/tiers/overlay.ts'
import { BUILT_IN_TIERS } from '../../../../../schemas/accounts/tiers/tiers.ts'

const ADA: Identity = {
  ...BUILT_IN_ADMINISTRATOR,
  userId: 'ada',
  builtIn: false,
  by: { kind: 'session', id: 's' },
}
const MEMBER: Identity = { ...ADA, customerId: 'acme', chargedCustomerId: 'acme' }
/** A key of it that was narrowed without the group of the customer. */
const NARROWED: Identity = { ...MEMBER, customerId: null }

/** Callers whose customers are on `tier`, over tiers that allow Pro `value` streams. */
function given(tier: string, value = 10, away = false) {
  const limits = { 'live-api': { live_streams: { value } } }
  const tiers = layOver(BUILT_IN_TIERS, { tiers: { Pro: { limits } } })
  const subscription = async () => ({ tier, quantity: 3 })
  const taken: [Subject, number][] = []
  const metrics = prometheusMetrics({ process: false })
  const place = { lost: new AbortController().signal, giveBack: async () => undefined }
  const ports = {
    streams: {
      async take(subject: Subject, most: number) {
        if (away) throw new Error('the store is away')
        taken.push([subject, most])
        return taken.length <= most ? place : null
      },
    },
    allowances: allowances({ tiers, subscriptions: { of: subscription, recent: subscription } }),
    metrics: metrics.instruments,
  }
  return { taken, metrics, place, take: (user: Identity | null) => takeStreamPlace(ports, user, '2001:DB8::0001') }
}

test('a member takes a place of its customer with any key, another user one of its own, anybody else one of the address', async () => {
  const { taken, take } = given('Enterprise')
  for (const user of [MEMBER, NARROWED, ADA, null]) await take(user).catch(() => undefined)
  expect(taken).toEqual([
    [{ type: 'customer', id: 'acme' }, 100],
    [{ type: 'customer', id: 'acme' }, 100],
    [{ type: 'user', id: 'ada' }, 1],
    [{ type: 'ip', id: '2001:db8::/64' }, 1],
  ])
})

test('one stream more than the tier allows is refused with 429, and counted', async () => {
  const { take, place, metrics } = given('Free')
  expect([await take(MEMBER), await take(MEMBER)]).toEqual([place, place])
  await expect(take(MEMBER)).rejects.toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 10 })
  expect(await metrics.text()).toMatch(/harrier_rate_limited_total\{service="live-api",feature="live_streams"\} 1/)
})

test('a tier that allows none disables streams, without a question to the store', async () => {
  const { take, taken } = given('Pro', 0)
  await expect(take(MEMBER)).rejects.toMatchObject({ status: 429, code: 'feature_disabled', retryAfter: undefined })
  expect(taken).toEqual([])
})

test('who has no limit takes no place', async () => {
  const { take, taken } = given('Pro', -1)
  expect([await take(MEMBER), await take(BUILT_IN_ADMINISTRATOR)]).toEqual([null, null])
  expect(taken).toEqual([])
})

test('while the store cannot say how many are open, no stream begins', async () => {
  await expect(given('Pro', 10, true).take(MEMBER)).rejects.toThrow('the store is away')
})
