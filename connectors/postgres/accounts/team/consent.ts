/** What a user says to a membership that waits for it (decisions 2.3). */

import type { Transaction } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import { join } from './membership-changes.ts'
import { acceptedMemberships, listedMemberships, lockCustomer } from './memberships.ts'
import type { Consent } from './port.ts'
import { roleOf } from './team-rows.ts'
import { endInvitationsOf } from './waiting-invitations.ts'

type Tx = Transaction<Tables>

/** As `Team.accept`. Must run in a READ COMMITTED transaction of its own. */
export async function accept(tx: Tx, userId: string, customerId: string | null, now: number): Promise<Consent> {
  const has = acceptedMemberships(tx).select('customer_id').where('user_id', '=', userId)
  const own = await has.executeTakeFirst()
  if (own !== undefined && (customerId ?? own.customer_id) === own.customer_id) return null
  const which = await onlyOne(tx, userId, customerId)
  if (typeof which === 'string') return which
  // In the order of every change of members: the customer, then the user.
  if (!(await lockCustomer(tx, which.customer_id))) return 'no membership'
  const there = await waitingOf(tx, userId).where('customer_id', '=', which.customer_id).executeTakeFirst()
  if (there === undefined) return 'no membership'
  const { id: membershipId, role } = there
  const joining = { membershipId, customerId: which.customer_id, userId, role: roleOf(role), acceptedAt: now }
  const refused = await join(tx, joining)
  if (refused !== null) return refused === 'already_member' ? refused : 'no membership'
  await endInvitationsOf(tx, which.customer_id, userId)
  return null
}

/** As `Team.decline`. Must run in a READ COMMITTED transaction of its own. */
export async function decline(tx: Tx, userId: string, customerId: string | null): Promise<Consent> {
  const which = await onlyOne(tx, userId, customerId)
  if (typeof which === 'string') return which
  await tx.deleteFrom('memberships').where('id', '=', which.id).where('accepted_at', 'is', null).execute()
  await endInvitationsOf(tx, which.customer_id, userId)
  return null
}

const waitingOf = (tx: Tx, userId: string) =>
  listedMemberships(tx)
    .select(['memberships.id', 'customer_id', 'role'])
    .where('user_id', '=', userId)
    .where('accepted_at', 'is', null)

/** The one that is named, or the only one that waits. */
async function onlyOne(tx: Tx, userId: string, customerId: string | null) {
  const all = waitingOf(tx, userId).$if(customerId !== null, (query) => query.where('customer_id', '=', customerId!))
  const [first, second] = await all.limit(2).execute()
  if (first === undefined) return 'no membership' as const
  return second === undefined ? first : ('several' as const)
}
