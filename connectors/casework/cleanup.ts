/** What the ends of users and customers do to casework (specification 6). */

import { type Kysely, sql } from 'kysely'
import { CASEWORK_KINDS, type CaseworkKind } from '../../schemas/casework.ts'
import type { Tiers } from '../../schemas/tiers/tiers.ts'
import type { Tables } from '../accounts/kysely/tables.ts'
import { kyselyQuotas } from '../quotas/kysely.ts'
import { holdCustomer } from '../quotas/member.ts'
import type { CaseworkCleanup } from './port.ts'
import { quotaOf } from './rows.ts'

/** What the deleted rows are called. */
const RECORDS: Record<CaseworkKind, string> = {
  case: 'cases',
  watchlist: 'watchlists',
  conversation: 'conversations',
  search: 'searches',
}
const ENTRIES: Partial<Record<CaseworkKind, string>> = { watchlist: 'items', conversation: 'messages' }

type Counts = Record<CaseworkKind, number>

/** Over a transaction of the caller, which holds the customer: nothing is made or ended between count and counter. */
export function kyselyCaseworkCleanup(tx: Kysely<Tables>, tiers: Tiers): CaseworkCleanup {
  const quotas = kyselyQuotas(tx, tiers)

  const deleted = async (customerId: string, userId: string | null): Promise<Record<string, number>> => {
    await holdCustomer(tx, customerId, 'update')
    const whose = sql`customer_id = ${customerId} AND (${userId}::uuid IS NULL OR user_id = ${userId}::uuid)`
    const entries = await counted(
      tx,
      sql`DELETE FROM casework_entries AS e USING casework_records AS r
          WHERE e.record_id = r.id AND ${whose} RETURNING r.kind`,
    )
    const records = await counted(tx, sql`DELETE FROM casework_records WHERE ${whose} RETURNING kind`)
    const reads = await sql`DELETE FROM casework_alert_reads WHERE ${whose} RETURNING 1`.execute(tx)
    return { ...named(records, RECORDS), ...named(entries, ENTRIES), alertReads: reads.rows.length }
  }

  return {
    async deleteOfUser(customerId, userId) {
      const rows = await deleted(customerId, userId)
      const left = await counted(tx, sql`SELECT kind FROM casework_records WHERE customer_id = ${customerId}`)
      for (const kind of CASEWORK_KINDS) await quotas.reconcile(customerId, quotaOf(kind), left[kind])
      return rows
    },
    deleteOfCustomer: (customerId) => deleted(customerId, null),
  }
}

/** Rows of a statement that answers with their kinds. */
async function counted(tx: Kysely<Tables>, statement: ReturnType<typeof sql>): Promise<Counts> {
  const { rows } = await sql<{ kind: CaseworkKind; rows: number }>`
    WITH touched AS (${statement}) SELECT kind, count(*)::int AS rows FROM touched GROUP BY kind`.execute(tx)
  const counts: Counts = { case: 0, watchlist: 0, conversation: 0, search: 0 }
  for (const { kind, rows: count } of rows) counts[kind] = count
  return counts
}

const named = (counts: Counts, names: Partial<Record<CaseworkKind, string>>): Record<string, number> =>
  Object.fromEntries(CASEWORK_KINDS.flatMap((kind) => (names[kind] ? [[names[kind], counts[kind]]] : [])))
