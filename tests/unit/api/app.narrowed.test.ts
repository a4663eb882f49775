/** Every declared route that changes something x a key that was narrowed to groups (decisions 16.1, ADR 251). */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import { WITHIN_ROUTES, wholeOf } from '../../../api/http/middleware/bounds.ts'
import { UNNAMED, WHOLE_ROUTES } from '../../../api/http/middleware/whole-routes.ts'
import type { Route } from '../../../api/http/route.ts'
import { sessionStore } from '../../../connectors/postgres/accounts/sessions/session-store.ts'
import { kyselyEmails } from '../../../connectors/postgres/accounts/users/email-store.ts'
import { kyselyIdentityChecks } from '../../../connectors/postgres/accounts/users/identity-check-store.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import { kyselyOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import { customerGroup, ROLES } from '../../../schemas/accounts/accounts.ts'
import { UNBOUNDED } from '../../../schemas/accounts/key-bounds.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import { newKeyPair } from '../../builders/accounts/accounts.ts'
import { type Crew, crew, embeddedPeople, type People } from '../../builders/accounts/team.ts'
import { apiConfig, apiPorts, type RunningApi, startApi } from '../../builders/api/api.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const routes = apiRoutes(apiPorts(), apiConfig)
const changing = routes.filter(({ method, access }) => method !== 'get' && access !== 'open')
const within = WITHIN_ROUTES.flatMap((one) => one.routes)
const whole = routes.filter((route) => nameOf(route) in WHOLE_ROUTES)

let people: People
let team: Crew
let api: RunningApi
let headers: Record<string, string>

const unexpected = () => Promise.reject(new Error('nothing may be asked of a port'))

beforeAll(async () => {
  people = await embeddedPeople()
  const { db, accounts } = people
  team = await crew(people)
  api = await startApi({
    accounts,
    team: people.team,
    casework: kyselyCasework(db, BUILT_IN_TIERS),
    emails: kyselyEmails(db),
    identityChecks: kyselyIdentityChecks(db),
    offboarding: kyselyOffboarding(db, { append, maxInstances: () => 1 }),
    sessions: sessionStore(db, () => undefined),
    deadLetters: { list: unexpected, show: unexpected, replay: unexpected, drop: unexpected, waiting: unexpected },
    reconcile: unexpected,
  })
  await accounts.updateUser(team.owner.id, { roles: [...ROLES], groups: ['public', 'blue', 'red'] }, cause())
  // The widest of them: all groups of its owner but one.
  const groups = ['public', 'blue', customerGroup(team.customerId)]
  const pair = newKeyPair(team.owner.id, { secret: 'narrowed', bounds: { ...UNBOUNDED, groups } })
  await accounts.createKeyPair(pair)
  headers = { 'api-key': pair.apiKey, 'api-secret': 'narrowed' }
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

test('every route that changes something is named once: it takes a whole key, or why it stays within the bounds', () => {
  expect([...Object.keys(WHOLE_ROUTES), ...within].sort()).toEqual(
    [...new Set([...changing.map(nameOf), ...whole.map(nameOf)])].sort(),
  )
  for (const { because } of WITHIN_ROUTES) expect(because).toMatch(/\w+ \w+/)
})

test('a route that changes something and is in no list refuses keys that are narrowed to groups', () => {
  const forgotten = { method: 'post', path: '/api/new/v1/thing', access: 'user' }
  expect(wholeOf(forgotten)).toBe(UNNAMED)
  expect(wholeOf({ ...forgotten, method: 'get' })).toBeNull()
  expect(wholeOf({ ...forgotten, access: 'open' })).toBeNull()
  expect(wholeOf({ method: 'post', path: 'constructor', access: 'user' })).toBe(UNNAMED)
})

const TABLES = [
  'users',
  'emails',
  'customers',
  'memberships',
  'invitations',
  'sessions',
  'key_pairs',
  'identity_checks',
  'casework_alert_reads',
  'outbox',
] as const

/** All that there is of accounts. */
async function stored(): Promise<unknown[]> {
  const all: unknown[] = []
  for (const table of TABLES) {
    const { rows } = await sql`SELECT to_jsonb(t) AS row FROM ${sql.table(table)} AS t ORDER BY 1`.execute(people.db)
    all.push([table, rows])
  }
  return all
}

/** Bodies with which a key without bounds would change something. */
const BODIES: Record<string, () => object> = {
  'post /auth/v2/admin/user': () => ({ email: `${randomUUID()}@example.com`, roles: ['auth_admin'], groups: ['red'] }),
  'post /auth/v2/partners/user': () => ({ email: `${randomUUID()}@example.com`, groups: ['public'] }),
  'put /auth/v2/admin/user/{id}': () => ({ groups: ['red'], roles: ['trusted'] }),
  'post /auth/v2/admin/user/{id}/roles': () => ({ role: 'trusted' }),
  'post /api/billing/v1/customer/member': () => ({ email: 'new@example.com', role: 'admin' }),
  'put /api/billing/v1/customer/member': () => ({ userID: team.user.id, role: 'admin' }),
  'post /api/billing/v1/customer/transfer-ownership': () => ({ newOwnerUserID: team.admin.id }),
}

const VALUES: Record<string, () => string> = {
  id: () => team.user.id,
  userID: () => team.user.id,
  role: () => 'user',
}

async function ask(route: Route) {
  const path = nameOf(route).includes('/admin/customer/{id}') ? route.path.replace('{id}', team.customerId) : route.path
  const body = BODIES[nameOf(route)]?.()
  const response = await fetch(api.url + path.replaceAll(/\{(\w+)\}/g, (_, name) => VALUES[name]?.() ?? randomUUID()), {
    method: route.method.toUpperCase(),
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  return { status: response.status, code: error?.code, message: error?.message }
}

for (const route of whole)
  test(`${nameOf(route)} refuses a key that is narrowed to groups, and changes nothing`, async () => {
    const before = await stored()
    const { message, ...answer } = await ask(route)
    expect(answer).toEqual({ status: 403, code: 'forbidden' })
    expect(message).toContain(WHOLE_ROUTES[nameOf(route)]!.what)
    expect(await stored()).toEqual(before)
  })
