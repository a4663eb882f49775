/** Subscriptions as SQL: a change, its event and the provider's word are written together or not at all. */

import type { Kysely, Transaction } from 'kysely'
import type { Cause } from '../../../../schemas/accounts/lifecycle.ts'
import {
  CANCELLED,
  type MaxInstances,
  type Subscription,
  sameSubscription,
  subscriptionChange,
} from '../../../../schemas/accounts/subscription.ts'
import type { SubscriptionLedger } from '../../../payments/port.ts'
import type { AppendEvents } from '../../operation/outbox-append.ts'
import type { Tables } from '../../tables/tables.ts'
import { acceptedMemberships } from '../team/memberships.ts'
import { applyNews, noteEnded } from './apply-notice.ts'

type Options = { db: Kysely<Tables>; append: AppendEvents; maxInstances: MaxInstances }

export function kyselyLedger({ db, append, maxInstances }: Options): SubscriptionLedger {
  const run = <T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> => db.transaction().execute(work)

  const change = async (tx: Transaction<Tables>, id: string, next: Subscription, { actor, now, ...cause }: Cause) => {
    const old = await lockCustomer(tx, id)
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
        if ((await lockCustomer(tx, notice.customerId)) === null) return 'unknown customer'
        if (!(await applyNews(tx, notice, cause.now))) return 'unchanged'
        const next: Subscription = notice.order === null ? CANCELLED : { ...notice.order, status: 'active' }
        return change(tx, notice.customerId, next, cause)
      }),
  }
}

/** The subscription of a customer, locked against other changes until the transaction ends; null: no such customer. */
async function lockCustomer(tx: Transaction<Tables>, id: string): Promise<Subscription | null> {
  const row = await tx
    .selectFrom('customers')
    .select(['tier', 'quantity', 'subscription_status as status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}
