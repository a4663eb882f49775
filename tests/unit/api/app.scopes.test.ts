/** Every declared route x keys with one scope, and with every other one. The scope of a path is written by hand. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import type { Route } from '../../../api/http/route.ts'
import { ROLES } from '../../../schemas/accounts/accounts.ts'
import { UNBOUNDED } from '../../../schemas/accounts/key-bounds.ts'
import { SCOPES, type Scope } from '../../../schemas/accounts/scopes.ts'
import { newKeyPair } from '../../builders/accounts/accounts.ts'
import { crew, embeddedPeople, type People } from '../../builders/accounts/team.ts'
import { apiConfig, apiPorts, type RunningApi, startApi } from '../../builders/api/api.ts'
import { cause } from '../../builders/lifecycle/events.ts'

/** The first pattern that fits `method path` says the scope (decisions 16.1). */
const PATTERNS: readonly (readonly [RegExp, Scope | null])[] = [
  [/ \/(docs|docs\/.*|livez|readyz|openapi\.json)?$/, null],
  [/^post \/mcp$/, null],
  [/^\w+ \/auth\/v2\/oidc(\/start|\/callback|\/backchannel-logout)?$/, null],
  [/^get \/metrics$/, 'admin'],
  [/^post \/auth\/v2\/(user|session)$/, null],
  [/^put \/auth\/v2\/\w+\/verification$/, null],
  [/^get \/auth\/v2\/keypair$/, null],
  [/^get \/api\/billing\/v1\/limits(\/usage)?\/ip/, null],
  [/^post \/api\/billing\/v1\/stripe\/webhook$/, null],
  [/ \/auth\/v2\/(admin|partners)\//, 'admin'],
  [/ \/api\/admin\//, 'admin'],
  [/ \/api\/\w+\/v1\/admin\//, 'admin'],
  [/ \/auth\/v2\//, 'account'],
  [/ \/api\/(billing|compute)\//, 'account'],
  // The same look-up as by POST (decisions 18.1).
  [/^get \/api\/search\/v1\/reputation\//, 'search'],
  [/^get \/api\/(analytics|search|live)\//, 'read'],
  [/^post \/api\/search\//, 'search'],
  [/^get (\/api\/feeds\/|\/taxii2\/)/, 'feeds:read'],
  [/^\w+ (\/api\/feeds\/|\/taxii2\/)/, 'feeds:write'],
  [/ \/api\/ingest\//, 'ingest'],
  [/ \/api\/match\//, 'match'],
  [/ \/api\/(casework|alerts)\//, 'casework'],
]

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const routes = apiRoutes(apiPorts(), apiConfig)
const patternOf = (route: Route) => PATTERNS.find(([pattern]) => pattern.test(nameOf(route)))

/** These take the token in their path alone. */
const byToken = ({ path }: Route) => path.includes('{token}')

/**
 * What a whole key may, and a narrowed one may not, whatever its scopes: each would end in what has no bounds.
 */
const WHOLE_ALONE = [
  'post /auth/v2/admin/user/{id}/session',
  'put /auth/v2/admin/session/{id}/verify',
  'post /auth/v2/admin/user/{id}/email',
  'put /auth/v2/admin/email/{id}/verify',
]

let people: People
let api: RunningApi
let whole: Record<string, string>
let bounded: Map<string, Record<string, string>>

beforeAll(async () => {
  people = await embeddedPeople()
  const { accounts, team } = people
  api = await startApi({
    accounts,
    team: { ...team, change: async () => 'no_customer' },
  })
  const { owner } = await crew(people)
  await accounts.updateUser(owner.id, { roles: [...ROLES] }, cause())
  whole = owner.headers
  const keyed = async (scopes: readonly Scope[]) => {
    const pair = newKeyPair(owner.id, { secret: 'narrowed', bounds: { ...UNBOUNDED, scopes } })
    await accounts.createKeyPair(pair)
    return { 'api-key': pair.apiKey, 'api-secret': 'narrowed' }
  }
  bounded = new Map()
  for (const scope of SCOPES) {
    bounded.set(`only ${scope}`, await keyed([scope]))
    bounded.set(`all but ${scope}`, await keyed(SCOPES.filter((one) => one !== scope)))
  }
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

test('every declared route has the scope that its path says, and every pattern a route', () => {
  const declared = Object.fromEntries(routes.map((route) => [nameOf(route), route.scope]))
  expect(declared).toEqual(Object.fromEntries(routes.map((route) => [nameOf(route), patternOf(route)?.[1]])))
  const used = new Set(routes.map(patternOf))
  expect(PATTERNS.filter((pattern) => !used.has(pattern))).toEqual([])
})

test('what does not look at credentials needs no scope', () => {
  for (const { access, scope } of routes) if (access === 'open') expect(scope).toBeNull()
})

async function ask(route: Route, headers: Record<string, string>) {
  const path = route.path.replaceAll(/\{\w+\}/g, randomUUID())
  const response = await fetch(api.url + path, { method: route.method.toUpperCase(), headers })
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const text = isStream ? '' : await response.text()
  if (isStream) await response.body!.cancel()
  const error = text.startsWith('{') ? (JSON.parse(text).error as { code?: string; message?: string }) : undefined
  return { status: response.status, code: error?.code, message: error?.message }
}

for (const route of routes.filter((one) => one.scope !== null && !byToken(one))) {
  const scope = route.scope!
  test(`${nameOf(route)} refuses a key with every scope but ${scope}`, async () => {
    const refused = await ask(route, bounded.get(`all but ${scope}`)!)
    expect(refused).toMatchObject({ status: 403, code: 'scope_missing', message: expect.stringContaining(scope) })
  })

  test(`${nameOf(route)} answers a key with the scope ${scope} alone as its user`, async () => {
    const answer = await ask(route, bounded.get(`only ${scope}`)!)
    if (WHOLE_ALONE.includes(nameOf(route))) expect(answer).toMatchObject({ status: 403, code: 'forbidden' })
    else expect(answer).toEqual(await ask(route, whole))
  })
}

test('routes without a scope answer a key with any', async () => {
  for (const route of routes.filter((one) => one.scope === null)) {
    const { code } = await ask(route, bounded.get('only match')!)
    expect([nameOf(route), code]).not.toEqual([nameOf(route), 'scope_missing'])
  }
})
