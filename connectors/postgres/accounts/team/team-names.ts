/** How a customer and its members are called, for their own people. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import { acceptedMemberships } from './memberships.ts'
import type { TeamNames } from './port.ts'

/** One statement: the customer, with those of the users that are its accepted members. */
export async function teamNames(
  db: Kysely<Tables>,
  customerId: string,
  userIds: readonly string[],
): Promise<TeamNames | null> {
  const members = acceptedMemberships(db)
    .innerJoin('users', 'users.id', 'memberships.user_id')
    // The preferred address, which is shown to others once it is verified.
    .leftJoin('emails', (join) =>
      join
        .onRef('emails.user_id', '=', 'users.id')
        .on('emails.verified', '=', true)
        .on(sql`lower(emails.address)`, '=', sql`lower(users.email)`),
    )
    .select(['memberships.customer_id', 'memberships.user_id', 'full_name', 'alias', 'address'])
    .where('memberships.customer_id', '=', customerId)
    .where(sql<boolean>`memberships.user_id = any(${[...userIds]}::uuid[])`)
    .as('members')
  const rows = await db
    .selectFrom('customers')
    .leftJoin(members, 'members.customer_id', 'customers.id')
    .select(['customers.name', 'members.user_id', 'members.full_name', 'members.alias', 'members.address'])
    .where('customers.id', '=', customerId)
    .execute()
  if (rows.length === 0) return null
  return {
    customer: rows[0]!.name,
    members: rows.flatMap(({ user_id, full_name, alias, address }) =>
      user_id === null ? [] : [{ userId: user_id, fullName: full_name ?? '', alias: alias ?? '', email: address }],
    ),
  }
}
