/** Which alerts an analyst has read. */

import { type Kysely, sql } from 'kysely'
import { holdMember, refusable } from '../../accounts/plan/member-quotas.ts'
import type { Tables } from '../../tables/tables.ts'
import type { AlertReads } from '../port.ts'

export function kyselyAlertReads(db: Kysely<Tables>): AlertReads {
  return {
    async of({ customerId, userId }) {
      const row = await db
        .selectFrom('casework_alert_reads')
        .select(['read_until', 'read_ids'])
        .where('customer_id', '=', customerId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return { readUntil: row?.read_until?.getTime() ?? null, read: row?.read_ids ?? [] }
    },

    store: (owner, { readUntil, read }, now) =>
      refusable<'stored', 'no member'>(db, async (tx) => {
        await holdMember(tx, owner)
        const state = {
          read_until: readUntil === null ? null : new Date(readUntil),
          read_ids: sql<string[]>`${read}::uuid[]`,
          updated_at: new Date(now),
        }
        await tx
          .insertInto('casework_alert_reads')
          .values({ customer_id: owner.customerId, user_id: owner.userId, ...state })
          .onConflict((known) => known.columns(['customer_id', 'user_id']).doUpdateSet(state))
          .execute()
        return 'stored'
      }),
  }
}
