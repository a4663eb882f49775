/** Instances that are due, each given to one process at a time: the due time is the lease. */

import { type Kysely, type Selectable, sql } from 'kysely'
import { afterwardsOf } from '../../../../schemas/accounts/instances/instance.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { InstanceTables } from '../../tables/instances-tables.ts'
import { instanceOf } from './instance-rows.ts'
import type { DueInstances } from './port.ts'

export function kyselyDueInstances(db: Kysely<Tables>): DueInstances {
  return {
    async take({ now, leaseMs, limit }) {
      const leaseUntil = now + leaseMs
      const { rows } = await sql<Selectable<InstanceTables['instances']>>`
        UPDATE instances SET due_at = ${new Date(leaseUntil)} WHERE id IN (
          SELECT id FROM instances WHERE due_at <= ${new Date(now)}
          ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) RETURNING *`.execute(db)
      return rows.map((row) => ({ ...instanceOf(row), leaseUntil, afterwards: afterwardsOf(row.afterwards) }))
    },

    async nextAt() {
      const due = db.selectFrom('instances').select('due_at').where('due_at', 'is not', null)
      return (await due.orderBy('due_at').limit(1).executeTakeFirst())?.due_at?.getTime() ?? null
    },

    async commitOutcome({ id, status: from, leaseUntil, afterwards }, status, dueAt) {
      const { numUpdatedRows } = await db
        .updateTable('instances')
        .set({
          status,
          due_at: dueAt === null ? null : new Date(dueAt),
          ...(status === from ? {} : { afterwards: null }),
        })
        .where('id', '=', id)
        .where('status', '=', from)
        .where('due_at', '=', new Date(leaseUntil))
        // What it was to go on with may have been taken back since, by the end of its user.
        .where('afterwards', afterwards === null ? 'is' : '=', afterwards)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 1n) return 'stored'
      const known = await db.selectFrom('instances').select('id').where('id', '=', id).executeTakeFirst()
      return known === undefined ? 'gone' : 'lost'
    },
  }
}
