/** Subscriptions as SQL: a change, its event and the provider's word are written together or not at all. */

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Cause } from '../../../../schemas/accounts/lifecycle.ts'
import {
  CANCELLED,
  type MaxInstances,
  type Subscription,
  sameSubscription,
  subscriptionChange,
} from '../../../../schemas/accounts/subscription.ts'
import type { Notice, SubscriptionLedger } from '../../../payments/port.ts'
import { dropRows } from '../../core/drop-rows.ts'
import type { AppendEvents } from '../../operation/outbox-store.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { acceptedMemberships } from '../team/memberships.ts'

type Options = { db: Kysely<Tables>; append: AppendEvents; maxInstances: MaxInstances }

export function kyselyLedger({ db, append, maxInstances }: Options): SubscriptionLedger {
  const run = <T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> => db.transaction().execute(work)

  const change = async (tx: Transaction<Tables>, id: string, next: Subscription, { actor, now, ...cause }: Cause) => {
    const old = await lockSubscription(tx, id)
    if (old === null) return 'unknown customer'
    if (sameSubscription(old, next)) return 'unchanged'
    const { tier, quantity, status } = next
    const row = { tier, quantity, subscription_status: status }
    await tx.updateTable('customers').set(row).where('id', '=', id).execute()
    const type = status === 'cancelled' ? 'subscription.cancelled' : 'subscription.changed'
    const subject = { userID: null, customerID: id }
    const data = subscriptionChange(old, next, maxInstances)
    await append(tx, [{ id: cause.id, type, time: now, actor, subject, data }])
    return 'done'
  }

  return {
    async membership(userId) {
      const query = acceptedMemberships(db).select(['customer_id as customerId', 'role'])
      return (await query.where('user_id', '=', userId).executeTakeFirst()) ?? null
    },

    async payer(customerId) {
      const row = await db
        .selectFrom('customers')
        .leftJoin('payment_accounts', 'payment_accounts.customer_id', 'customers.id')
        .select(['customers.id', 'name', 'email', 'tier', 'quantity'])
        .select(['provider_customer as providerCustomer', 'subscription'])
        .where('customers.id', '=', customerId)
        .executeTakeFirst()
      return row ?? null
    },

    async link(customerId, providerCustomer) {
      await db
        .insertInto('payment_accounts')
        .values({ customer_id: customerId, provider_customer: providerCustomer, told_at: new Date(0) })
        .onConflict((conflict) => conflict.column('customer_id').doNothing())
        .execute()
      const query = db.selectFrom('payment_accounts').select('provider_customer').where('customer_id', '=', customerId)
      return (await query.executeTakeFirstOrThrow()).provider_customer
    },

    set: (id, order, cause) => run((tx) => change(tx, id, { ...order, status: 'active' }, cause)),

    cancel: (id, cause) =>
      run(async (tx) => {
        const outcome = await change(tx, id, CANCELLED, cause)
        if (outcome === 'done') await noteEnded(tx, id)
        return outcome
      }),

    apply: (notice, cause) =>
      run(async (tx) => {
        // Before the notice is looked at: two deliveries of notices of one customer take turns.
        if ((await lockSubscription(tx, notice.customerId)) === null) return 'unknown customer'
        if (!(await applyNews(tx, notice, cause.now))) return 'unchanged'
        const next: Subscription = notice.order === null ? CANCELLED : { ...notice.order, status: 'active' }
        return change(tx, notice.customerId, next, cause)
      }),
  }
}

/** The subscription of a customer, locked against other changes until the transaction ends; null: no such customer. */
export async function lockSubscription(tx: Kysely<Tables>, id: string): Promise<Subscription | null> {
  const row = await tx
    .selectFrom('customers')
    .select(['tier', 'quantity', 'subscription_status as status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Ids of notices are kept longer than a provider repeats itself (Stripe: three days). */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000
const PRUNE_ROWS = 100

/**
 * Notices may come twice, late, and in another order than they were sent (ADR 277).
 *
 * Notes the notice and what it says of the account; the customer's row is locked by the caller. False: it came before,
 * is older than what was applied, or is about a subscription that is over or is not the running one.
 */
async function applyNews(tx: Transaction<Tables>, notice: Notice, now: number): Promise<boolean> {
  if (!(await firstTime(tx, notice.id, now))) return false
  const query = tx.selectFrom('payment_accounts').selectAll().where('customer_id', '=', notice.customerId)
  const account = await query.executeTakeFirst()
  const { subscription, providerCustomer, order } = notice
  if (account !== undefined) {
    if (account.ended_subscription === subscription || notice.time < account.told_at.getTime()) return false
    // The end of an older subscription does not take away the one that replaced it.
    if (order === null && account.subscription !== null && account.subscription !== subscription) return false
  }
  const columns = {
    provider_customer: providerCustomer,
    told_at: new Date(notice.time),
    subscription: order === null ? null : subscription,
    ...(order === null ? { ended_subscription: subscription } : {}),
  }
  await tx
    .insertInto('payment_accounts')
    .values({ customer_id: notice.customerId, ...columns })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(columns))
    .execute()
  return true
}

async function firstTime(tx: Transaction<Tables>, id: string, now: number): Promise<boolean> {
  const old = sql`received_at < ${new Date(now - KEEP_MS)} ORDER BY received_at`
  await dropRows(tx, { from: 'payment_events', key: ['id'], where: old, limit: PRUNE_ROWS })
  const noted = await tx
    .insertInto('payment_events')
    .values({ id, received_at: new Date(now) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}

/** Notes that the running subscription of a customer is over: what the provider still says about it is no news. */
async function noteEnded(tx: Transaction<Tables>, customerId: string): Promise<void> {
  await tx
    .updateTable('payment_accounts')
    .set(({ ref }) => ({ ended_subscription: ref('subscription'), subscription: null }))
    .where('customer_id', '=', customerId)
    .where('subscription', 'is not', null)
    .execute()
}
