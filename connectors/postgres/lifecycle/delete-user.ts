/** The end of a user account. */

import type { Kysely, Transaction } from 'kysely'
import type { Cause, FormerMembership } from '../../../schemas/accounts/lifecycle.ts'
import { endWaiting } from '../accounts/team/membership-changes.ts'
import { acceptedMemberships } from '../accounts/team/memberships.ts'
import { deleteDestinationsOf } from '../casework/deliveries/delete-destinations.ts'
import { deleteTriageOf } from '../casework/triage/forget-triage.ts'
import { deleteFeedsOf } from '../feeds-out/delete-feeds.ts'
import { deletePlacesOf } from '../live/stream-places.ts'
import type { AppendEvents } from '../operation/outbox-append.ts'
import type { Tables } from '../tables/tables.ts'
import type { UserOffboarding } from './offboarding/port.ts'

/** How often a user may change customers under our hands before the deletion gives up. */
const TRIES = 5

/** `append` stores the event of a deleted user with the change. */
export const userOffboarding = (db: Kysely<Tables>, append: AppendEvents): UserOffboarding => ({
  deleteUser: (id, cause) => deleteUser(db, append, id, cause),
})

/**
 * Deletes the user with keys, sessions, comments, tickets, download tokens, its own feeds, its destinations, its triage and the places
 * of its streams, so that its credentials end at once, together with the event that tells of it: memberships and whatever
 * else it had are for those who handle that (specification 6). False: no such user. The customer is locked before the user, as every
 * change of memberships does.
 */
async function deleteUser(db: Kysely<Tables>, append: AppendEvents, id: string, cause: Cause): Promise<boolean> {
  for (let tried = 0; tried < TRIES; tried++) {
    const done = await db
      .transaction()
      .setIsolationLevel('read committed')
      .execute((tx) => deleteInTransaction(tx, append, id, cause))
    if (done !== 'moved') return done
  }
  throw new Error(`the memberships of user ${id} kept changing during the deletion; retry`)
}

async function deleteInTransaction(tx: Transaction<Tables>, append: AppendEvents, id: string, cause: Cause) {
  const before = await customersOf(tx, id)
  const ids = before.map(({ customerID }) => customerID)
  if (ids.length > 0)
    await tx.selectFrom('customers').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
  // Joining takes a share of this lock, so the memberships are settled from here on.
  const user = await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (user === undefined) return false
  const memberships = await customersOf(tx, id)
  if (memberships.some(({ customerID }) => !ids.includes(customerID))) return 'moved'
  // What it was only invited to is nobody's to handle.
  await endWaiting(tx, id)
  await tx.deleteFrom('users').where('id', '=', id).execute()
  await tx.deleteFrom('feed_tokens').where('made_by', '=', id).execute()
  await deletePlacesOf(tx, { type: 'user', id })
  await deleteFeedsOf(tx, { kind: 'user', id }, cause.now)
  await deleteDestinationsOf(tx, { kind: 'user', id })
  await deleteTriageOf(tx, { kind: 'user', id })
  const subject = { userID: id, customerID: memberships[0]?.customerID ?? null }
  const { now: time, actor } = cause
  await append(tx, [{ id: cause.id, type: 'user.deleted', time, actor, subject, data: { memberships } }])
  return true
}

async function customersOf(tx: Transaction<Tables>, id: string): Promise<FormerMembership[]> {
  const query = acceptedMemberships(tx).select(['customer_id as customerID', 'role']).where('user_id', '=', id)
  return (await query.orderBy('customer_id').execute()) as FormerMembership[]
}
