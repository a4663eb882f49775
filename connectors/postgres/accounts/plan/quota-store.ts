import { type Kysely, sql } from 'kysely'
import { paidQuantity } from '../../../../schemas/accounts/subscription.ts'
import { effectiveQuota, entryOf, type Tiers, tierOf, UNLIMITED } from '../../../../schemas/accounts/tiers/tiers.ts'
import { MAX_DESTINATIONS } from '../../../../schemas/casework/deliveries/destination.ts'
import type { Owner } from '../../../../schemas/casework/owner.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { Quota, Quotas } from './port.ts'

/** Quotas over a database, or inside of a transaction of the caller: then they are undone with it (ADR 277). */
export function kyselyQuotas(db: Kysely<Tables>, tiers: Tiers): Quotas {
  const within = <T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> =>
    db.isTransaction ? work(db) : db.transaction().execute(work)

  const counter = (customerId: string, { service, featureKey }: Quota) =>
    sql<boolean>`customer_id = ${customerId} AND service = ${service} AND feature = ${featureKey}`

  return {
    take: (customerId, quota, count) =>
      within(async (tx) => {
        // The shared lock keeps the subscription as it was read until the count is changed.
        const query = tx
          .selectFrom('customers')
          .select(['tier', 'quantity', 'subscription_status as status'])
          .where('id', '=', customerId)
          .forShare()
        const subscription = await query.executeTakeFirst()
        if (subscription === undefined) return null
        const entry = entryOf(tierOf(tiers, subscription.tier).tier.quotas, quota.service, quota.featureKey)
        if (entry === undefined) return null
        const cap = effectiveQuota(quota.service, entry.value, paidQuantity(subscription))
        const values = { customer_id: customerId, service: quota.service, feature: quota.featureKey, used: 0 }
        await tx
          .insertInto('quota_usage')
          .values(values)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        let change = tx
          .updateTable('quota_usage')
          .set({ used: sql`used + ${count}::bigint` })
          .where(counter(customerId, quota))
        if (cap !== UNLIMITED) change = change.where(sql<boolean>`used + ${count}::bigint <= ${cap}::bigint`)
        const row = await change.returning('used').executeTakeFirst()
        if (row !== undefined) return { taken: true, used: row.used, cap }
        const full = tx.selectFrom('quota_usage').select('used').where(counter(customerId, quota))
        return { taken: false, used: (await full.executeTakeFirst())?.used ?? 0, cap }
      }),

    async release(customerId, quota, count) {
      await db
        .updateTable('quota_usage')
        .set({ used: sql`greatest(0, used - ${count}::bigint)` })
        .where(counter(customerId, quota))
        .execute()
    },

    async reconcile(customerId, { service, featureKey }, trueCount) {
      await sql`
        INSERT INTO quota_usage (customer_id, service, feature, used)
        SELECT id, ${service}, ${featureKey}, ${trueCount}::bigint FROM customers WHERE id = ${customerId}
        ON CONFLICT (customer_id, service, feature) DO UPDATE SET used = excluded.used`.execute(db)
    },

    async usage(customerId, userId) {
      const rows = await db
        .selectFrom('quota_usage')
        .select(['service', 'feature', 'used'])
        .where('customer_id', '=', customerId)
        .limit(1_000)
        .execute()
      const own = userId === undefined ? 0 : await countDestinations(db, { customerId, userId })
      return [
        ...rows.map(({ service, feature, used }) => ({ service, featureKey: feature, used })),
        ...(own === 0 ? [] : [{ ...MAX_DESTINATIONS, used: own }]),
      ]
    },
  }
}

/** How many destinations the owner has. */
export async function countDestinations(db: Kysely<Tables>, { customerId, userId }: Owner): Promise<number> {
  const { rows } = await sql<{ there: number }>`
    SELECT count(*)::int AS there FROM alert_destinations
    WHERE user_id = ${userId} AND customer_id = ${customerId}`.execute(db)
  return rows[0]!.there
}
