/** What the ends of users and customers do to casework (specification 6). */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { CASEWORK_KINDS, type CaseworkKind, ENTRY_KINDS, type EntryKind } from '../../../schemas/casework/casework.ts'
import { holdCustomer } from '../accounts/plan/member-quotas.ts'
import { kyselyQuotas } from '../accounts/plan/quota-store.ts'
import type { Tables } from '../tables/all-tables.ts'
import { quotaOf } from './casework-rows.ts'
import { unassignTriage } from './forget-triage.ts'
import type { CaseworkCleanup } from './port.ts'

/** What the deleted rows are called. */
const RECORDS: Record<CaseworkKind, string> = {
  case: 'cases',
  watchlist: 'watchlists',
  conversation: 'conversations',
  search: 'searches',
}
const ENTRIES: Record<EntryKind, string> = {
  item: 'items',
  message: 'messages',
  turn: 'turns',
  note: 'notes',
  entity: 'pinnedEntities',
}

/**
 * Runs in a transaction of the caller, which holds the lock on the customer: no record is added or removed between
 * count and counter.
 */
export function kyselyCaseworkCleanup(tx: Kysely<Tables>, tiers: Tiers): CaseworkCleanup {
  const quotas = kyselyQuotas(tx, tiers)

  const deleteRows = async (customerId: string, userId: string | null): Promise<Record<string, number>> => {
    await holdCustomer(tx, customerId, 'update')
    const whose = sql`customer_id = ${customerId} AND (${userId}::uuid IS NULL OR user_id = ${userId}::uuid)`
    const entries = await countByKind(
      tx,
      ENTRY_KINDS,
      sql`DELETE FROM casework_entries AS e USING casework_records AS r
          WHERE e.record_id = r.id AND ${whose} RETURNING e.kind`,
    )
    const records = await countByKind(
      tx,
      CASEWORK_KINDS,
      sql`DELETE FROM casework_records WHERE ${whose} RETURNING kind`,
    )
    const reads = await sql`DELETE FROM casework_alert_reads WHERE ${whose} RETURNING 1`.execute(tx)
    const alerts = await deleteAlerts(tx, whose)
    return { ...named(records, RECORDS), ...named(entries, ENTRIES), alerts, alertReads: reads.rows.length }
  }

  return {
    async deleteOfUser(customerId, userId) {
      const rows = await deleteRows(customerId, userId)
      await unassignTriage(tx, customerId, userId)
      const rest = sql`SELECT kind FROM casework_records WHERE customer_id = ${customerId}`
      const left = await countByKind(tx, CASEWORK_KINDS, rest)
      for (const kind of CASEWORK_KINDS) await quotas.reconcile(customerId, quotaOf(kind), left[kind])
      return rows
    },
    deleteOfCustomer: (customerId) => deleteRows(customerId, null),
  }
}

/** Alerts that one statement deletes: a user may have so many that all at once would take too long. */
const ALERTS_AT_ONCE = 10_000

async function deleteAlerts(tx: Kysely<Tables>, whose: RawBuilder<unknown>): Promise<number> {
  for (let count = 0; ; ) {
    const { rows } = await sql`
      DELETE FROM casework_alerts WHERE id IN (SELECT id FROM casework_alerts WHERE ${whose} LIMIT ${ALERTS_AT_ONCE})
      RETURNING 1`.execute(tx)
    count += rows.length
    if (rows.length < ALERTS_AT_ONCE) return count
  }
}

/** Rows of a statement that answers with their kinds. */
async function countByKind<Kind extends string>(
  tx: Kysely<Tables>,
  kinds: readonly Kind[],
  statement: ReturnType<typeof sql>,
): Promise<Record<Kind, number>> {
  const { rows } = await sql<{ kind: Kind; rows: number }>`
    WITH touched AS (${statement}) SELECT kind, count(*)::int AS rows FROM touched GROUP BY kind`.execute(tx)
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>
  for (const { kind, rows: count } of rows) counts[kind] = count
  return counts
}

const named = <Kind extends string>(counts: Record<Kind, number>, names: Record<Kind, string>) =>
  Object.fromEntries((Object.keys(names) as Kind[]).map((kind) => [names[kind], counts[kind]]))
