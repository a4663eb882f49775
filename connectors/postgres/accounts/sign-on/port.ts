/** Single sign-on in the database of the accounts (decisions 16.3; ADR 229). Times are Unix milliseconds. */

import type { Logout, Profile } from '../../../../schemas/accounts/sign-on/claims.ts'
import type { MappedRights } from '../../../../schemas/accounts/sign-on/mapping.ts'
import type { PendingSession } from '../sessions/port.ts'

/** A sign-on under way. */
export type SignOnState = {
  /** Whose account the person is linked to; null: the person signs in. */
  linkUserId: string | null
  /** Path of the console. */
  goesTo: string
  /** What the tab of the console called itself. */
  tab: string
}

/** Hashes are SHA-256: neither the state nor the cookie of the browser is stored. */
export type NewState = SignOnState & {
  stateHash: Buffer
  browserHash: Buffer
  address: string
  createdAt: number
  expiresAt: number
}

/** Issuer and subject are who a person is. */
export type PersonKey = { issuer: string; subject: string }

export type SignIn = {
  person: PersonKey & Profile & { sid: string | null }
  /** null: what the claims give cannot be known, so what they gave before stays. */
  rights: MappedRights | null
  session: PendingSession
  /** UUIDs of a user and a membership, should one be made. */
  userId: string
  membershipId: string
  now: number
  /** The session ends then, also when it is extended. */
  endsAt: number
}

/** `not mapped`: why the mapped membership could not be given; null: it was, or there is none. */
export type SignedIn =
  | { userId: string; isNew: boolean; notMapped: 'no such customer' | 'member of another customer' | null }
  /** Nothing was stored. A person without an account needs a verified address that no account has. */
  | { refused: 'disabled' | 'no verified email' | 'email of an account' }

export type Linked = 'linked' | 'of another user' | 'has another' | 'no such user'

export interface SignOn {
  /** False, and nothing stored: the address, or all together, have that many under way. Near enough under concurrency. */
  open(state: NewState, most: { perAddress: number; inAll: number }): Promise<boolean>
  /** Once, for the browser that began it, before its end; else null. */
  take(stateHash: Buffer, browserHash: Buffer, now: number): Promise<SignOnState | null>
  /**
   * The user of the person, made where there is none, with a session and with the rights that its claims give now: those
   * of the sign-in before, which they do not give any more, go. What was given by hand stays.
   */
  signIn(given: SignIn): Promise<SignedIn>
  /** Makes the person sign in as that user from now on. */
  link(person: PersonKey, userId: string, now: number): Promise<Linked>
  /** When the account was linked; null: it is not. */
  linkedAt(userId: string): Promise<number | null>
  /** Ends the link and takes away what was mapped by it. False: there was none. */
  unlink(userId: string): Promise<boolean>
  /**
   * Ends the sessions that a logout token names; keys stay. The token is remembered until `expiresAt`, and does nothing
   * when it comes again: null. Else how many sessions ended.
   */
  logOut(logout: Logout, at: { now: number; expiresAt: number }): Promise<number | null>
}
