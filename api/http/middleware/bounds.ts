/** What a narrowed key is refused (decisions 16.1; ADR 227). */

import { hasScope, type Identity, isNarrowedToGroups } from '../../../schemas/accounts/accounts.ts'
import type { Scope } from '../../../schemas/accounts/scopes.ts'
import { isWithin } from '../../../schemas/intelligence/compare/compare-networks.ts'
import { knownRange } from '../addresses/known-addresses.ts'
import { ApiError } from '../errors.ts'
import { UNNAMED, WHOLE_ROUTES, type Whole } from './whole-routes.ts'

// Routes on which a narrowed key changes what lies within its bounds, and why it can do no more (ADR 251).

type Within = { because: string; routes: readonly string[] }

const CASEWORK = '/api/casework/v1'
const DESTINATIONS = '/api/alerts/v1/destinations'
const FEEDS = '/api/feeds/v1/feeds'
const SEARCH = '/api/search/v1'
const INGEST = '/api/ingest/v1'

export const WITHIN_ROUTES: readonly Within[] = [
  {
    because: 'it only reads, by the groups of the key',
    routes: [
      `post ${SEARCH}/around`,
      ...['advanced', 'history/advanced', 'history/simple', 'lookup', 'selector', 'simple'].map(
        (name) => `post ${SEARCH}/entities/${name}`,
      ),
      `post ${SEARCH}/entity`,
      `post ${SEARCH}/reputation`,
      'post /mcp',
      `post ${CASEWORK}/triage/states`,
    ],
  },
  {
    because: 'it translates ids of users into names, as the lists of administrators do',
    routes: ['post /api/admin/v1/names'],
  },
  {
    because:
      'a key is made, narrowed, verified, rotated and deleted within the bounds of the key that asks (key-maker.ts)',
    routes: [
      'post /auth/v2/keypair',
      'patch /auth/v2/keypair/{id}',
      'post /auth/v2/keypair/{id}/rotate',
      'delete /auth/v2/keypair/{id}',
      'post /auth/v2/admin/user/{id}/keypair',
      'put /auth/v2/admin/keypair/{id}/verify',
    ],
  },
  {
    because: 'a report is for groups that the key has, or for all',
    routes: [
      ...['association', 'comment', 'entities', 'entity', 'scan', 'well-known'].map((name) => `post ${INGEST}/${name}`),
      `delete ${INGEST}/well-known/{entityId}`,
      'post /taxii2/harrier/collections/{id}/objects/',
      'delete /taxii2/harrier/collections/{id}/objects/{objectId}/',
    ],
  },
  {
    because:
      'a feed belongs to users who are in all of its groups, and its token has the bounds of the key that created it',
    routes: [
      `post ${FEEDS}`,
      `patch ${FEEDS}/{id}`,
      `delete ${FEEDS}/{id}`,
      `post ${FEEDS}/{id}/hold`,
      `post ${FEEDS}/{id}/release`,
      `post ${FEEDS}/{id}/tokens`,
      `delete ${FEEDS}/{id}/tokens/{tokenID}`,
    ],
  },
  {
    because: 'telemetry and its settings belong to the customer, if the key has its group, or to the user',
    routes: ['post /api/match/v1/events', 'put /api/match/v1/settings'],
  },
  {
    because: 'a key without the group of its customer acts in no customer',
    routes: [
      ...['cases', 'conversations', 'searches', 'watchlists'].flatMap((name) => [
        `post ${CASEWORK}/${name}`,
        `put ${CASEWORK}/${name}/{id}`,
        `patch ${CASEWORK}/${name}/{id}`,
        `delete ${CASEWORK}/${name}/{id}`,
      ]),
      ...['cases/{id}/entities', 'cases/{id}/notes', 'conversations/{id}/messages', 'conversations/{id}/turns'].map(
        (name) => `post ${CASEWORK}/${name}`,
      ),
      `delete ${CASEWORK}/cases/{id}/entities/{entityId}`,
      `delete ${CASEWORK}/cases/{id}/notes/{itemId}`,
      `post ${CASEWORK}/watchlists/{id}/items`,
      `delete ${CASEWORK}/watchlists/{id}/items/{itemId}`,
      `post ${CASEWORK}/triage`,
      `put ${CASEWORK}/verdicts/{entityId}`,
      `delete ${CASEWORK}/verdicts/{entityId}`,
      'post /api/compute/v1/instances',
      'delete /api/compute/v1/instances/{id}',
      ...['reset', 'restart', 'start', 'stop'].map((step) => `post /api/compute/v1/instances/{id}/${step}`),
    ],
  },
  {
    because: 'alerts that the key may not read do not exist for it',
    routes: [`patch ${CASEWORK}/alerts/{id}`],
  },
  {
    because: 'a key that was narrowed to groups handles only destinations for public alerts (destinations.ts)',
    routes: [
      `post ${DESTINATIONS}`,
      `patch ${DESTINATIONS}/{id}`,
      `delete ${DESTINATIONS}/{id}`,
      ...['confirm', 'secret', 'test'].map((act) => `post ${DESTINATIONS}/{id}/${act}`),
      `post ${DESTINATIONS}/deliveries/{id}/retry`,
      'post /api/alerts/v1/deliveries/{id}/retry',
    ],
  },
]

/** Throws 403 for an address outside of the networks of the caller. */
export function checkNetwork({ bounds }: Pick<Identity, 'bounds'>, address: string): void {
  if (bounds === null || bounds.networks === null) return
  const range = knownRange(address)
  if (range === null || !isWithin(bounds.networks, range)) throw new ApiError('network_refused')
}

/** Throws 403 for a caller without the scope. */
export function checkScope(user: Pick<Identity, 'bounds'>, scope: Scope | null): void {
  if (scope === null || hasScope(user, scope)) return
  throw new ApiError('scope_missing', { message: `the scope ${scope} is required, which the key pair does not have` })
}

/** Throws 403 for a key that was narrowed where what it asks for reaches further than it does. */
export function checkWhole(user: Pick<Identity, 'bounds'>, whole: Whole | null): void {
  if (whole === null || user.bounds === null) return
  if (whole.of === 'groups' && !isNarrowedToGroups(user)) return
  const key = whole.of === 'groups' ? 'a key pair that is narrowed to groups' : 'a narrowed key pair'
  throw new ApiError('forbidden', { message: `${key} may not ${whole.what}` })
}

const WITHIN = new Set(WITHIN_ROUTES.flatMap(({ routes }) => routes))

/**
 * Which narrowed keys a route refuses; null: none, as it acts within their bounds. A route that changes something and that
 * neither list names refuses those that were narrowed to groups. `open` routes look at no key.
 */
export function wholeOf({ method, path, access }: { method: string; path: string; access: string }): Whole | null {
  const name = `${method} ${path}`
  if (Object.hasOwn(WHOLE_ROUTES, name)) return WHOLE_ROUTES[name]!
  return method === 'get' || access === 'open' || WITHIN.has(name) ? null : UNNAMED
}
