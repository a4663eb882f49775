import type { Kysely } from 'kysely'
import { paidQuantity } from '../../../../schemas/accounts/subscription.ts'
import type { Tables } from '../../tables/tables.ts'
import type { Subscriptions } from './port.ts'

export function kyselySubscriptions(db: Kysely<Tables>): Subscriptions {
  const of = async (customerId: string) => {
    const query = db.selectFrom('customers').select(['tier', 'quantity', 'subscription_status as status'])
    const row = await query.where('id', '=', customerId).executeTakeFirst()
    return row === undefined ? null : { tier: row.tier, quantity: paidQuantity(row) }
  }
  return { of, recent: of }
}
