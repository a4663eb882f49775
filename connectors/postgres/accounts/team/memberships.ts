/** What of a team is there at this moment. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'

/**
 * What users belong to: the memberships that they have accepted. Everything that follows from a membership is read from
 * here; one that waits is an invitation, which gives nobody anything (decisions 2.3).
 */
export const acceptedMemberships = (db: Kysely<Tables>) =>
  listedMemberships(db).where('memberships.accepted_at', 'is not', null)

/**
 * Beside them those that wait to be accepted, as lists of members show them: of existing users, since the row of a deleted
 * user waits for its event to be handled.
 */
export const listedMemberships = (db: Kysely<Tables>) =>
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
