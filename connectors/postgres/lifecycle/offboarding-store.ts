/** The ends of users, memberships and customers as SQL. */

import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Cause, FormerMembership, LifecycleEvent } from '../../../schemas/accounts/lifecycle.ts'
import {
  CANCELLED,
  type MaxInstances,
  type Subscription,
  subscriptionChange,
} from '../../../schemas/accounts/subscription.ts'
import { textOf } from '../accounts/plan/limit-counters.ts'
import { lockSubscription } from '../accounts/plan/subscription-ledger.ts'
import { endWaiting } from '../accounts/team/membership-changes.ts'
import { acceptedMemberships } from '../accounts/team/memberships.ts'
import { deleteDestinationsOf } from '../casework/deliveries/delete-destinations.ts'
import { deleteTriageOf } from '../casework/forget-triage.ts'
import { deleteFeedsOf } from '../feeds-out/feed-store.ts'
import { deletePlacesOf } from '../live/stream-places.ts'
import type { AppendEvents } from '../operation/outbox-store.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { BillingCleanup, CustomerOffboarding, Offboarding, UserOffboarding } from './port.ts'

export type OffboardingOptions = { append: AppendEvents; maxInstances: MaxInstances }

type AccountsTransaction = Transaction<Tables>

/** Each removal in a transaction of its own. */
export const kyselyOffboarding = (
  db: Kysely<Tables>,
  options: OffboardingOptions,
): UserOffboarding & CustomerOffboarding => ({
  ...userOffboarding(db, options.append),
  end: (id, ending) => db.transaction().execute((tx) => deleteCustomer(tx, options, id, ending)),
})

/** Inside the caller's transaction, which must be READ COMMITTED. */
export const billingCleanup = (tx: AccountsTransaction, options: OffboardingOptions): BillingCleanup => ({
  otherOwners: ownersBeside(tx),

  async removeMember(customerId, userId) {
    await tx.deleteFrom('memberships').where('customer_id', '=', customerId).where('user_id', '=', userId).execute()
  },

  end: (id, ending) => deleteCustomer(tx, options, id, ending),
})

/** As `BillingCleanup.otherOwners`; outside a transaction the answer holds only at the moment of the query. */
export const ownersBeside =
  (db: Kysely<Tables>): BillingCleanup['otherOwners'] =>
  async (customerId, userId) => {
    if ((await lockSubscription(db, customerId)) === null) return null
    const { owners } = await acceptedMemberships(db)
      .select((select) => select.fn.countAll<number>().as('owners'))
      .where('customer_id', '=', customerId)
      .where('role', '=', 'owner')
      .where('user_id', '<>', userId)
      .executeTakeFirstOrThrow()
    return owners
  }

/**
 * Locks the customer's row first and the event keys last, so that two transactions never wait for each other in a
 * circle.
 */
async function deleteCustomer(
  tx: AccountsTransaction,
  { append, maxInstances }: OffboardingOptions,
  id: string,
  ending: Offboarding,
): Promise<boolean> {
  const subscription = await lockSubscription(tx, id)
  if (subscription === null) return false
  const subject = { type: 'customer', id } as const
  await tx.deleteFrom('limit_windows').where('subject', '=', textOf(subject)).execute()
  await deletePlacesOf(tx, subject)
  // Memberships, quota counters and the payment account are deleted with the row (foreign keys).
  await tx.deleteFrom('customers').where('id', '=', id).execute()
  await deleteFeedsOf(tx, { kind: 'customer', id }, ending.cause.now)
  await deleteDestinationsOf(tx, { kind: 'customer', id })
  await deleteTriageOf(tx, { kind: 'customer', id })
  await append(tx, eventsOf(id, subscription, ending, maxInstances))
  return true
}

function eventsOf(id: string, old: Subscription, { reason, cause }: Offboarding, maxInstances: MaxInstances) {
  const about = { time: cause.now, actor: cause.actor, subject: { userID: null, customerID: id } }
  const events: LifecycleEvent[] = [{ ...about, id: cause.id, type: 'customer.deleted', data: { reason } }]
  if (old.status === 'active' && old.tier !== CANCELLED.tier) {
    const data = subscriptionChange(old, CANCELLED, maxInstances)
    events.unshift({ ...about, id: randomUUID(), type: 'subscription.cancelled', data })
  }
  return events
}

/** How often a user may change customers under our hands before the deletion gives up. */
const TRIES = 5

/** The end of a user account. `append` stores its event with the change. */
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

type Ends = UserOffboarding & CustomerOffboarding

/**
 * The same ends, after each of which cached credentials are forgotten, failed ones too: a user that is gone, and the group
 * of a customer that is gone, count at once (decisions 2.3).
 */
export const forgettingOffboarding = (ends: Ends, forget: () => void): Ends => ({
  deleteUser: (id, cause) => ends.deleteUser(id, cause).finally(forget),
  end: (id, ending) => ends.end(id, ending).finally(forget),
})
