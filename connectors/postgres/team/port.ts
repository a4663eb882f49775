/** Customers and who belongs to them. Over the same database as accounts: a membership is also a group to read. */

import type { MemberChange, MemberRole, TeamRefusal } from '../../../schemas/accounts/team.ts'

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
  /** Id at the payment provider; null: it has not met the customer. */
  providerCustomer: string | null
  /** Unix milliseconds. */
  createdAt: number
}

export type NewCustomer = Pick<Customer, 'id' | 'name' | 'email' | 'billingAddress' | 'tier' | 'createdAt'> & {
  /** The first owner, and the UUID of that membership. */
  ownerId: string
  membershipId: string
}

export type Member = {
  /** UUID of the membership. */
  id: string
  userId: string
  role: MemberRole
  /** Unix milliseconds; null: the user has not accepted. */
  joinedAt: number | null
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

export type Invitation = {
  /** User id of the member who invites. */
  caller: string
  /** In lower case. */
  email: string
  role: MemberRole
  /** SHA-256 of what the mail tells. */
  tokenHash: Buffer
  /** Unix milliseconds. */
  createdAt: number
  expiresAt: number
}

/** Invitations since a moment (Unix milliseconds). */
export type InvitationBounds = { since: number; perCustomer: number; perEmail: number }

export type TakenInvitation = { tokenHash: Buffer; userId: string; membershipId: string; now: number }

export interface Team {
  /** null: the user belongs to no customer. `accepted`: it has said yes. */
  membership(userId: string): Promise<{ customerId: string; role: MemberRole; accepted: boolean } | null>
  customer(id: string): Promise<Customer | null>
  /** Oldest first; `items` counts all. */
  customers(
    wanted: Paging & { tier?: string | undefined; status?: Customer['subscriptionStatus'] | undefined },
  ): Promise<{ customers: Customer[]; items: number }>
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
  /** Removes any member but the last owner, by the administration of the platform. */
  dismiss(customerId: string, userId: string): Promise<'no_customer' | 'not_a_member' | 'last_owner' | null>
  /** The user says yes to its membership; once is enough. False: it has none. */
  accept(userId: string, now: number): Promise<boolean>
  /**
   * Stores an invitation to the customer of the caller. `too many`: the customer has had its share. `silent`: the address
   * has; nothing was stored, and the caller is not to be told.
   */
  invite(invitation: Invitation, bounds: InvitationBounds): Promise<TeamRefusal | 'too many' | 'silent' | null>
  /**
   * Makes the user an accepted member; the invitation is gone then, and stays for a user who is refused. `no invitation`:
   * unknown, over, for an address that the user has not verified, or of a member who may not invite any more.
   */
  takeInvitation(taken: TakenInvitation): Promise<'no invitation' | 'already_member' | 'unknown_user' | null>
}
