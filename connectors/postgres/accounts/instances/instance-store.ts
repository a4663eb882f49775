/** The instance queries of the API as SQL, the same on PostgreSQL and on the embedded database. */

import type { Kysely } from 'kysely'
import { type InstanceStatus, mayRenew, stateAfter } from '../../../../schemas/accounts/instances/instance.ts'
import type { Tiers } from '../../../../schemas/accounts/tiers/tiers.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { holdCustomer, refusable, takeAsMember } from '../plan/member-quotas.ts'
import { kyselyQuotas } from '../plan/quota-store.ts'
import { instanceOf, instanceRow, MAX_INSTANCES } from './instance-rows.ts'
import type { InstanceQuestion, Instances } from './port.ts'

export function kyselyInstances(db: Kysely<Tables>, tiers: Tiers): Instances {
  const of = (customerId: string) => db.selectFrom('instances').where('customer_id', '=', customerId)

  const changeStatus = (
    customerId: string | null,
    id: string,
    afterwards: string | null,
    dueAt: number,
    next: (status: InstanceStatus) => InstanceStatus | null,
  ) =>
    db.transaction().execute(async (tx) => {
      const row = await instanceQuery(tx, customerId, id).forUpdate().executeTakeFirst()
      if (row === undefined) return null
      const instance = instanceOf(row)
      const status = next(instance.status)
      if (status === null) return { allowed: false, instance }
      const values = { status, due_at: new Date(dueAt), afterwards }
      await tx.updateTable('instances').set(values).where('id', '=', id).execute()
      return { allowed: true, instance: { ...instance, status } }
    })

  return {
    create: (instance, dueAt) =>
      refusable<'created', 'full' | 'no member'>(db, async (tx) => {
        await takeAsMember(tx, tiers, instance, MAX_INSTANCES)
        await tx.insertInto('instances').values(instanceRow(instance, dueAt)).execute()
        return 'created'
      }),

    async instance(customerId, id) {
      const row = await instanceQuery(db, customerId, id).executeTakeFirst()
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
      changeStatus(customerId, id, null, dueAt, (status) => stateAfter(status, step)),

    renew: (customerId, id, afterwards, dueAt) =>
      changeStatus(customerId, id, afterwards, dueAt, (status) => (mayRenew(status, afterwards) ? 'STOPPING' : null)),

    async find({ limit, offset, ...wanted }) {
      const matching = db.selectFrom('instances').where((eb) => eb.and(conditions(wanted)))
      const newest = matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
      const rows = await newest.limit(limit).offset(offset).execute()
      const { items } = await matching.select(({ fn }) => fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
      return { instances: rows.map(instanceOf), items }
    },

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

/** `customerId` null: of any customer. */
function instanceQuery(db: Kysely<Tables>, customerId: string | null, id: string) {
  const query = db.selectFrom('instances').selectAll().where('id', '=', id)
  return customerId === null ? query : query.where('customer_id', '=', customerId)
}

/** Equal in every filtered column. */
function conditions({ userId, customerId, status, zone, templateId }: Omit<InstanceQuestion, 'limit' | 'offset'>) {
  const wanted = { user_id: userId, customer_id: customerId, status, zone, template_id: templateId }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}
