/** The words of accounts: roles, groups, and what a set of credentials stands for (decisions 2). */

import type { Network } from '../intelligence/compare/compare-networks.ts'
import { PUBLIC } from '../intelligence/observations/audience.ts'
import type { Scope } from './scopes.ts'

/** Roles of a user account; none implies another (decisions 2.2). */
export const ROLES = ['user', 'reporter', 'trusted', 'billing_admin', 'compute_admin', 'auth_admin'] as const
export type Role = (typeof ROLES)[number]

const CUSTOMER_PREFIX = 'customer-'

/** The group that every member of a customer is in. */
export const customerGroup = (customerId: string): string => `${CUSTOMER_PREFIX}${customerId}`

/** Such a group comes from a membership alone: assigning one by hand would let a stranger read a customer's records. */
export const isCustomerGroup = (group: string): boolean => group.startsWith(CUSTOMER_PREFIX)

/**
 * What a key pair was narrowed to, as it is checked; null: not bounded (decisions 16.1; ADR 227). `networks` are
 * `outermostNetworks`. The groups of an identity are narrowed already.
 */
export type CallerBounds = {
  readonly scopes: readonly Scope[] | null
  readonly groups: readonly string[] | null
  readonly networks: readonly Network[] | null
}

/** Who a caller is once its credentials have been accepted. */
export type Identity = {
  /** UUID. */
  userId: string
  roles: readonly Role[]
  /** Assigned groups and that of its membership: those that it may name. */
  ownGroups: readonly string[]
  /** What the user reads: its own groups and always `public`; sorted, distinct. */
  groups: readonly string[]
  /**
   * The customer whose membership the user has accepted, or null (decisions 2.3); null as well for a key that was narrowed
   * without its group.
   */
  customerId: string | null
  /** The customer whose limits and quotas are used: of every member, also where `customerId` is null. */
  chargedCustomerId: string | null
  disabled: boolean
  /** The administrator of the configuration, who has no row (decisions 2.7). */
  builtIn: boolean
  /** null: of a session, and of a key pair that was not narrowed. */
  bounds: CallerBounds | null
  /**
   * What the caller came with; null for the administrator of the configuration. A download token is its maker, narrowed
   * to the groups and the owner of its one feed (decisions 11.5).
   */
  by: { kind: 'session' | 'key pair'; id: string } | { kind: 'download token'; id: string; feedId: string } | null
}

/** Assigned groups and the one of the customer; sorted, distinct. */
export function ownGroups(assigned: readonly string[], customerId: string | null): string[] {
  const groups = new Set(assigned)
  if (customerId !== null) groups.add(customerGroup(customerId))
  return [...groups].sort()
}

/** Whether the caller reads and acts for some groups of its user alone. */
export const isNarrowedToGroups = ({ bounds }: Pick<Identity, 'bounds'>): boolean => (bounds?.groups ?? null) !== null

/** Whether the caller acts as a member of that customer: a key that was narrowed without its group does not. */
export const actsIn = ({ bounds }: Pick<Identity, 'bounds'>, customerId: string): boolean =>
  bounds === null || bounds.groups === null || bounds.groups.includes(customerGroup(customerId))

/** Whether the caller may use routes of a scope. */
export const hasScope = ({ bounds }: Pick<Identity, 'bounds'>, scope: Scope): boolean =>
  bounds === null || bounds.scopes === null || bounds.scopes.includes(scope)

export const readableGroups = (own: readonly string[]): string[] => [...new Set([PUBLIC, ...own])].sort()
