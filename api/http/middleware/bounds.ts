/** What a narrowed key is refused (decisions-2 16.1; ADR 227). */

import { hasScope, type Identity } from '../../../schemas/accounts/accounts.ts'
import type { Scope } from '../../../schemas/accounts/scopes.ts'
import { isWithin } from '../../../schemas/intelligence/compare/networks.ts'
import { knownRange } from '../addresses/known-addresses.ts'
import { ApiError } from '../errors.ts'

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

/** Throws 403 for a key that was narrowed: what it would get reaches further than the key. */
export function checkWhole({ bounds }: Pick<Identity, 'bounds'>, what: string): void {
  if (bounds !== null) throw new ApiError('forbidden', { message: `a narrowed key pair may not ${what}` })
}
