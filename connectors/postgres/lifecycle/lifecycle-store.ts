/** Handled events, waiting events and what handlers may do, as SQL, the same on PostgreSQL and on the embedded database. */

import type { Kysely, Selectable, Transaction } from 'kysely'
import type { LifecycleGroup } from '../../../schemas/accounts/lifecycle.ts'
import { effective, type MaxInstances } from '../../../schemas/accounts/subscription.ts'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { kyselyComputeCleanup } from '../accounts/instances/instance-cleanup.ts'
import { lockSubscription } from '../accounts/plan/subscription-ledger.ts'
import { kyselyCaseworkCleanup } from '../casework/casework-cleanup.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { LifecycleTables } from '../tables/lifecycle-tables.ts'
import { billingCleanup, type OffboardingOptions } from './offboarding-store.ts'
import type { AssetFacts, LifecycleStore, Parked } from './port.ts'

export type LifecycleStoreOptions = OffboardingOptions & { tiers: Tiers }

export function lifecycleStore(db: Kysely<Tables>, options: LifecycleStoreOptions): LifecycleStore {
  /** The first event of each key. */
  const firsts = () =>
    db
      .selectFrom('lifecycle_retries as r')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('lifecycle_retries as earlier')
              .select('earlier.seq')
              .whereRef('earlier.handler', '=', 'r.handler')
              .whereRef('earlier.key', '=', 'r.key')
              .whereRef('earlier.seq', '<', 'r.seq'),
          ),
        ),
      )

  return {
    once: (handler, eventId, now, work) =>
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (tx) => {
          const noted = await tx
            .insertInto('handled_events')
            .values({ handler, event_id: eventId, handled_at: new Date(now) })
            .onConflict((conflict) => conflict.columns(['handler', 'event_id']).doNothing())
            .returning('event_id')
            .executeTakeFirst()
          if (noted !== undefined)
            await work({
              billing: billingCleanup(tx, options),
              compute: kyselyComputeCleanup(tx, options.tiers),
              casework: kyselyCaseworkCleanup(tx, options.tiers),
              facts: assetFacts(tx, options.maxInstances),
            })
          await tx
            .deleteFrom('lifecycle_retries')
            .where('handler', '=', handler)
            .where('event_id', '=', eventId)
            .execute()
          return noted !== undefined
        }),

    async waits(handler, key) {
      const query = db.selectFrom('lifecycle_retries').select('seq').where('handler', '=', handler)
      return (await query.where('key', '=', key).limit(1).executeTakeFirst()) !== undefined
    },

    async park(parked) {
      await db
        .insertInto('lifecycle_retries')
        .values({
          handler: parked.handler,
          key: parked.key,
          event_id: parked.eventId,
          record: parked.record,
          log_partition: parked.partition,
          log_offset: parked.offset,
          log_time: new Date(parked.time),
          attempts: parked.attempts,
          next_at: new Date(parked.nextAt),
          reason: parked.reason,
        })
        .onConflict((conflict) => conflict.columns(['handler', 'event_id']).doNothing())
        .execute()
    },

    async due(now, limit) {
      const rows = await firsts()
        .selectAll()
        .where('next_at', '<=', new Date(now))
        .orderBy('next_at')
        .orderBy('seq')
        .limit(limit)
        .execute()
      return rows.map(parkedOf)
    },

    async nextAt() {
      const next = await firsts().select('next_at').orderBy('next_at').limit(1).executeTakeFirst()
      return next?.next_at.getTime() ?? null
    },

    async postpone({ handler, eventId, attempts, nextAt, reason }) {
      await db
        .updateTable('lifecycle_retries')
        .set({ attempts, next_at: new Date(nextAt), reason })
        .where('handler', '=', handler)
        .where('event_id', '=', eventId)
        .execute()
    },

    async waiting(limit) {
      const some = db.selectFrom('lifecycle_retries').select('seq').limit(limit).as('some')
      const { waiting } = await db
        .selectFrom(some)
        .select((select) => select.fn.countAll<number>().as('waiting'))
        .executeTakeFirstOrThrow()
      return waiting
    },

    async prune(before, limit) {
      const old = db
        .selectFrom('handled_events')
        .select(['handler', 'event_id'])
        .where('handled_at', '<', new Date(before))
        .orderBy('handled_at')
        .limit(limit)
        .as('old')
      const { numDeletedRows } = await db
        .deleteFrom('handled_events')
        .using(old)
        .whereRef('handled_events.handler', '=', 'old.handler')
        .whereRef('handled_events.event_id', '=', 'old.event_id')
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

const parkedOf = (row: Selectable<LifecycleTables['lifecycle_retries']>): Parked => ({
  handler: row.handler as LifecycleGroup,
  key: row.key,
  eventId: row.event_id,
  record: row.record,
  partition: row.log_partition,
  offset: row.log_offset,
  time: row.log_time.getTime(),
  attempts: row.attempts,
  nextAt: row.next_at.getTime(),
  reason: row.reason,
})

/** A user was a member of at most this many customers; a reconciliation finds what remains of users in more. */
const MAX_CUSTOMERS = 1_000

const assetFacts = (tx: Transaction<Tables>, maxInstances: MaxInstances): AssetFacts => ({
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
    const subscription = await lockSubscription(tx, customerId)
    return subscription && effective(subscription, maxInstances).max_instances
  },
})
