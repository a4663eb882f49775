/** Customers and who belongs to them. Over the same database as accounts: a membership is also a group to read. */

import type { MemberChange, MemberRole, TeamRefusal } from '../../../../schemas/accounts/team.ts'

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
  fullName: string
  alias: string
  /** The preferred address; null: it is not verified. */
  email: string | null
}

/** Names of a customer and of some of its accepted members, by user id. */
export type TeamNames = {
  customer: string
  members: (Pick<Member, 'userId' | 'fullName' | 'alias'> & { email: string | null })[]
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

/** A membership that its user has not accepted, with the name of the customer. */
export type Waiting = { customerId: string; name: string; role: MemberRole }

/** `several`: the user has to name one. `already_member`: it has accepted another one. */
export type Consent = 'no membership' | 'several' | 'already_member' | null

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

/** An invitation that nobody has taken yet; the newest of the customer to its address. */
export type WaitingInvitation = Pick<Invitation, 'email' | 'role' | 'createdAt' | 'expiresAt'> & {
  /** UUID. */
  id: string
  /** User id. */
  invitedBy: string
}

/**
 * What to do about an invitation that was stored. `none`: its address has had its mails, and the caller is not to be told.
 * `again`: it replaces another one of the customer to the same address.
 */
export type InvitationMail = 'first' | 'again' | 'none'

/** Invitations since a moment (Unix milliseconds). */
export type InvitationBounds = { since: number; perCustomer: number; perEmail: number }

export type TakenInvitation = { tokenHash: Buffer; userId: string; membershipId: string; now: number }

export interface Team {
  /** What the user has accepted; null: it belongs to no customer. */
  membership(userId: string): Promise<{ customerId: string; role: MemberRole } | null>
  /** What waits for the user to say yes, the oldest first, a hundred at most. */
  waiting(userId: string): Promise<Waiting[]>
  customer(id: string): Promise<Customer | null>
  /** Oldest first; `items` counts all. */
  customers(
    wanted: Paging & { tier?: string | undefined; status?: Customer['subscriptionStatus'] | undefined },
  ): Promise<{ customers: Customer[]; items: number }>
  /** In the order of their membership ids, which grow with time; `items` counts all. */
  members(customerId: string, paging: Paging): Promise<{ members: Member[]; items: number }>
  /** Of these users only accepted members are named. null: no such customer. */
  names(customerId: string, userIds: readonly string[]): Promise<TeamNames | null>
  /** With its owner. Anything but null: nothing was stored. */
  createCustomer(customer: NewCustomer): Promise<'already_member' | 'unknown_user' | null>
  /**
   * A change of the customer that the caller belongs to, decided by `teamRefusal` on facts that nobody else changes
   * meanwhile. Resolves to why nothing happened, or null.
   */
  change(request: ChangeRequest): Promise<TeamRefusal | null>
  /** Makes an accepted member with any role, by the administration of the platform. Resolves to why nothing happened, or null. */
  appoint(appointment: Appointment): Promise<'no_customer' | 'already_member' | 'unknown_user' | null>
  /** Removes any member but the last owner, by the administration of the platform. */
  dismiss(customerId: string, userId: string): Promise<'no_customer' | 'not_a_member' | 'last_owner' | null>
  /**
   * The user says yes to a membership that waits, which ends the others; once is enough. `customerId` null: the only one.
   * Resolves to why nothing happened, or null.
   */
  accept(userId: string, customerId: string | null, now: number): Promise<Consent>
  /** The user says no to a membership that waits. `customerId` null: the only one. */
  decline(userId: string, customerId: string | null): Promise<Consent>
  /** Stores an invitation to the customer of the caller. `too many`: the customer has had its share. */
  invite(
    invitation: Invitation,
    bounds: InvitationBounds,
  ): Promise<{ refused: TeamRefusal | 'too many' } | { mail: InvitationMail }>
  /** Forgets an invitation whose mail could not be sent: it does not count. */
  forgetInvitation(tokenHash: Buffer): Promise<void>
  /** Newest first, one for each address; `items` counts all. */
  invitations(
    customerId: string,
    paging: Paging,
    now: number,
  ): Promise<{ invitations: WaitingInvitation[]; items: number }>
  /** Ends every invitation of the customer to the address of this one. False: it does not wait. */
  withdrawInvitation(customerId: string, id: string, now: number): Promise<boolean>
  /**
   * Makes the user an accepted member, also one who was added meanwhile; it ends every invitation of the customer to the
   * user, and none for a user who is refused. `no invitation`: unknown, over, for an address that the user has not
   * verified, or of a member who may not invite any more.
   */
  takeInvitation(taken: TakenInvitation): Promise<'no invitation' | 'already_member' | 'unknown_user' | null>
}
