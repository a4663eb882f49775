/** What of triage is forgotten: what says nothing, what is old, what is too much, and what belongs to who is gone. */

import { type Kysely, sql } from 'kysely'
import { MAX_KEPT, TRIAGE_KEPT_MS, type TriageOwner } from '../../../schemas/casework/triage.ts'
import type { Tables } from '../tables/all-tables.ts'

/** In the transaction of a change. Rows that another change holds are left to that one. @param now unix milliseconds */
export async function forgetTriage(
  tx: Kysely<Tables>,
  { kind, id }: TriageOwner,
  now: number,
  max = MAX_KEPT,
): Promise<void> {
  const own = sql`owner_kind = ${kind} AND owner_id = ${id}`
  const old = new Date(now - TRIAGE_KEPT_MS)
  await sql`
    DELETE FROM casework_triage WHERE ${own} AND entity_id IN (
      SELECT entity_id FROM casework_triage
      WHERE ${own} AND (updated_at < ${old} OR (handled_at IS NULL AND assignee IS NULL AND note = '')
        OR entity_id IN (
          SELECT entity_id FROM casework_triage WHERE ${own}
          ORDER BY updated_at DESC, entity_id OFFSET ${max}))
      ORDER BY entity_id FOR UPDATE SKIP LOCKED)`.execute(tx)
}

/** Everything of the owner, in the transaction that ends it. */
export async function deleteTriageOf(tx: Kysely<Tables>, { kind, id }: TriageOwner): Promise<void> {
  await tx.deleteFrom('casework_triage').where('owner_kind', '=', kind).where('owner_id', '=', id).execute()
}

/** Nothing of the customer is assigned any more to who left it. */
export async function unassignTriage(tx: Kysely<Tables>, customerId: string, userId: string): Promise<void> {
  await tx
    .updateTable('casework_triage')
    .set({ assignee: null })
    .where('owner_kind', '=', 'customer')
    .where('owner_id', '=', customerId)
    .where('assignee', '=', userId)
    .execute()
}
