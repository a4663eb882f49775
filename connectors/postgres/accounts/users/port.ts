/** Users with what proves who they are: credentials, email addresses (ADR 276) and identity checks. */

import type { Identity, Role } from '../../../../schemas/accounts/accounts.ts'
import type { CheckStatus } from '../../../../schemas/accounts/identity/identity-check.ts'
import type { KeyBounds } from '../../../../schemas/accounts/key-bounds.ts'
import type { Cause } from '../../../../schemas/accounts/lifecycle.ts'

/** What is stored of a key pair or a session; whether a caller's secret fits is for the caller of the port to decide. */
export type Credential = {
  /** SHA-256 of the secret. */
  secretHash: Buffer
  /**
   * Of a key that was rotated: until when (unix milliseconds) its old secret works; the hash is null where it worked no
   * longer from the rotation on.
   */
  previous: { secretHash: Buffer | null; until: number } | null
  /** Unix milliseconds; null: never. */
  expiresAt: number | null
  /** Sessions and keys count only once verified. */
  verified: boolean
  identity: Identity
}

export type User = {
  /** UUID. */
  id: string
  email: string
  fullName: string
  alias: string
  roles: Role[]
  /** Assigned groups alone, without those of memberships. */
  groups: string[]
  disabled: boolean
  /** Unix milliseconds. */
  createdAt: number
}

/** What the rules of single sign-on give beside what was given by hand. */
export type MappedRights = { roles: Role[]; groups: string[] }

export type NewUser = Omit<User, 'disabled'>

export type UserChange = {
  roles?: Role[]
  groups?: string[]
  disabled?: boolean
  /** One role more or less, whatever else changes the user in the same moment. */
  addRole?: Role
  removeRole?: Role
}

/** `query`: part of the email or the alias, in whatever case; every character stands for itself. `page` from 1. */
export type UserQuestion = {
  query?: string | undefined
  role?: Role | undefined
  enabled?: boolean | undefined
  /** State of the identity check. */
  check?: CheckStatus | undefined
  page: number
  limit: number
}

export type KeyPair = {
  /** UUID. */
  id: string
  userId: string
  name: string
  /** The public half. */
  apiKey: string
  secretHash: Buffer
  bounds: KeyBounds
  /** Unix milliseconds; null: never. */
  expiresAt: number | null
  /** Unix milliseconds. */
  createdAt: number
}

export type Session = {
  /** UUID. */
  id: string
  userId: string
  /** SHA-256 of the bearer token. */
  tokenHash: Buffer
  verified: boolean
  /** The word of the client, or of whoever opened it. */
  kind: string
  /** Unix milliseconds. */
  expiresAt: number
  /** Unix milliseconds. */
  createdAt: number
}

export interface Accounts {
  /** null: no such key. */
  keyPairCredential(apiKey: string): Promise<Credential | null>
  /** By the SHA-256 of the bearer token. null: no such session. */
  sessionCredential(tokenHash: Buffer): Promise<Credential | null>
  /** False when another user has the email, in whatever case; nothing is stored then. */
  createUser(user: NewUser): Promise<boolean>
  user(id: string): Promise<User | null>
  /** Roles by user, those of single sign-on among them; users that do not exist are left out. */
  rolesOf(ids: readonly string[]): Promise<Map<string, Role[]>>
  /** By user, what single sign-on maps; users without any are left out. */
  mappedRights(ids: readonly string[]): Promise<Map<string, MappedRights>>
  /** Newest first; `items` counts all that match. */
  users(question: UserQuestion): Promise<{ items: number; users: User[] }>
  /** The user after the change; null: no such user. Disabling one writes `user.disabled`, unless it was disabled. */
  updateUser(id: string, change: UserChange, cause: Cause): Promise<User | null>
  /** False: no such user. */
  createKeyPair(keyPair: KeyPair): Promise<boolean>
  /** False: no such user. */
  createSession(session: Session): Promise<boolean>
  /** Names the last migration. Rejects when the store cannot be reached or lacks migrations. */
  ping(): Promise<string>
  close(): Promise<void>
}

/** The platform writes to the preferred address of a user. Only a verified one opens a session (ADR 276). */
export type Email = {
  /** UUID. */
  id: string
  userId: string
  address: string
  verified: boolean
  preferred: boolean
  /** Unix milliseconds. */
  createdAt: number
}

export type NewEmail = Omit<Email, 'preferred'>

export interface Emails {
  /** The preferred one first, the others by age. */
  ofUser(userId: string): Promise<Email[]>
  /** The same of several users at once, in one list. */
  ofUsers(userIds: readonly string[]): Promise<Email[]>
  /** The user who has verified the address, in whatever case; null when there is none. */
  ownerOf(address: string): Promise<string | null>
  /**
   * Stores an address of a user. The same one again, while it is not verified, is the one that is there: `email` tells
   * which it is. `taken`: a verified one was given and another user has it.
   */
  add(
    email: NewEmail,
    max: number,
  ): Promise<{ email: Email } | { refused: 'full' | 'no such user' | 'verified already' | 'taken' }>
  /**
   * Makes a verified address the preferred one; `former` is what it was before. `userId` null: that of any user. null:
   * there is no such address.
   */
  prefer(userId: string | null, id: string): Promise<{ email: Email; former: string } | 'unverified' | null>
  /** With the codes that were mailed to it. `userId` null: that of any user. null: there is no such address. */
  remove(userId: string | null, id: string): Promise<Email | 'preferred' | null>
  /** By the administration. `taken`: another user has verified the same address. */
  verify(id: string): Promise<'verified' | 'taken' | null>
}

export type CheckAttempt = {
  /** Unix milliseconds. */
  createdAt: number
  status: CheckStatus
}

/** Whether the identity of a user has been checked, and the result. */
export type IdentityCheck = {
  status: CheckStatus
  /** Oldest first. */
  attempts: CheckAttempt[]
  /** When an open check ends by itself; Unix milliseconds, else null. */
  expiresAt: number | null
}

export interface IdentityChecks {
  /** A user that was never checked has a check of status `none`. */
  of(userId: string): Promise<IdentityCheck>
  /** Those of the users who passed. */
  passed(userIds: readonly string[]): Promise<Set<string>>
  /**
   * Replaces the check by what `next` makes of it, while nobody else changes it; null, or the same check, keeps it and
   * writes nothing. Resolves to the check afterwards; null: no such user.
   */
  change(
    userId: string,
    now: number,
    next: (check: IdentityCheck) => IdentityCheck | null,
  ): Promise<IdentityCheck | null>
}
