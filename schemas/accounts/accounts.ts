/** The words of accounts: roles, groups, and what a set of credentials stands for (decisions 2). */

import { PUBLIC } from '../intelligence/observations/audience.ts'

/** Roles of a user account; none implies another (decisions 2.2). */
export const ROLES = ['user', 'reporter', 'trusted', 'billing_admin', 'compute_admin', 'auth_admin'] as const
export type Role = (typeof ROLES)[number]

const CUSTOMER_PREFIX = 'customer-'

/** The group that a membership of a customer gives. */
/** The group that every member of a customer is in. */
export const customerGroup = (customerId: string): string => `${CUSTOMER_PREFIX}${customerId}`

/** Such a group comes from a membership alone: assigning one by hand would let a stranger read a customer's records. */
export const isCustomerGroup = (group: string): boolean => group.startsWith(CUSTOMER_PREFIX)

/** Who a caller is once its credentials have been accepted. */
export type Identity = {
  /** UUID. */
  userId: string
  roles: readonly Role[]
  /** Assigned groups and that of its membership: those that it may name. */
  ownGroups: readonly string[]
  /** What the user reads: its own groups and always `public`; sorted, distinct. */
  groups: readonly string[]
  /** The customer that the user is a member of, or null. */
  customerId: string | null
  /** Whether the user has accepted that membership: until then its default audience and its source stay its own. */
  accepted: boolean
  disabled: boolean
  /** The administrator of the configuration, who has no row (decisions 2.7). */
  builtIn: boolean
  /**
   * What the caller came with; null for the administrator of the configuration. A download token is its maker, narrowed
   * to the groups and the owner of its one feed (decisions-2 11.5).
   */
  by: { kind: 'session' | 'key pair'; id: string } | { kind: 'download token'; id: string; feedId: string } | null
}

/** Assigned groups and the one of the customer; sorted, distinct. */
export function ownGroups(assigned: readonly string[], customerId: string | null): string[] {
  const groups = new Set(assigned)
  if (customerId !== null) groups.add(customerGroup(customerId))
  return [...groups].sort()
}

/** Who reads what a user submits without saying so (decisions 2.3): its groups, those of accepted memberships alone. */
export const defaultGroups = ({ ownGroups: own, accepted }: Pick<Identity, 'ownGroups' | 'accepted'>): string[] =>
  own.filter((group) => accepted || !isCustomerGroup(group))

/** The customer on behalf of which a user submits; null: the user itself. */
export const actingCustomer = ({ customerId, accepted }: Pick<Identity, 'customerId' | 'accepted'>): string | null =>
  accepted ? customerId : null

export const readableGroups = (own: readonly string[]): string[] => [...new Set([PUBLIC, ...own])].sort()
