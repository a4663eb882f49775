/** What is the same of the two tables of alerts: as their user reads them, and as everybody does (ADR 280). */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AlertWrite, FiredAlert } from '../../../../schemas/casework/alert.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { AlertKind } from '../deliveries/enqueue-alerts.ts'

type AlertTable = AlertKind['table']

/** Rows of one statement. */
const AT_ONCE = 500

/** In portions of one statement. */
export const inPortions = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, n) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE))

/** The columns that both tables have, of an alert that is made at this time. */
export const alertColumns = (alert: FiredAlert, at: Date) => ({
  id: alert.id,
  customer_id: alert.owner.customerId,
  user_id: alert.owner.userId,
  watchlist_id: alert.watchlistId,
  item_id: alert.itemId,
  entity_id: alert.entityId,
  entity_type: alert.entityType,
  entity_value: alert.entityValue,
  reputation: alert.reputation,
  matched_kind: alert.matchedKind,
  matched_on: alert.matchedOn,
  count: alert.count,
  created_at: at,
  last_at: at,
  withdrawn_at: alert.withdrawn ? at : null,
})

/** What a repeat on the same day changes, in both tables. */
export const repeatedColumns = (table: AlertTable) => ({
  count: sql<number>`${sql.table(table)}.count + excluded.count`,
  reputation: sql<number>`excluded.reputation`,
  last_at: sql<Date>`greatest(${sql.table(table)}.last_at, excluded.last_at)`,
  withdrawn_at: sql<Date | null>`excluded.withdrawn_at`,
})

/** Which of the alerts of an item and an entity is the latest. */
const LATEST: Readonly<Record<AlertTable, RawBuilder<unknown>>> = {
  casework_alerts: sql`l.created_at DESC, l.last_offset DESC, l.id DESC`,
  casework_public_alerts: sql`l.created_at DESC, l.id DESC`,
}

/** Withdraws of each item and entity the latest alert, unless it is withdrawn. `now` in unix milliseconds; answers how many. */
export async function withdrawLatest(
  tx: Kysely<Tables>,
  table: AlertTable,
  all: AlertWrite['withdrawn'],
  now: number,
): Promise<number> {
  let count = 0
  for (const some of inPortions(all)) {
    const items = some.map(({ itemId }) => itemId)
    const entities = some.map(({ entityId }) => entityId)
    const { rows } = await sql`
      UPDATE ${sql.table(table)} AS a SET withdrawn_at = ${new Date(now)}
      FROM unnest(${items}::uuid[], ${entities}::text[]) AS left_by (item_id, entity_id)
      WHERE a.withdrawn_at IS NULL AND a.id = (
        SELECT l.id FROM ${sql.table(table)} AS l
        WHERE l.item_id = left_by.item_id AND l.entity_id = left_by.entity_id
        ORDER BY ${LATEST[table]} LIMIT 1)
      RETURNING 1`.execute(tx)
    count += rows.length
  }
  return count
}

/** Removes alerts that were made before, in unix milliseconds; at most so many. Answers how many. */
export async function sweepAlerts(
  db: Kysely<Tables>,
  table: AlertTable,
  before: number,
  limit: number,
): Promise<number> {
  const name = sql.table(table)
  const { rows } = await sql`
    DELETE FROM ${name} WHERE id IN (
      SELECT id FROM ${name} WHERE created_at < ${new Date(before)} ORDER BY created_at LIMIT ${limit})
    RETURNING 1`.execute(db)
  return rows.length
}
