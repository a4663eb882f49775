/** Rows of customers and memberships <-> records of the port. */

import type { Insertable, Selectable } from 'kysely'
import { MEMBER_ROLES, type MemberRole } from '../../../../schemas/accounts/team.ts'
import type { TeamTables } from '../../tables/team-tables.ts'
import type { BillingAddress, Customer, Member, NewCustomer } from './port.ts'

const NO_ADDRESS: BillingAddress = { street: '', city: '', state: '', postalCode: '', country: '' }

export const customerRow = (customer: NewCustomer): Insertable<TeamTables['customers']> => ({
  id: customer.id,
  name: customer.name,
  email: customer.email,
  billing_address: JSON.stringify(customer.billingAddress),
  tier: customer.tier,
  created_at: new Date(customer.createdAt),
})

export const customerOf = (
  row: Selectable<TeamTables['customers']> & { provider_customer: string | null },
): Customer => ({
  id: row.id,
  name: row.name,
  email: row.email,
  billingAddress: { ...NO_ADDRESS, ...(row.billing_address as Partial<BillingAddress>) },
  tier: row.tier,
  quantity: row.quantity,
  subscriptionStatus: row.subscription_status,
  providerCustomer: row.provider_customer,
  createdAt: row.created_at.getTime(),
})

type MemberRow = Pick<Selectable<TeamTables['memberships']>, 'id' | 'user_id' | 'role' | 'accepted_at'> & {
  full_name: string
  alias: string
  address: string | null
}

export const memberOf = (row: MemberRow): Member => ({
  id: row.id,
  userId: row.user_id,
  role: roleOf(row.role),
  joinedAt: row.accepted_at?.getTime() ?? null,
  fullName: row.full_name,
  alias: row.alias,
  email: row.address,
})

/** A role that a newer version stored must not pass for one that we know. Throws. */
export function roleOf(text: string): MemberRole {
  const role = MEMBER_ROLES.find((known) => known === text)
  if (role === undefined) throw new RangeError(`unknown role of a membership: ${text}`)
  return role
}
