/** Records of casework as SQL: every question names the owner, so another one's record is none. */

import { type Kysely, sql } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import { holdCustomer, Refused, refusable, takeAsMember } from '../accounts/plan/member-quotas.ts'
import { kyselyQuotas } from '../accounts/plan/quota-store.ts'
import type { Tables } from '../tables/all-tables.ts'
import { quotaOf, recordAt, recordOf, recordRow, recordsOf } from './casework-rows.ts'
import type { CaseworkRecords } from './port.ts'

export function kyselyCaseworkRecords(db: Kysely<Tables>, tiers: Tiers): CaseworkRecords {
  return {
    create: (record) =>
      refusable<'created', 'full' | 'no member' | 'no case'>(db, async (tx) => {
        await takeAsMember(tx, tiers, record.owner, quotaOf(record.kind))
        await holdCase(tx, record.owner, record.caseId)
        await tx.insertInto('casework_records').values(recordRow(record)).execute()
        return 'created'
      }),

    async record(place) {
      const row = await recordAt(db, place).selectAll().executeTakeFirst()
      return row === undefined ? null : recordOf(row)
    },

    async list(owner, kind, { status, caseId }, { limit, offset }) {
      const all = recordsOf(db, owner, kind)
        .$if(status !== undefined, (some) => some.where(sql`content->>'status'`, '=', status!))
        .$if(caseId !== undefined, (some) => some.where('case_id', caseId === null ? 'is' : '=', caseId!))
      const since = kind === 'conversation' ? sql`coalesce(last_entry_at, created_at)` : sql`created_at`
      const newest = all.selectAll().orderBy(since, 'desc').orderBy('id', 'desc').limit(limit).offset(offset)
      const rows = await newest.execute()
      const { items } = await all.select(({ fn }) => fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
      return { records: rows.map(recordOf), items }
    },

    change: (place, { content, caseId, updatedAt }) =>
      refusable<Awaited<ReturnType<CaseworkRecords['change']>>, 'no case'>(db, async (tx) => {
        if ((await recordAt(tx, place).select('id').executeTakeFirst()) === undefined) return null
        // In the order of clean-up and of the end of a case: the customer, the case, what refers to it.
        await holdCustomer(tx, place.owner.customerId, 'share')
        await holdCase(tx, place.owner, caseId ?? null)
        const row = await tx
          .updateTable('casework_records')
          .set({
            content: sql`content || ${JSON.stringify(content)}::jsonb`,
            ...(caseId === undefined ? {} : { case_id: caseId }),
            ...(content.enabled === true ? { enabled_at: enabledAgain(updatedAt) } : {}),
            updated_at: new Date(updatedAt),
          })
          .where('id', 'in', recordAt(tx, place).select('casework_records.id'))
          .returningAll()
          .executeTakeFirst()
        return row === undefined ? null : recordOf(row)
      }),

    remove: (place) =>
      db.transaction().execute(async (tx) => {
        const { customerId } = place.owner
        await holdCustomer(tx, customerId, 'share')
        const gone = await tx
          .deleteFrom('casework_records')
          .where('id', 'in', recordAt(tx, place).select('casework_records.id'))
          .returning('id')
          .executeTakeFirst()
        if (gone === undefined) return false
        await kyselyQuotas(tx, tiers).release(customerId, quotaOf(place.kind), 1)
        return true
      }),
  }
}

/** A watchlist that was not enabled is from now on; the row is as it was before. */
const enabledAgain = (at: number) =>
  sql<Date | null>`CASE WHEN kind = 'watchlist' AND content->>'enabled' = 'false' THEN ${new Date(at)}::timestamptz
    ELSE enabled_at END`

/** Locks the case against deletion until the transaction ends. Throws Refused for a case of another owner. */
async function holdCase(tx: Kysely<Tables>, owner: Owner, caseId: string | null): Promise<void> {
  if (caseId === null) return
  const held = recordAt(tx, { owner, kind: 'case', id: caseId }).select('id').forKeyShare()
  if ((await held.executeTakeFirst()) === undefined) throw new Refused('no case')
}
