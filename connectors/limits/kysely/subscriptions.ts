import type { Kysely } from 'kysely'
import type { Tables } from '../../accounts/kysely/tables.ts'
import type { Subscriptions } from '../port.ts'

export function kyselySubscriptions(db: Kysely<Tables>): Subscriptions {
  const of = async (customerId: string) => {
    const query = db.selectFrom('customers').select(['tier', 'quantity']).where('id', '=', customerId)
    return (await query.executeTakeFirst()) ?? null
  }
  return { of, recent: of }
}
