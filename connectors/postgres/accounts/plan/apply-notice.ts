/** Which notices of the provider are news (ADR 90). They may come twice, late, and in another order than they were sent. */

import type { Transaction } from 'kysely'
import type { Notice } from '../../../payments/port.ts'
import type { Tables } from '../../tables/tables.ts'

/** Ids are kept longer than a provider repeats itself (Stripe: three days). */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000
const PRUNE_ROWS = 100

/**
 * Notes the notice and what it says of the account; the customer's row is locked by the caller. False: it came before,
 * is older than what was applied, or is about a subscription that is over or is not the running one.
 */
export async function applyNews(tx: Transaction<Tables>, notice: Notice, now: number): Promise<boolean> {
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
  const old = tx
    .selectFrom('payment_events')
    .select('id')
    .where('received_at', '<', new Date(now - KEEP_MS))
    .orderBy('received_at')
    .limit(PRUNE_ROWS)
    .forUpdate()
    .skipLocked()
  await tx.deleteFrom('payment_events').where('id', 'in', old).execute()
  const noted = await tx
    .insertInto('payment_events')
    .values({ id, received_at: new Date(now) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}

/** Notes that the running subscription of a customer is over: what the provider still says about it is no news. */
export async function noteEnded(tx: Transaction<Tables>, customerId: string): Promise<void> {
  await tx
    .updateTable('payment_accounts')
    .set(({ ref }) => ({ ended_subscription: ref('subscription'), subscription: null }))
    .where('customer_id', '=', customerId)
    .where('subscription', 'is not', null)
    .execute()
}
