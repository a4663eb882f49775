/** Removal of members and customers as SQL. */

import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { LifecycleEvent } from '../../../schemas/accounts/lifecycle.ts'
import {
  CANCELLED,
  type MaxInstances,
  type Subscription,
  subscriptionChange,
} from '../../../schemas/accounts/subscription.ts'
import { textOf } from '../accounts/plan/limit-counters.ts'
import { acceptedMemberships } from '../accounts/team/memberships.ts'
import { deleteDestinationsOf } from '../casework/deliveries/delete-destinations.ts'
import { deleteTriageOf } from '../casework/triage/forget-triage.ts'
import { deleteFeedsOf } from '../feeds-out/delete-feeds.ts'
import { deletePlacesOf } from '../live/stream-places.ts'
import type { AppendEvents } from '../operation/outbox-append.ts'
import type { Tables } from '../tables/tables.ts'
import { userOffboarding } from './delete-user.ts'
import type { BillingCleanup, CustomerOffboarding, Offboarding, UserOffboarding } from './offboarding/port.ts'

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
    if ((await lockCustomer(db, customerId)) === undefined) return null
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
  const subscription = await lockCustomer(tx, id)
  if (subscription === undefined) return false
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

const lockCustomer = (tx: Kysely<Tables>, id: string): Promise<Subscription | undefined> =>
  tx
    .selectFrom('customers')
    .select(['tier', 'quantity', 'subscription_status as status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
