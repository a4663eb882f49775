import type { Transaction } from 'kysely'
import { effective, type MaxInstances } from '../../../schemas/accounts/subscription.ts'
import type { Tables } from '../tables/tables.ts'
import type { AssetFacts } from './port.ts'

/** A user was a member of at most this many customers; a reconciliation finds what remains of users in more. */
const MAX_CUSTOMERS = 1_000

export const assetFacts = (tx: Transaction<Tables>, maxInstances: MaxInstances): AssetFacts => ({
  async instanceCustomers(userId) {
    const query = tx.selectFrom('instances').select('customer_id').distinct().where('user_id', '=', userId)
    const rows = await query.orderBy('customer_id').limit(MAX_CUSTOMERS).execute()
    return rows.map((row) => row.customer_id)
  },

  async caseworkCustomers(userId) {
    const rows = await tx
      .selectFrom('casework_records')
      .select('customer_id')
      .where('user_id', '=', userId)
      .union(tx.selectFrom('casework_alert_reads').select('customer_id').where('user_id', '=', userId))
      .union(tx.selectFrom('casework_alerts').select('customer_id').where('user_id', '=', userId))
      .orderBy('customer_id')
      .limit(MAX_CUSTOMERS)
      .execute()
    return rows.map((row) => row.customer_id)
  },

  async instanceCap(customerId) {
    const row = await tx
      .selectFrom('customers')
      .select(['tier', 'quantity', 'subscription_status as status'])
      .where('id', '=', customerId)
      .forUpdate()
      .executeTakeFirst()
    return row === undefined ? null : effective(row, maxInstances).max_instances
  },
})
