import type { Kysely } from 'kysely'
import type { Tables } from '../../accounts/kysely/tables.ts'
import type { Subscriptions } from '../port.ts'

export const kyselySubscriptions = (db: Kysely<Tables>): Subscriptions => ({
  async of(customerId) {
    const query = db.selectFrom('customers').select(['tier', 'quantity']).where('id', '=', customerId)
    return (await query.executeTakeFirst()) ?? null
  },
})
