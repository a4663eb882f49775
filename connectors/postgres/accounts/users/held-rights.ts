/** What users hold: what was given by hand, and what single sign-on maps beside it (decisions 16.3; ADR 229). */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'

/** Of `users` that are joined with `mapped_rights`. Some may stand twice. */
export const HELD_ROLES = sql<string[]>`users.roles || coalesce(mapped_rights.roles, '{}')`.as('roles')
export const HELD_GROUPS = sql<string[]>`users.groups || coalesce(mapped_rights.groups, '{}')`.as('groups')

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
