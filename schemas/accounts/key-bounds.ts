/** What a key pair was narrowed to, and what may be narrowed further (decisions 16.1; ADR 227). Pure. */

import { isWithin } from '../intelligence/compare/compare-networks.ts'
import { parseNetworks, readClientNetwork } from './client-networks.ts'
import type { Scope } from './scopes.ts'

/** null: not bounded. A list is never empty. `networks` in CIDR notation. */
export type KeyBounds = {
  readonly scopes: readonly Scope[] | null
  readonly groups: readonly string[] | null
  readonly networks: readonly string[] | null
}

/** `expiresAt` in unix milliseconds; null: never. */
export type KeyReach = KeyBounds & { readonly expiresAt: number | null }

export const UNBOUNDED: KeyBounds = { scopes: null, groups: null, networks: null }

export const isNarrowed = ({ scopes, groups, networks }: KeyBounds): boolean =>
  scopes !== null || groups !== null || networks !== null

/** Names the part that reaches further than allowed, as its request calls it: `scopes`, `groups`, `networks` or `expireAt`. */
export type Wider = { wider: string }

/**
 * `before`, narrowed to what is asked for; what is not named stays as it was. The result never reaches further than
 * `before`: where something would, nothing changes, and the answer names it.
 */
export function narrow(before: KeyReach, asked: Partial<KeyReach>): KeyReach | Wider {
  const after: KeyReach = {
    scopes: asked.scopes ?? before.scopes,
    groups: asked.groups ?? before.groups,
    networks: asked.networks ?? before.networks,
    expiresAt: asked.expiresAt ?? before.expiresAt,
  }
  const wider = widerPart(after, before)
  return wider === null ? after : { wider }
}

/** The first part of `inner` that `outer` does not have, by its name; null: `inner` reaches no further. */
export function widerPart(inner: KeyReach, outer: KeyReach): string | null {
  const bound = widerBound(inner, outer)
  if (bound !== null || outer.expiresAt === null) return bound
  return inner.expiresAt === null || inner.expiresAt > outer.expiresAt ? 'expireAt' : null
}

/** The same without the end of the keys. */
export const widerBound = (inner: KeyBounds, outer: KeyBounds): string | null =>
  outside('scopes', inner.scopes, outer.scopes) ??
  outside('groups', inner.groups, outer.groups) ??
  outsideNetworks(inner.networks, outer.networks)

function outside(name: string, inner: readonly string[] | null, outer: readonly string[] | null): string | null {
  if (outer === null) return null
  return inner?.every((one) => outer.includes(one)) ? null : name
}

function outsideNetworks(inner: readonly string[] | null, outer: readonly string[] | null): string | null {
  if (outer === null) return null
  const known = parseNetworks(outer)
  const isInside = (text: string): boolean => {
    const network = readClientNetwork(text)
    return !('reason' in network) && isWithin(known, network.range)
  }
  return inner?.every(isInside) ? null : 'networks'
}

/** The groups of a user that a key reads. */
export const boundGroups = (own: readonly string[], { groups }: Pick<KeyBounds, 'groups'>): readonly string[] =>
  groups === null ? own : own.filter((group) => groups.includes(group))
