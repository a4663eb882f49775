/** Customers and who belongs to them. Over the same database as accounts: a membership is also a group to read. */

import type { MemberChange, MemberRole, TeamRefusal } from '../../schemas/team.ts'

export type BillingAddress = { street: string; city: string; state: string; postalCode: string; country: string }

export type Customer = {
  /** UUID. */
  id: string
  name: string
  email: string
  /** Empty texts where nothing was said. */
  billingAddress: BillingAddress
  tier: string
  /** Multiplies the quotas of the tier. */
  quantity: number
  subscriptionStatus: 'active' | 'cancelled'
  /** Unix milliseconds. */
  createdAt: number
}

export type NewCustomer = Pick<Customer, 'id' | 'name' | 'email' | 'billingAddress' | 'createdAt'> & {
  /** The first owner, and the UUID of that membership. */
  ownerId: string
  membershipId: string
}

export type Member = {
  /** UUID of the membership. */
  id: string
  userId: string
  role: MemberRole
}

/** `page` from 1; at most `limit` records. */
export type Paging = { page: number; limit: number }

export type ChangeRequest = {
  /** User ids. Who leaves is its own target. */
  caller: string
  target: string
  change: MemberChange
  /** UUID of the membership that `add` makes. */
  membershipId: string
}

export type Appointment = {
  customerId: string
  userId: string
  role: MemberRole
  /** UUID of the membership. */
  membershipId: string
}

export interface Team {
  /** null: the user belongs to no customer. */
  membership(userId: string): Promise<{ customerId: string; role: MemberRole } | null>
  customer(id: string): Promise<Customer | null>
  /** Oldest first; `items` counts all. */
  customers(paging: Paging): Promise<{ customers: Customer[]; items: number }>
  /** In the order of their membership ids, which grow with time; `items` counts all. */
  members(customerId: string, paging: Paging): Promise<{ members: Member[]; items: number }>
  /** With its owner. Anything but null: nothing was stored. */
  createCustomer(customer: NewCustomer): Promise<'already_member' | 'unknown_user' | null>
  /**
   * A change of the customer that the caller belongs to, decided by `teamRefusal` on facts that nobody else changes
   * meanwhile. Resolves to why nothing happened, or null.
   */
  change(request: ChangeRequest): Promise<TeamRefusal | null>
  /** Adds a member with any role, by the administration of the platform. Resolves to why nothing happened, or null. */
  appoint(appointment: Appointment): Promise<'no_customer' | 'already_member' | 'unknown_user' | null>
}
