/** Every declared route x every kind of caller. A route without a row fails. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import type { Route } from '../../../api/route.ts'
import { embeddedAccounts } from '../../../connectors/accounts/embedded.ts'
import type { Accounts } from '../../../connectors/accounts/port.ts'
import type { Role } from '../../../schemas/accounts.ts'
import { apiConfig, apiPorts, asAdmin, type RunningApi, startApi } from '../../builders/api.ts'
import { person } from '../../builders/people.ts'

const CALLERS = [
  'anonymous',
  'bad key',
  'user',
  'reporter',
  'trusted',
  'auth_admin',
  'billing_admin',
  'disabled',
  'built-in',
] as const
type Caller = (typeof CALLERS)[number]

/** Who gets past the door. Written by hand: the matrix checks the declarations against it. */
const everyone = new Set<Caller>(CALLERS)
const only = (role: Role) => new Set<Caller>([role as Caller, 'built-in'])

/** Anonymous callers too, but not those whose credentials are wrong (specification 5.2, 7.2). */
const anyone = new Set<Caller>(CALLERS.filter((c) => c !== 'bad key' && c !== 'disabled'))

/** Whoever has credentials that count. */
const known = new Set<Caller>([...anyone].filter((c) => c !== 'anonymous'))

const MATRIX: Record<string, Set<Caller>> = {
  'get /': everyone,
  'get /docs': everyone,
  'get /docs/{file}': everyone,
  'get /livez': everyone,
  'get /metrics': everyone,
  'get /openapi.json': everyone,
  'get /readyz': everyone,
  'get /api/analytics/v1/overview': anyone,
  'get /api/analytics/v1/recent': anyone,
  'get /api/analytics/v1/attribution': anyone,
  'post /api/search/v1/entities/history/simple': anyone,
  'post /api/ingest/v1/entity': only('reporter'),
  'get /api/ingest/v1/definitions': only('reporter'),
  'post /api/ingest/v1/well-known': only('trusted'),
  'post /api/billing/v1/stripe/upgrade': known,
  'get /api/billing/v1/stripe/customer': known,
  'post /api/billing/v1/stripe/webhook': everyone,
  'put /api/billing/v1/admin/customer/{id}/subscription': only('billing_admin'),
  'delete /api/billing/v1/admin/customer/{id}/subscription': only('billing_admin'),
  'post /auth/v2/admin/user': only('auth_admin'),
  'get /auth/v2/admin/user/{id}': only('auth_admin'),
  'put /auth/v2/admin/user/{id}': only('auth_admin'),
  'delete /auth/v2/admin/user/{id}': only('auth_admin'),
  'post /auth/v2/admin/user/{id}/keypair': only('auth_admin'),
}

const routes = apiRoutes(apiPorts(), apiConfig)
const nameOf = ({ method, path }: Route) => `${method} ${path}`

let accounts: Accounts
let api: RunningApi
let headers: Record<Caller, Record<string, string>>

beforeAll(async () => {
  accounts = await embeddedAccounts({ folder: null })
  api = await startApi({ accounts })
  const user = async (...roles: Role[]) => (await person(accounts, { roles })).headers
  const gone = await person(accounts, { roles: ['reporter', 'trusted', 'auth_admin'] })
  await accounts.updateUser(gone.id, { disabled: true })
  headers = {
    anonymous: {},
    'bad key': { 'api-key': randomUUID(), 'api-secret': randomUUID() },
    user: await user('user'),
    reporter: await user('reporter'),
    trusted: await user('trusted'),
    auth_admin: await user('auth_admin'),
    billing_admin: await user('billing_admin'),
    disabled: gone.headers,
    'built-in': asAdmin,
  }
})
afterAll(async () => {
  await api?.close()
  await accounts?.close()
})

/** 401 without an identity, 403 without the role; what a caller who may enter is told then is for other tests. */
function expected(route: Route, caller: Caller): 'in' | 401 | 403 {
  if (MATRIX[nameOf(route)]!.has(caller)) return 'in'
  return caller === 'anonymous' || caller === 'bad key' || caller === 'disabled' ? 401 : 403
}

test('every declared route has a row, and every row a route', () => {
  expect(routes.map(nameOf).sort()).toEqual(Object.keys(MATRIX).sort())
})

for (const route of routes.filter((declared) => nameOf(declared) in MATRIX)) {
  for (const caller of CALLERS) {
    test(`${nameOf(route)} answers ${caller}`, async () => {
      const path = route.path.replaceAll(/\{\w+\}/g, randomUUID())
      const init = { method: route.method.toUpperCase(), headers: headers[caller] }
      const want = expected(route, caller)
      for (const prefix of path.startsWith('/auth/') ? ['', '/api'] : ['']) {
        const { status } = await fetch(api.url + prefix + path, init)
        if (want === 'in') expect([401, 403, 500]).not.toContain(status)
        else expect(status).toBe(want)
      }
    })
  }
}
