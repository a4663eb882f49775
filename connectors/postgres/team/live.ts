/** What of a team is there at this moment. */

import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

/** Memberships of existing users: the row of a deleted user waits for its event to be handled and grants nothing. */
export const liveMemberships = (db: Kysely<Tables>) =>
  db
    .selectFrom('memberships')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('users').select('users.id').whereRef('users.id', '=', 'memberships.user_id')),
    )

/** Of a transaction: changes of one customer take turns. False: there is no such customer (any more). */
export async function lockCustomer(db: Kysely<Tables>, customerId: string): Promise<boolean> {
  const row = await db.selectFrom('customers').select('id').where('id', '=', customerId).forUpdate().executeTakeFirst()
  return row !== undefined
}
