/** Memberships of existing users: the row of a deleted user waits for its event to be handled and grants nothing. */

import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

export const liveMemberships = (db: Kysely<Tables>) =>
  db
    .selectFrom('memberships')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('users').select('users.id').whereRef('users.id', '=', 'memberships.user_id')),
    )
