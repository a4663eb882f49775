/** What the end of a user or a customer does to destinations. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'

/**
 * Deletes all destinations of the owner with their deliveries and what they alone are told, in the transaction that deletes
 * the owner: nothing is sent for whom is gone. In the order in which alerts hold their queues, which take them along.
 */
export async function deleteDestinationsOf(
  tx: Kysely<Tables>,
  owner: { kind: 'customer' | 'user'; id: string },
): Promise<void> {
  const whose = owner.kind === 'customer' ? sql`customer_id = ${owner.id}` : sql`user_id = ${owner.id}`
  await sql`
    DELETE FROM delivery_queues WHERE id IN (
      SELECT q.id FROM delivery_queues AS q JOIN alert_destinations AS d ON d.id = q.id
      WHERE ${whose} ORDER BY q.id FOR UPDATE OF q
    )`.execute(tx)
  await sql`DELETE FROM casework_public_alerts WHERE ${whose}`.execute(tx)
}
