/** Rows of the tables <-> records of the port. */

import type { Insertable, Selectable } from 'kysely'
import { type Identity, ownGroups, ROLES, type Role, readableGroups } from '../../../schemas/accounts/accounts.ts'
import type { AccountTables } from '../tables/accounts.ts'
import type { SessionTables } from '../tables/sessions.ts'
import type { Credential, KeyPair, NewUser, Session, User } from './port.ts'

type IdentityRow = {
  user_id: string
  roles: string[]
  groups: string[]
  disabled: boolean
  customer_id: string | null
  accepted_at: Date | null
}

type CredentialRow = IdentityRow & { expires_at: Date | null; verified: boolean }

export const credential = (row: CredentialRow, secretHash: Buffer, by: NonNullable<Identity['by']>): Credential => ({
  secretHash,
  verified: row.verified,
  expiresAt: row.expires_at?.getTime() ?? null,
  identity: identityOf(row, by),
})

/** Who a user is, with its membership. */
export function identityOf(row: IdentityRow, by: Identity['by']): Identity {
  const own = ownGroups(row.groups, row.customer_id)
  return {
    userId: row.user_id,
    roles: knownRoles(row.roles),
    ownGroups: own,
    groups: readableGroups(own),
    customerId: row.customer_id,
    accepted: row.accepted_at !== null,
    disabled: row.disabled,
    builtIn: false,
    by,
  }
}

/** A role that a newer version stored grants nothing here. */
export const knownRoles = (roles: readonly string[]): Role[] => ROLES.filter((role) => roles.includes(role))

export const userRow = (user: NewUser): Insertable<AccountTables['users']> => ({
  id: user.id,
  email: user.email,
  full_name: user.fullName,
  alias: user.alias,
  roles: user.roles,
  groups: user.groups,
  created_at: new Date(user.createdAt),
})

export const userOf = (row: Selectable<AccountTables['users']>): User => ({
  id: row.id,
  email: row.email,
  fullName: row.full_name,
  alias: row.alias,
  roles: knownRoles(row.roles),
  groups: row.groups,
  disabled: row.disabled,
  createdAt: row.created_at.getTime(),
})

export const keyPairRow = (pair: KeyPair): Insertable<SessionTables['key_pairs']> => ({
  id: pair.id,
  user_id: pair.userId,
  name: pair.name,
  api_key: pair.apiKey,
  secret_hash: pair.secretHash,
  expires_at: pair.expiresAt === null ? null : new Date(pair.expiresAt),
  created_at: new Date(pair.createdAt),
})

export const sessionRow = (session: Session): Insertable<SessionTables['sessions']> => ({
  id: session.id,
  user_id: session.userId,
  token_hash: session.tokenHash,
  verified: session.verified,
  kind: session.kind,
  expires_at: new Date(session.expiresAt),
  created_at: new Date(session.createdAt),
})
