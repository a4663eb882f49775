/** Rows of users, key pairs and sessions <-> records of the port, and the rights that a user holds. */

import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import {
  actsIn,
  type CallerBounds,
  type Identity,
  ownGroups,
  ROLES,
  type Role,
  readableGroups,
} from '../../../../schemas/accounts/accounts.ts'
import { parseNetworks } from '../../../../schemas/accounts/client-networks.ts'
import { boundGroups, isNarrowed, type KeyBounds } from '../../../../schemas/accounts/key-bounds.ts'
import { knownScopes } from '../../../../schemas/accounts/scopes.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { SessionTables } from '../../tables/sessions-tables.ts'
import type { UserTables } from '../../tables/users-tables.ts'
import type { Credential, KeyPair, NewUser, Session, User } from './port.ts'

type IdentityRow = {
  user_id: string
  roles: string[]
  groups: string[]
  disabled: boolean
  /** Of the membership that the user has accepted. */
  customer_id: string | null
}

type CredentialRow = IdentityRow & { expires_at: Date | null; verified: boolean }

/** Columns of a key pair, under other names than those of its user. */
export const KEY_COLUMNS = [
  'key_pairs.id',
  'key_pairs.secret_hash',
  'key_pairs.expires_at',
  'key_pairs.verified',
  'key_pairs.scopes as key_scopes',
  'key_pairs.groups as key_groups',
  'key_pairs.networks as key_networks',
  'key_pairs.previous_hash',
  'key_pairs.previous_until',
] as const

type BoundsRow = { key_scopes: string[] | null; key_groups: string[] | null; key_networks: string[] | null }

type KeyRow = CredentialRow &
  BoundsRow & { id: string; secret_hash: Buffer; previous_hash: Buffer | null; previous_until: Date | null }

export const sessionCredential = (row: CredentialRow & { id: string }, tokenHash: Buffer): Credential => ({
  ...credential(row, tokenHash),
  previous: null,
  identity: identityOf(row, { kind: 'session', id: row.id }),
})

export const keyCredential = (row: KeyRow): Credential => ({
  ...credential(row, row.secret_hash),
  previous: row.previous_until && { secretHash: row.previous_hash, until: row.previous_until.getTime() },
  identity: identityOf(row, { kind: 'key pair', id: row.id }, boundsOf(row)),
})

const credential = (row: CredentialRow, secretHash: Buffer) => ({
  secretHash,
  verified: row.verified,
  expiresAt: row.expires_at?.getTime() ?? null,
})

export const boundsOf = (row: BoundsRow): KeyBounds => ({
  scopes: row.key_scopes && knownScopes(row.key_scopes),
  groups: row.key_groups,
  networks: row.key_networks,
})

/** Who a user is, with its membership, as far as its key was not narrowed. */
export function identityOf(row: IdentityRow, by: Identity['by'], key: KeyBounds | null = null): Identity {
  const bounds = key && callerBounds(key)
  const all = ownGroups(row.groups, row.customer_id)
  const own = key === null ? all : [...boundGroups(all, key)]
  return {
    userId: row.user_id,
    roles: knownRoles(row.roles),
    ownGroups: own,
    groups: readableGroups(own),
    customerId: row.customer_id !== null && actsIn({ bounds }, row.customer_id) ? row.customer_id : null,
    chargedCustomerId: row.customer_id,
    disabled: row.disabled,
    builtIn: false,
    bounds,
    by,
  }
}

/** Networks are parsed here, and not at each call. */
const callerBounds = (key: KeyBounds): CallerBounds | null =>
  isNarrowed(key) ? { ...key, networks: key.networks && parseNetworks(key.networks) } : null

/** A role that a newer version stored grants nothing here. */
export const knownRoles = (roles: readonly string[]): Role[] => ROLES.filter((role) => roles.includes(role))

export const userRow = (user: NewUser): Insertable<UserTables['users']> => ({
  id: user.id,
  email: user.email,
  full_name: user.fullName,
  alias: user.alias,
  roles: user.roles,
  groups: user.groups,
  created_at: new Date(user.createdAt),
})

export const userOf = (row: Selectable<UserTables['users']>): User => ({
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
  ...boundColumns(pair.bounds),
})

export const boundColumns = ({ scopes, groups, networks }: KeyBounds) => ({
  scopes: scopes && [...scopes],
  groups: groups && [...groups],
  networks: networks && [...networks],
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

/**
 * What was given by hand, and what single sign-on maps beside it (decisions 16.3; ADR 276): of `users` that are joined with
 * `mapped_rights`. Some may stand twice.
 */
export const HELD_ROLES = sql<string[]>`users.roles || coalesce(mapped_rights.roles, '{}')`.as('roles')
const HELD_GROUPS = sql<string[]>`users.groups || coalesce(mapped_rights.groups, '{}')`.as('groups')

/** The columns that `identityOf` reads, of every user. */
export const usersWithRights = (db: Kysely<Tables>) =>
  db
    .selectFrom('users')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'users.id').on('memberships.accepted_at', 'is not', null),
    )
    .leftJoin('mapped_rights', 'mapped_rights.user_id', 'users.id')
    .select(['users.id as user_id', HELD_ROLES, HELD_GROUPS, 'users.disabled'])
    .select('memberships.customer_id')
