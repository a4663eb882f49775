import { type Kysely, sql } from 'kysely'
import type { Owner } from '../../../../schemas/casework/owner.ts'
import type { Tables } from '../../tables/tables.ts'

/** How many destinations the owner has. */
export async function countDestinations(db: Kysely<Tables>, { customerId, userId }: Owner): Promise<number> {
  const { rows } = await sql<{ there: number }>`
    SELECT count(*)::int AS there FROM alert_destinations
    WHERE user_id = ${userId} AND customer_id = ${customerId}`.execute(db)
  return rows[0]!.there
}
