/** Destinations of alerts and a key that was narrowed to groups (decisions 13.3, 16.1; ADR 251). */

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { kyselyCasework } from '../../../../../connectors/postgres/casework/casework-store.ts'
import { kyselyDestinations } from '../../../../../connectors/postgres/casework/deliveries/destinations.ts'
import type { SendMessage } from '../../../../../connectors/receivers/port.ts'
import { customerGroup } from '../../../../../schemas/accounts/accounts.ts'
import { UNBOUNDED } from '../../../../../schemas/accounts/key-bounds.ts'
import { BUILT_IN_TIERS } from '../../../../../schemas/accounts/tiers/tiers.ts'
import { newKeyPair } from '../../../../builders/accounts/accounts.ts'
import { type Crew, crew, embeddedPeople, type People } from '../../../../builders/accounts/team.ts'
import { type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { fire } from '../../../../builders/scans/deliveries.ts'

const BASE = '/api/alerts/v1/destinations'
const HOOK = { name: 'ours', kind: 'webhook', url: 'https://hooks.example.com/a' }

let people: People
let team: Crew
let api: RunningApi
let narrow: Record<string, string>
const sent: Parameters<SendMessage>[] = []

beforeAll(async () => {
  people = await embeddedPeople()
  team = await crew(people)
  api = await startApi({
    accounts: people.accounts,
    team: people.team,
    casework: kyselyCasework(people.db, BUILT_IN_TIERS),
    destinations: kyselyDestinations(people.db, BUILT_IN_TIERS),
    sendMessage: async (...given) => {
      sent.push(given)
      return { ok: true }
    },
  })
  const groups = ['public', customerGroup(team.customerId)]
  const pair = newKeyPair(team.user.id, { secret: 'narrowed', bounds: { ...UNBOUNDED, groups } })
  await people.accounts.createKeyPair(pair)
  narrow = { 'api-key': pair.apiKey, 'api-secret': 'narrowed' }
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})
beforeEach(async () => {
  sent.length = 0
  await people.db.deleteFrom('delivery_queues').execute()
})

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Called = { status: number; body: any }

async function call(method: string, path = '', body?: unknown, headers = narrow): Promise<Called> {
  const response = await fetch(api.url + (path.startsWith('/api') ? path : BASE + path), {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

/** By a key without bounds. */
const whole = (method: string, path = '', body?: unknown) => call(method, path, body, team.user.headers)

const made = async (given: object = {}) => {
  const { status, body } = await whole('POST', '', { ...HOOK, ...given })
  expect(status).toBe(201)
  return body as { id: string }
}

const fired = () => fire(people.db, { customerId: team.customerId, userId: team.user.id }, { readableBy: ['red'] })

async function stored(): Promise<unknown> {
  const { rows } = await sql`
    SELECT to_jsonb(d) AS destination, (SELECT jsonb_agg(to_jsonb(m) ORDER BY m.seq) FROM deliveries AS m) AS waiting
    FROM alert_destinations AS d ORDER BY d.id`.execute(people.db)
  return rows
}

test('a destination that is told more than the key reads is not handled by it, in no way', async () => {
  const { id } = await made()
  await fired()
  const [delivery] = (await whole('GET', `/${id}/deliveries`)).body.items
  const dead = { state: 'dead', attempts: 8, last_error: 'down', finished_at: new Date() } as const
  await people.db.updateTable('deliveries').set(dead).where('id', '=', delivery.id).execute()
  const before = await stored()
  const asked: [string, string, object?][] = [
    ['GET', `/${id}`],
    ['GET', `/${id}/deliveries`],
    ['PATCH', `/${id}`, { url: 'https://elsewhere.example.com/' }],
    // It would be narrow enough afterwards, and what waits would go elsewhere.
    ['PATCH', `/${id}`, { url: 'https://elsewhere.example.com/', publicOnly: true }],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/test`],
    ['POST', `/${id}/secret`],
    ['POST', `/${id}/confirm`, { code: '123456' }],
    ['POST', `/deliveries/${delivery.id}/retry`],
    ['POST', `/api/alerts/v1/deliveries/${delivery.id}/retry`],
  ]
  for (const [method, path, body] of asked) {
    const answer = await call(method, path, body)
    expect([method, path, answer.status, answer.body?.error?.code]).toEqual([method, path, 403, 'forbidden'])
  }
  expect(sent).toEqual([])
  expect(await stored()).toEqual(before)
  expect((await call('GET')).body.items).toEqual([])
  expect((await whole('GET')).body.items).toHaveLength(1)
})

test('one for what is public is handled by it, and never made wide', async () => {
  const { id } = (await call('POST', '', { ...HOOK, publicOnly: true })).body
  expect((await call('GET', `/${id}`)).status).toBe(200)
  expect((await call('GET')).body.items).toHaveLength(1)
  expect((await call('PATCH', `/${id}`, { name: 'other' })).status).toBe(200)
  expect((await call('PATCH', `/${id}`, { publicOnly: false })).status).toBe(403)
  expect((await call('POST', '', HOOK)).status).toBe(403)
  expect((await call('POST', `/${id}/test`)).body).toEqual({ delivered: true, error: null })
  expect((await call('POST', `/${id}/secret`)).status).toBe(200)
  expect((await call('GET', `/${id}/deliveries`)).body.items).toEqual([])
  expect((await call('DELETE', `/${id}`)).status).toBe(204)
})

test('of one that was told more before, it sees no delivery of that time', async () => {
  const { id } = await made()
  const [alertID] = await fired()
  expect((await whole('PATCH', `/${id}`, { publicOnly: true })).status).toBe(200)
  expect((await whole('GET', `/${id}/deliveries`)).body.items).toMatchObject([{ alertID }])
  expect(await call('GET', `/${id}/deliveries`)).toEqual({ status: 200, body: { items: [] } })
})
