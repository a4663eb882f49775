/** What the ends of users, customers and subscriptions do to instances (specification 6). */

import type { Kysely } from 'kysely'
import type { Tiers } from '../../../../schemas/accounts/tiers/tiers.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { holdCustomer } from '../plan/member-quotas.ts'
import { kyselyQuotas } from '../plan/quota-store.ts'
import { MAX_INSTANCES } from './instance-rows.ts'
import type { ComputeCleanup } from './port.ts'

/**
 * Over a transaction of the caller. Each change of one customer's instances holds the customer first, so that nothing is
 * made or ended between the count and the counter. Whoever calls tells the driver of what was deleted, once that is
 * stored.
 */
export function kyselyComputeCleanup(tx: Kysely<Tables>, tiers: Tiers): ComputeCleanup {
  const of = (customerId: string) => tx.deleteFrom('instances').where('customer_id', '=', customerId).returning('id')
  type Deletion = ReturnType<typeof of>

  const deleteAndReconcile = async (customerId: string, narrow: (all: Deletion) => Deletion): Promise<string[]> => {
    await holdCustomer(tx, customerId, 'update')
    const gone = await narrow(of(customerId)).execute()
    const { left } = await tx
      .selectFrom('instances')
      .where('customer_id', '=', customerId)
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .executeTakeFirstOrThrow()
    await kyselyQuotas(tx, tiers).reconcile(customerId, MAX_INSTANCES, left)
    return gone.map(({ id }) => id)
  }

  return {
    deleteOfUser: (customerId, userId) => deleteAndReconcile(customerId, (all) => all.where('user_id', '=', userId)),
    deleteOfCustomer: (customerId) => deleteAndReconcile(customerId, (all) => all),

    async stopRunningOf(userId) {
      // One that was to run again once it has stopped stays stopped.
      await tx
        .updateTable('instances')
        .set({ afterwards: null })
        .where('user_id', '=', userId)
        .where('afterwards', 'is not', null)
        .execute()
      const rows = await tx
        .updateTable('instances')
        // Due at once: whoever moves instances on has them stopped.
        .set({ status: 'STOPPING', due_at: new Date(0) })
        .where('user_id', '=', userId)
        .where('status', '=', 'RUNNING')
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async shrinkTo(customerId, cap) {
      if (cap < 0) return []
      const above = tx
        .selectFrom('instances')
        .select('id')
        .where('customer_id', '=', customerId)
        .orderBy('created_at')
        .orderBy('id')
        .offset(cap)
      return deleteAndReconcile(customerId, (all) => all.where('id', 'in', above))
    },
  }
}
