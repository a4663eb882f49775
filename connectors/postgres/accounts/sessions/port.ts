/** Sessions, key pairs and the codes that make them count: three questions to the database of the accounts. */

import type { KeyBounds, KeyReach, Wider } from '../../../../schemas/accounts/key-bounds.ts'
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
