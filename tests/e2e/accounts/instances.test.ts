/** The story of an instance on the embedded defaults: made, killed with its platform on the way, moved on, ended. */

import { afterAll, expect, test } from 'vitest'
import {
  ADMINISTRATOR,
  eventually,
  type Platform,
  remove,
  startPlatform,
  temporaryFolder,
} from '../../builders/platform/platform.ts'

const dataDir = temporaryFolder()
afterAll(() => remove(dataDir))

const PATH = '/api/compute/v1/instances'
const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }

/** A user with a customer of its own. */
async function owner({ ask }: Platform): Promise<Record<string, string>> {
  const user = await ask('/auth/v2/admin/user', { email: 'ada@example.com', roles: ['user'] })
  const pair = await ask(`/auth/v2/admin/user/${user.body.userID}/keypair`, { name: 'laptop', days: 1 })
  const as = { 'api-key': pair.body.apiKey, 'api-secret': pair.body.apiSecret }
  const customer = { email: 'billing@acme.example', name: 'Acme', billingAddress: ADDRESS }
  expect((await ask('/api/billing/v1/customer', customer, as)).status).toBe(201)
  return as
}

test('an instance that is under way when the platform is killed runs after the next start, stops, and makes room', async () => {
  // Long enough to be killed in the first state.
  const killed = await startPlatform(dataDir, { HARRIER_COMPUTE_STEP_MS: '3000' })
  const as = await owner(killed)
  const { status, body: made } = await killed.ask(PATH, { name: 'lab' }, as)
  expect([status, made.status]).toEqual([202, 'PROVISIONING'])
  await killed.kill()

  const platform = await startPlatform(dataDir, { HARRIER_COMPUTE_STEP_MS: '50' })
  const one = `${PATH}/${made.id}`
  const until = (wanted: string) =>
    eventually(
      async () => (await platform.ask(one, undefined, as)).body,
      ({ status: seen }) => seen === wanted,
    )
  expect(await until('RUNNING')).toEqual({ ...made, status: 'RUNNING' })
  const full = await platform.ask(PATH, { name: 'second' }, as)
  expect([full.status, full.body.error.code]).toEqual([409, 'quota_exceeded'])
  expect((await platform.ask(`${one}/stop`, {}, as)).body.status).toBe('STOPPING')
  await until('STOPPED')
  // The administrator of the configuration belongs to no customer.
  expect((await platform.ask(one)).status).toBe(403)

  const remove = () => fetch(`${platform.url}/api/compute/v1/admin/instances/${made.id}`, admin)
  const admin = { method: 'DELETE', headers: ADMINISTRATOR }
  expect((await remove()).status).toBe(204)
  expect((await remove()).status).toBe(404)
  expect((await platform.ask(PATH, { name: 'second' }, as)).status).toBe(202)

  const note = { title: 'Phishing of March', summary: 'what the second instance is for' }
  const kept = await platform.ask('/api/casework/v1/cases', note, as)
  expect([kept.status, kept.body]).toMatchObject([201, { ...note, status: 'open' }])
  const usage = (await platform.ask('/api/billing/v1/quotas/usage', undefined, as)).body
  const used = Object.values(
    usage.services as Record<string, { features: { featureKey: string; currentUsage: number }[] }>,
  )
    .flatMap(({ features }) => features)
    .filter(({ currentUsage }) => currentUsage > 0)
  expect(used.map(({ featureKey, currentUsage }) => [featureKey, currentUsage]).sort()).toEqual([
    ['max_cases', 1],
    ['max_instances', 1],
  ])
  expect(await platform.stop()).toBe(0)
})
