/** What a caller wants of a key pair, checked before it is compared with what the caller itself may (decisions 16.1). */

import { readClientNetwork } from '../../../../schemas/accounts/client-networks.ts'
import { type KeyBounds, type KeyReach, narrow, UNBOUNDED } from '../../../../schemas/accounts/key-bounds.ts'
import type { Scope } from '../../../../schemas/accounts/scopes.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import { ownGroups } from '../../../http/fields/own-groups.ts'

const DAY_MS = 24 * 60 * 60 * 1000
export const MAX_KEY_DAYS = 3650
/** A key that ends sooner would end before its maker has it. */
const SOONEST_MS = 60 * 1000

export type WantedBounds = { scopes?: Scope[]; groups?: string[]; networks?: string[] }
export type WantedExpiry = { days?: number; expireAt?: number }
export type KeyRequest = { name: string } & WantedBounds & WantedExpiry

/** When a new key ends, in unix milliseconds. Throws 400 unless it says exactly one of the two, within the bounds. */
export function expiryOf({ days, expireAt }: WantedExpiry, now: number): number {
  if (days === undefined && expireAt === undefined) throw invalid('days', 'is required, unless expireAt is given')
  if (days === undefined) return endOf(expireAt!, now)
  if (expireAt !== undefined) throw invalid('expireAt', 'cannot be combined with days')
  return now + days * DAY_MS
}

/** @param expireAt unix seconds. Throws 400 for what is too soon or too late. */
export function endOf(expireAt: number, now: number): number {
  const at = expireAt * 1000
  if (at < now + SOONEST_MS) throw invalid('expireAt', 'must be at least 60 seconds from now')
  if (at > now + MAX_KEY_DAYS * DAY_MS) throw invalid('expireAt', `must be at most ${MAX_KEY_DAYS} days from now`)
  return at
}

/**
 * The bounds that are named, each in its one form. Throws 400 for a network that is none, 403 for a group that is none of
 * `userGroups`: those of the user, and `public`.
 */
export function boundsIn(
  { scopes, groups, networks }: WantedBounds,
  userGroups: readonly string[],
): Partial<KeyBounds> {
  return {
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(networks === undefined ? {} : { networks: networksOf(networks) }),
    ...(groups === undefined ? {} : { groups: ownGroups(userGroups, groups) }),
  }
}

/**
 * What a new key reaches: what is asked for, within its maker, which is what it is where nothing is asked for.
 * @param maker of a narrowed key that makes it; null: of a session, or of a key without bounds
 * @throws ApiError 403 that names what would reach further than the maker
 */
export function reachOf(asked: Partial<KeyReach>, maker: KeyReach | null): KeyReach {
  const made = narrow(maker ?? { ...UNBOUNDED, expiresAt: null }, asked)
  if ('wider' in made) throw tooWide(made.wider)
  return made
}

export const tooWide = (param: string): ApiError =>
  new ApiError('forbidden', { message: `${param}: exceeds the bounds of the key pair that sent the request`, param })

/** In normal form, each once. Throws 400 that names the first that is none. */
export function networksOf(given: readonly string[]): string[] {
  const read = given.map((text, i) => {
    const network = readClientNetwork(text)
    if ('reason' in network) throw invalid(`networks[${i}]`, network.reason)
    return network.text
  })
  return [...new Set(read)]
}
