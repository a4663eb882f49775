/** What a narrowed key is refused (decisions 16.1; ADR 227). */

import { hasScope, type Identity, isNarrowedToGroups } from '../../../schemas/accounts/accounts.ts'
import type { Scope } from '../../../schemas/accounts/scopes.ts'
import { isWithin } from '../../../schemas/intelligence/compare/networks.ts'
import { knownRange } from '../addresses/known-addresses.ts'
import { ApiError } from '../errors.ts'
import { UNNAMED, WHOLE_ROUTES, type Whole } from './whole-routes.ts'
import { WITHIN_ROUTES } from './within-routes.ts'

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
