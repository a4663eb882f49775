/** Sessions and key pairs, and what makes them count: codes by mail, and single sign-on. Over the database of the accounts. */

import type { KeyBounds, KeyReach, Wider } from '../../../../schemas/accounts/key-bounds.ts'
import type { Logout, Profile } from '../../../../schemas/accounts/sign-on/claims.ts'
import type { MappedRights } from '../../../../schemas/accounts/sign-on/mapping.ts'
import type { KeyPair } from '../users/port.ts'

/** At most `max` codes since a moment (Unix milliseconds). */
export type Bound = { max: number; since: number }

/** A session that begins with its code. */
export type PendingSession = { id: string; tokenHash: Buffer; kind: string }

/** What a right code makes. */
export type Subject =
  /** A session of a user. */
  | { of: 'login'; userId: string; session: PendingSession }
  /** A user, unless the email has one by then, and a session of that user. */
  | {
      of: 'registration'
      user: { id: string; email: string; fullName: string; alias: string }
      session: PendingSession
    }
  /** A key pair, stored at once and good for nothing before. */
  | { of: 'key pair'; pair: KeyPair }
  /** An address of a user, stored before, that counts from then on. */
  | { of: 'email'; emailId: string }
  /** The address of a destination of alerts, while it has that one. */
  | { of: 'destination'; destinationId: string }
  /** Nothing: nobody was told the code. */
  | { of: 'nobody' }

/** The limits on requested codes; redeemed codes do not count, except for `address`. */
export type CodeBounds = {
  /** Of one client address, whatever the email. */
  address: readonly Bound[]
  /** Of one email from one network. */
  network: readonly Bound[]
  /** Of one email from all networks together, but for the reserve. */
  email: readonly Bound[]
  /** Of one email from networks that it was verified from since a moment: kept for them, whatever others ask for. */
  reserve: readonly Bound[]
  knownSince: number
}

export type NewCode = {
  /** SHA-256 of the id that the caller has to name. */
  idHash: Buffer
  codeHash: Buffer
  /** Who reads the mail, and where the request came from: both are counted. */
  email: string
  address: string
  /** Hash of the email and the network of that address. */
  network: Buffer
  subject: Subject
  tries: number
  /** Unix milliseconds. */
  expiresAt: number
  createdAt: number
}

/** What a right code has made, or made to count. */
export type Redeemed = { of: 'session' | 'key pair' | 'email'; id: string; expiresAt: number | null }

export interface Codes {
  /** The user of an email in whatever case; null when there is none or it is disabled. */
  userIdOf(email: string): Promise<string | null>
  /**
   * False, and nothing stored, when the address, the network or the email has had its share: exact, whoever asks at the
   * same time. A network that the email was verified from takes of the reserve first, then of what all have together.
   * Codes that were redeemed count for the address alone: who redeems one reads the mail of that email.
   */
  open(code: NewCode, bounds: CodeBounds): Promise<boolean>
  /** The code is good for nothing any more, but still counts. */
  void(idHash: Buffer): Promise<void>
  /** Uses up one try: the hash to compare with, or null when no try is left, time is over or there is no such code. */
  takeTry(idHash: Buffer, now: number): Promise<Buffer | null>
  /** Once per code; its network is known from then on. null: it was redeemed, voided or too late. A new session ends at `sessionExpiresAt`. */
  redeem(idHash: Buffer, at: { now: number; sessionExpiresAt: number }): Promise<Redeemed | null>
  /** The same for the code of a destination: its id. Neither takes the codes of the other. */
  confirmDestination(idHash: Buffer, now: number): Promise<string | null>
  /** Drops codes, sessions, unverified key pairs, known networks and invitations that are of no use; a bounded number at a time. */
  purge(at: { now: number; codesBefore: number; unverifiedBefore: number; knownBefore: number }): Promise<void>
}

export type SessionRecord = {
  id: string
  userId: string
  /** The word of the client that opened it. */
  kind: string
  verified: boolean
  /** Unix milliseconds. */
  expiresAt: number
  createdAt: number
}

/** Every question names the user: another user's session is as good as none. */
export interface Sessions {
  /** null when there is none, or it has expired. */
  session(userId: string, id: string, now: number): Promise<SessionRecord | null>
  /** Newest first. */
  sessions(userId: string, now: number): Promise<SessionRecord[]>
  /** When it ends: a session of single sign-on within its 12 hours, whatever is wanted. null: no such session. */
  extendSession(userId: string, id: string, at: { now: number; expiresAt: number }): Promise<number | null>
  endSession(userId: string, id: string): Promise<boolean>
}

export type KeyPairRecord = {
  id: string
  userId: string
  name: string
  apiKey: string
  verified: boolean
  bounds: KeyBounds
  /** Until when the secret before the last rotation works, or worked; null: it was never rotated, or left no time. */
  previousUntil: number | null
  /** Unix milliseconds; null: never. */
  expiresAt: number | null
  createdAt: number
}

/** What is not named stays. */
export type KeyPairChange = { name?: string } & Partial<KeyReach>

/** A new secret. The old one works until `previousUntil`, in unix milliseconds; null: from now on no more. */
export type NewSecret = { secretHash: Buffer; previousUntil: number | null; now: number }

export interface KeyPairs {
  /** Verified. `full`: the user has `max` already, exact under concurrency. */
  addKeyPair(pair: KeyPair, max: number): Promise<'added' | 'full' | 'no such user'>
  keyPair(userId: string, id: string): Promise<KeyPairRecord | null>
  /** Newest first. */
  keyPairs(userId: string): Promise<KeyPairRecord[]>
  /**
   * The key pair after the change; null: no such key pair. It is only ever narrowed: what would reach further than what is
   * stored in that moment is named, and nothing changes.
   */
  changeKeyPair(userId: string, id: string, change: KeyPairChange): Promise<KeyPairRecord | Wider | null>
  /** Of several rotations only the last old secret works. null: no such key pair. */
  rotateKeyPair(userId: string, id: string, secret: NewSecret): Promise<KeyPairRecord | null>
  /** False: no such key pair. */
  deleteKeyPair(userId: string, id: string): Promise<boolean>
}

type Span = { limit: number; offset: number }

/** The sessions of every user, for administrators; the other methods return whether the session existed. */
export interface CredentialAdministration {
  /** Newest first, those that have not expired; `items` counts all of them. */
  allSessions(now: number, span: Span): Promise<{ items: number; sessions: SessionRecord[] }>
  /** Also one whose code has not come: it begins as if it had. */
  verifyAnySession(id: string, at: { now: number; sessionExpiresAt: number }): Promise<boolean>
  endAnySession(id: string): Promise<boolean>
  /** Newest first; `items` counts all. */
  allKeyPairs(span: Span): Promise<{ items: number; keyPairs: KeyPairRecord[] }>
  /** null: no such key pair. */
  anyKeyPair(id: string): Promise<KeyPairRecord | null>
  verifyAnyKeyPair(id: string): Promise<boolean>
  deleteAnyKeyPair(id: string): Promise<boolean>
}

export type SessionStore = Codes & Sessions & KeyPairs & CredentialAdministration

/** A sign-on under way (decisions 16.3; ADR 276). Times of single sign-on are Unix milliseconds. */
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
