/** Every declared route x every kind of caller. A route without a row fails. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiRoutes } from '../../../api/app.ts'
import type { Route } from '../../../api/http/route.ts'
import type { Role } from '../../../schemas/accounts/accounts.ts'
import { MEMBER_ROLES, type MemberRole } from '../../../schemas/accounts/team.ts'
import { person } from '../../builders/accounts/people.ts'
import { crew, embeddedPeople, type People } from '../../builders/accounts/team.ts'
import { apiConfig, apiPorts, asAdmin, type RunningApi, startApi } from '../../builders/api/api.ts'
import { cause } from '../../builders/lifecycle/events.ts'

const CALLERS = [
  'anonymous',
  'bad key',
  'user',
  'reporter',
  'trusted',
  'billing_admin',
  'compute_admin',
  'auth_admin',
  'disabled',
  'owner of a customer',
  'admin of a customer',
  'user of a customer',
  'built-in',
] as const
type Caller = (typeof CALLERS)[number]

/** Who gets past the door. Written by hand: the matrix checks the declarations against it. */
const everyone = new Set<Caller>(CALLERS)
const only = (role: Role) => new Set<Caller>([role as Caller, 'built-in'])

/** Anonymous callers too, but not those whose credentials are wrong (specification 5.2, 7.2). */
const anyone = new Set<Caller>(CALLERS.filter((c) => c !== 'bad key' && c !== 'disabled'))

/** Without the token of a device. */
const nobody = new Set<Caller>()

const authenticated = new Set<Caller>([...anyone].filter((c) => c !== 'anonymous'))

/** Of those who belong to a customer, these alone. */
const members = (...roles: MemberRole[]) => new Set<Caller>(roles.map((role) => `${role} of a customer` as const))

/** Members of these roles, and strangers: they are let in to be told that they have no customer (decisions 6.6). */
const membersOrStrangers = (...roles: MemberRole[]) => {
  const others = members(...MEMBER_ROLES.filter((role) => !roles.includes(role)))
  return new Set([...authenticated].filter((caller) => !others.has(caller)))
}

/** Owners, and strangers: they are told that they have no customer. */
const ownersOrStrangers = membersOrStrangers('owner')

/** Whoever has an account that can be deleted. */
const accountHolders = new Set<Caller>([...authenticated].filter((caller) => caller !== 'built-in'))

/** The callers here came with key pairs; the administrator of the configuration is told that it has no account. */
const sessionHolders = new Set<Caller>(['built-in'])

/** A role of a user account opens none of these, a customer does. */
const anyMember = members(...MEMBER_ROLES)

/** Whoever registers has the role `user`, members too. */
const users = new Set<Caller>([...only('user'), ...anyMember])
const MATRIX: Record<string, Set<Caller>> = {
  'get /': everyone,
  'get /docs': everyone,
  'get /docs/{file}': everyone,
  'get /livez': everyone,
  'get /metrics': only('auth_admin'),
  'get /openapi.json': everyone,
  'get /readyz': everyone,
  'get /api/admin/v1/audit': only('auth_admin'),
  'post /mcp': anyone,
  'get /api/admin/v1/breakers': only('auth_admin'),
  'get /api/admin/v1/dead-letters': only('auth_admin'),
  'get /api/admin/v1/dead-letters/{id}': only('auth_admin'),
  'get /api/admin/v1/demo': only('auth_admin'),
  'get /api/admin/v1/health': only('auth_admin'),
  'get /api/admin/v1/lag': only('auth_admin'),
  'get /api/admin/v1/topics': only('auth_admin'),
  'get /api/admin/v1/waiting': only('auth_admin'),
  'post /api/admin/v1/names': only('auth_admin'),
  'post /api/admin/v1/breakers/{group}/close': only('auth_admin'),
  'post /api/admin/v1/demo': only('auth_admin'),
  'post /api/admin/v1/retractions': only('auth_admin'),
  'post /api/admin/v1/dead-letters/drop': only('auth_admin'),
  'post /api/admin/v1/dead-letters/replay': only('auth_admin'),
  'get /api/analytics/v1/overview': anyone,
  'get /api/analytics/v1/recent': anyone,
  'get /api/analytics/v1/attribution': anyone,
  'get /api/analytics/v1/sources': anyone,
  'post /api/search/v1/entities/history/simple': anyone,
  'post /api/search/v1/entities/lookup': anyone,
  'post /api/search/v1/entity': anyone,
  'post /api/search/v1/reputation': anyone,
  'get /api/search/v1/reputation/{value}': anyone,
  'get /api/search/v1/entity/{id}': anyone,
  'get /api/search/v1/entity/{id}.stix': anyone,
  'get /api/search/v1/entity/{id}/evidence': anyone,
  'get /api/search/v1/entity/{id}/score-history': anyone,
  'post /api/ingest/v1/comment': only('reporter'),
  'get /api/search/v1/comments/{entityId}': anyone,
  'get /api/search/v1/entity/{id}/relations': anyone,
  'get /api/analytics/v1/entity/{id}/relations': anyone,
  'get /api/analytics/v1/entity/{id}/details': anyone,
  'post /api/search/v1/entities/history/advanced': anyone,
  'post /api/search/v1/entities/simple': anyone,
  'post /api/search/v1/around': anyone,
  'post /api/search/v1/entities/advanced': anyone,
  'post /api/feeds/v1/feeds': users,
  'get /api/feeds/v1/feeds': users,
  'get /api/feeds/v1/feeds/{id}': anyone,
  'patch /api/feeds/v1/feeds/{id}': users,
  'delete /api/feeds/v1/feeds/{id}': users,
  'post /api/feeds/v1/feeds/{id}/hold': users,
  'post /api/feeds/v1/feeds/{id}/release': users,
  'post /api/feeds/v1/feeds/{id}/tokens': users,
  'get /api/feeds/v1/feeds/{id}/tokens': users,
  'delete /api/feeds/v1/feeds/{id}/tokens/{tokenID}': users,
  'get /api/feeds/v1/feeds/{id}/items.{format}': anyone,
  // Anonymous callers read open feeds, of which there are none here; of others they are asked who they are.
  'get /api/feeds/v1/feeds/{id}/delta': authenticated,
  'get /api/feeds/v1/t/{token}/items.{format}': nobody,
  'get /api/feeds/v1/t/{token}/delta': nobody,
  'get /api/feeds/v1/formats': anyone,
  'post /api/search/v1/entities/selector': anyone,
  'get /api/feeds/v1/feeds/{id}/delta/latest': anyone,
  'get /api/live/v1/changes': anyone,
  'post /api/match/v1/events': users,
  'get /api/match/v1/settings': users,
  'put /api/match/v1/settings': users,
  'get /api/match/v1/matches': users,
  'get /api/match/v1/seen': users,
  'get /api/analytics/v1/live/ticket': anyone,
  'get /api/analytics/v1/live': anyone,
  'post /api/alerts/v1/destinations': anyMember,
  'get /api/alerts/v1/destinations': anyMember,
  'get /api/alerts/v1/destinations/{id}': anyMember,
  'patch /api/alerts/v1/destinations/{id}': anyMember,
  'delete /api/alerts/v1/destinations/{id}': anyMember,
  'post /api/alerts/v1/destinations/{id}/test': anyMember,
  'post /api/alerts/v1/destinations/{id}/secret': anyMember,
  'post /api/alerts/v1/destinations/{id}/confirm': anyMember,
  'get /api/alerts/v1/destinations/{id}/deliveries': anyMember,
  'post /api/alerts/v1/deliveries/{id}/retry': anyMember,
  'post /api/alerts/v1/destinations/deliveries/{id}/retry': anyMember,
  'post /api/casework/v1/triage': users,
  'post /api/casework/v1/triage/states': users,
  'get /api/casework/v1/triage/members': users,
  'put /api/casework/v1/verdicts/{entityId}': users,
  'get /api/casework/v1/verdicts/{entityId}': users,
  'delete /api/casework/v1/verdicts/{entityId}': users,
  'get /api/feeds/v1/list': anyone,
  // Anonymous callers read open feeds, of which there are none here.
  'get /taxii2/': anyone,
  'get /taxii2/harrier/': anyone,
  'get /taxii2/harrier/collections/': authenticated,
  'get /taxii2/harrier/collections/{id}/': authenticated,
  'get /taxii2/harrier/collections/{id}/objects/': authenticated,
  'post /taxii2/harrier/collections/{id}/objects/': users,
  'get /taxii2/harrier/collections/{id}/manifest/': authenticated,
  'get /taxii2/harrier/collections/{id}/objects/{objectId}/': authenticated,
  'delete /taxii2/harrier/collections/{id}/objects/{objectId}/': authenticated,
  'get /taxii2/harrier/collections/{id}/objects/{objectId}/versions/': authenticated,
  'get /taxii2/harrier/status/{id}/': users,
  'post /api/ingest/v1/scan': users,
  'get /api/ingest/v1/scan/{id}': users,
  'get /api/ingest/v1/scans': users,
  'get /api/ingest/v1/admin/scans': only('auth_admin'),
  'get /api/ingest/v1/admin/scans/{id}': only('auth_admin'),
  'post /api/ingest/v1/admin/scans/{id}/retry': only('auth_admin'),
  'post /api/ingest/v1/entity': only('reporter'),
  'post /api/ingest/v1/entities': only('reporter'),
  'post /api/ingest/v1/association': only('reporter'),
  'get /api/ingest/v1/definitions': only('reporter'),
  'post /api/ingest/v1/well-known': only('trusted'),
  // Two roles are required, of which nobody else here has both.
  'delete /api/ingest/v1/well-known/{entityId}': new Set<Caller>(['built-in']),
  'get /api/billing/v1/limits': anyMember,
  'get /api/billing/v1/limits/{serviceName}': anyMember,
  'get /api/billing/v1/limits/{serviceName}/{featureKey}': anyMember,
  'get /api/billing/v1/limits/ip': everyone,
  'get /api/billing/v1/limits/ip/{serviceName}': everyone,
  'get /api/billing/v1/limits/usage': authenticated,
  'get /api/billing/v1/limits/usage/ip': everyone,
  'get /api/billing/v1/quotas': anyMember,
  'get /api/billing/v1/quotas/{serviceName}': anyMember,
  'get /api/billing/v1/quotas/{serviceName}/{featureKey}': anyMember,
  'get /api/billing/v1/quotas/usage': anyMember,
  'post /api/billing/v1/stripe/upgrade': authenticated,
  'get /api/billing/v1/stripe/customer': authenticated,
  'post /api/billing/v1/stripe/webhook': everyone,
  'put /api/billing/v1/admin/customer/{id}/subscription': only('billing_admin'),
  'delete /api/billing/v1/admin/customer/{id}/subscription': only('billing_admin'),
  'post /auth/v2/admin/user': only('auth_admin'),
  'get /auth/v2/admin/users': only('auth_admin'),
  'get /auth/v2/admin/user/{id}': only('auth_admin'),
  'put /auth/v2/admin/user/{id}': only('auth_admin'),
  'delete /auth/v2/admin/user/{id}': only('auth_admin'),
  'post /auth/v2/partners/user': only('auth_admin'),
  'put /auth/v2/admin/user/{id}/enable': only('auth_admin'),
  'put /auth/v2/admin/user/{id}/disable': only('auth_admin'),
  'put /auth/v2/admin/user/{id}/verify': only('auth_admin'),
  'put /auth/v2/admin/user/{id}/unverify': only('auth_admin'),
  'get /auth/v2/admin/user/{id}/roles': only('auth_admin'),
  'post /auth/v2/admin/user/{id}/roles': only('auth_admin'),
  'delete /auth/v2/admin/user/{id}/roles/{role}': only('auth_admin'),
  'get /auth/v2/admin/user/{id}/verification': only('auth_admin'),
  'put /auth/v2/admin/user/{id}/verification/reset': only('auth_admin'),
  'put /auth/v2/admin/user/{id}/verification/revoke': only('auth_admin'),
  'get /auth/v2/admin/sessions': only('auth_admin'),
  'post /auth/v2/admin/user/{id}/session': only('auth_admin'),
  'put /auth/v2/admin/session/{id}/verify': only('auth_admin'),
  'delete /auth/v2/admin/session/{id}': only('auth_admin'),
  'get /auth/v2/admin/keypairs': only('auth_admin'),
  'put /auth/v2/admin/keypair/{id}/verify': only('auth_admin'),
  'delete /auth/v2/admin/keypair/{id}': only('auth_admin'),
  'post /auth/v2/admin/user/{id}/email': only('auth_admin'),
  'put /auth/v2/admin/email/{id}/verify': only('auth_admin'),
  'put /auth/v2/admin/email/preferred': only('auth_admin'),
  'delete /auth/v2/admin/email/{id}': only('auth_admin'),
  'get /auth/v2/verify/status': authenticated,
  'post /auth/v2/verify': authenticated,
  'get /auth/v2/emails': authenticated,
  'post /auth/v2/email': authenticated,
  // With a key pair, which all callers here have, addresses are not changed.
  'put /auth/v2/email/preferred': authenticated,
  'delete /auth/v2/email/{id}': sessionHolders,
  'put /auth/v2/email/verification': everyone,
  'put /auth/v2/keypair/verification': everyone,
  'get /auth/v2/user/by-email': authenticated,
  'get /auth/v2/user/{id}': authenticated,
  'get /auth/v2/user': authenticated,
  'delete /auth/v2/user': accountHolders,
  'delete /api/billing/v1/customer': ownersOrStrangers,
  'delete /api/billing/v1/admin/customer/{id}': only('billing_admin'),
  'post /api/billing/v1/admin/reconcile': only('auth_admin'),
  'post /auth/v2/admin/user/{id}/keypair': only('auth_admin'),
  'post /api/billing/v1/customer': authenticated,
  'get /api/billing/v1/customer': authenticated,
  'get /api/billing/v1/customer/tier': authenticated,
  'delete /api/billing/v1/customer/leave': authenticated,
  'post /api/billing/v1/customer/member': members('owner', 'admin'),
  'put /api/billing/v1/customer/member': membersOrStrangers('owner', 'admin'),
  'delete /api/billing/v1/customer/member/{userID}': members('owner', 'admin'),
  'get /api/billing/v1/customer/members': membersOrStrangers('owner', 'admin'),
  'get /api/billing/v1/customer/directory': authenticated,
  'get /api/billing/v1/customer/invitations': membersOrStrangers('owner', 'admin'),
  'delete /api/billing/v1/customer/invitation/{id}': members('owner', 'admin'),
  'post /api/billing/v1/customer/transfer-ownership': membersOrStrangers('owner'),
  'get /api/billing/v1/admin/customers': only('billing_admin'),
  'get /api/billing/v1/admin/customer/{id}': only('billing_admin'),
  'post /api/billing/v1/admin/customer/{id}/member': only('billing_admin'),
  'get /api/billing/v1/admin/customer/{id}/members': only('billing_admin'),
  'delete /api/billing/v1/admin/customer/{id}/member/{userID}': only('billing_admin'),
  'get /api/billing/v1/admin/billing/status': only('billing_admin'),
  'get /api/billing/v1/admin/tiers': only('billing_admin'),
  'put /api/billing/v1/admin/tiers/{id}/default': only('billing_admin'),
  'post /api/billing/v1/customer/accept': authenticated,
  'post /api/compute/v1/instances': anyMember,
  'get /api/compute/v1/instances': anyMember,
  'get /api/compute/v1/instances/{id}': anyMember,
  'post /api/compute/v1/instances/{id}/start': anyMember,
  'post /api/compute/v1/instances/{id}/stop': anyMember,
  'delete /api/compute/v1/instances/{id}': anyMember,
  'delete /api/compute/v1/admin/instances/{id}': only('compute_admin'),
  'get /api/compute/v1/admin/instances': only('compute_admin'),
  'get /api/compute/v1/admin/instances/{id}': only('compute_admin'),
  ...Object.fromEntries(
    ['start', 'stop', 'restart', 'reset'].map((step) => [
      `post /api/compute/v1/admin/instances/{id}/${step}`,
      only('compute_admin'),
    ]),
  ),
  'post /api/compute/v1/instances/{id}/restart': anyMember,
  'post /api/compute/v1/instances/{id}/reset': anyMember,
  'get /api/compute/v1/templates': authenticated,
  'get /api/compute/v1/templates/{id}/zones': authenticated,
  ...Object.fromEntries(
    ['cases', 'watchlists', 'conversations', 'searches'].flatMap((kind) => [
      [`post /api/casework/v1/${kind}`, anyMember],
      [`get /api/casework/v1/${kind}`, anyMember],
      [`get /api/casework/v1/${kind}/{id}`, anyMember],
      [`put /api/casework/v1/${kind}/{id}`, anyMember],
      [`patch /api/casework/v1/${kind}/{id}`, anyMember],
      [`delete /api/casework/v1/${kind}/{id}`, anyMember],
    ]),
  ),
  ...Object.fromEntries(
    ['cases/{id}/notes', 'cases/{id}/entities', 'watchlists/{id}/items', 'conversations/{id}/messages']
      .concat('conversations/{id}/turns')
      .flatMap((path) => ['post', 'get'].map((method) => [`${method} /api/casework/v1/${path}`, anyMember])),
  ),
  'get /api/casework/v1/watchlists/{id}/items/{itemId}': anyMember,
  'delete /api/casework/v1/watchlists/{id}/items/{itemId}': anyMember,
  'delete /api/casework/v1/cases/{id}/notes/{itemId}': anyMember,
  'delete /api/casework/v1/cases/{id}/entities/{entityId}': anyMember,
  'get /api/casework/v1/conversations/search': anyMember,
  'get /api/casework/v1/alerts': anyMember,
  'post /api/casework/v1/alerts/read': anyMember,
  'patch /api/casework/v1/alerts/{id}': anyMember,
  'get /api/casework/v1/alerts/read-state': anyMember,
  'put /api/casework/v1/alerts/read-state': anyMember,
  'post /auth/v2/user': everyone,
  'post /auth/v2/session': everyone,
  'put /auth/v2/session/verification': everyone,
  'get /auth/v2/session': authenticated,
  'get /auth/v2/session/{id}': authenticated,
  'get /auth/v2/sessions': authenticated,
  'put /auth/v2/session/extend': authenticated,
  'delete /auth/v2/session': authenticated,
  'delete /auth/v2/session/{id}': authenticated,
  // Without an issuer every caller who is let in is told that there is none.
  'get /auth/v2/oidc': everyone,
  'get /auth/v2/oidc/start': everyone,
  'get /auth/v2/oidc/callback': everyone,
  'post /auth/v2/oidc/backchannel-logout': everyone,
  'get /auth/v2/oidc/link': authenticated,
  'post /auth/v2/oidc/link': authenticated,
  'delete /auth/v2/oidc/link': authenticated,
  'post /auth/v2/keypair': authenticated,
  'get /auth/v2/keypair': authenticated,
  'get /auth/v2/keypairs': authenticated,
  'patch /auth/v2/keypair/{id}': authenticated,
  'post /auth/v2/keypair/{id}/rotate': authenticated,
  'delete /auth/v2/keypair/{id}': authenticated,
}

const routes = apiRoutes(apiPorts(), apiConfig)
const nameOf = ({ method, path }: Route) => `${method} ${path}`

let people: People
let api: RunningApi
let headers: Record<Caller, Record<string, string>>

/** So far the clock of the API is ahead. */
let laterMs = 0
/** More than the time in which wrong credentials from one address are counted: here they come from one for all routes. */
const LATER_MS = 61_000

beforeAll(async () => {
  people = await embeddedPeople()
  const { accounts, team } = people
  // The doors alone: whoever is let in leaves the customer as it is for the next.
  api = await startApi({
    now: () => Date.now() + laterMs,
    accounts,
    team: { ...team, change: async () => 'no_customer' },
  })
  const user = async (...roles: Role[]) => (await person(accounts, { roles })).headers
  const gone = await person(accounts, { roles: ['reporter', 'trusted', 'auth_admin'] })
  await accounts.updateUser(gone.id, { disabled: true }, cause())
  const { owner, admin, user: member } = await crew(people)
  headers = {
    anonymous: {},
    'bad key': { 'api-key': randomUUID(), 'api-secret': randomUUID() },
    user: await user('user'),
    reporter: await user('reporter'),
    trusted: await user('trusted'),
    billing_admin: await user('billing_admin'),
    compute_admin: await user('compute_admin'),
    auth_admin: await user('auth_admin'),
    disabled: gone.headers,
    'owner of a customer': owner.headers,
    'admin of a customer': admin.headers,
    'user of a customer': member.headers,
    'built-in': asAdmin,
  }
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

/** 401 without an identity, 403 without the role; what a caller who may enter is told then is for other tests. */
function expected(route: Route, caller: Caller): 'in' | 401 | 403 {
  if (MATRIX[nameOf(route)]!.has(caller)) return 'in'
  // The token in the path is the credential, and here it is wrong.
  if (MATRIX[nameOf(route)] === nobody) return 401
  return caller === 'anonymous' || caller === 'bad key' || caller === 'disabled' ? 401 : 403
}

test('every declared route has a row, and every row a route', () => {
  expect(routes.map(nameOf).sort()).toEqual(Object.keys(MATRIX).sort())
})

for (const [n, route] of routes.filter((declared) => nameOf(declared) in MATRIX).entries()) {
  for (const caller of CALLERS) {
    test(`${nameOf(route)} answers ${caller}`, async () => {
      laterMs = Math.floor(n / 100) * LATER_MS
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
