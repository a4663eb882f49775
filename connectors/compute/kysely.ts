/** What the API asks of instances as SQL, the same on PostgreSQL and on the embedded one. */

import type { Kysely } from 'kysely'
import { stateAfter } from '../../schemas/instance.ts'
import type { Tiers } from '../../schemas/tiers/tiers.ts'
import type { Tables } from '../accounts/kysely/tables.ts'
import { kyselyQuotas } from '../quotas/kysely.ts'
import { holdCustomer, refusable, takeAsMember } from '../quotas/member.ts'
import type { Instances } from './port.ts'
import { instanceOf, instanceRow, MAX_INSTANCES } from './rows.ts'

export function kyselyInstances(db: Kysely<Tables>, tiers: Tiers): Instances {
  const of = (customerId: string) => db.selectFrom('instances').where('customer_id', '=', customerId)

  return {
    create: (instance, dueAt) =>
      refusable<'created', 'full' | 'no member'>(db, async (tx) => {
        await takeAsMember(tx, tiers, instance, MAX_INSTANCES)
        await tx.insertInto('instances').values(instanceRow(instance, dueAt)).execute()
        return 'created'
      }),

    async instance(customerId, id) {
      const row = await of(customerId).where('id', '=', id).selectAll().executeTakeFirst()
      return row === undefined ? null : instanceOf(row)
    },

    async list(customerId, { limit, offset }) {
      const newest = of(customerId).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
      const rows = await newest.limit(limit).offset(offset).execute()
      const { items } = await of(customerId)
        .select(({ fn }) => fn.countAll<number>().as('items'))
        .executeTakeFirstOrThrow()
      return { instances: rows.map(instanceOf), items }
    },

    step: (customerId, id, step, dueAt) =>
      db.transaction().execute(async (tx) => {
        const query = tx.selectFrom('instances').selectAll().where('customer_id', '=', customerId).where('id', '=', id)
        const row = await query.forUpdate().executeTakeFirst()
        if (row === undefined) return null
        const instance = instanceOf(row)
        const status = stateAfter(instance.status, step)
        if (status === null) return { allowed: false, instance }
        await tx
          .updateTable('instances')
          .set({ status, due_at: new Date(dueAt) })
          .where('id', '=', id)
          .execute()
        return { allowed: true, instance: { ...instance, status } }
      }),

    remove: (customerId, id) =>
      db.transaction().execute(async (tx) => {
        const query = tx.selectFrom('instances').select('customer_id').where('id', '=', id)
        const owner = customerId ?? (await query.executeTakeFirst())?.customer_id
        if (owner === undefined) return false
        await holdCustomer(tx, owner, 'share')
        const gone = await tx
          .deleteFrom('instances')
          .where('id', '=', id)
          .where('customer_id', '=', owner)
          .returning('id')
          .executeTakeFirst()
        if (gone === undefined) return false
        await kyselyQuotas(tx, tiers).release(owner, MAX_INSTANCES, 1)
        return true
      }),
  }
}
