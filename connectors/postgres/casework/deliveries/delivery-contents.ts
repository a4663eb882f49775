/** The alerts that a delivery carries, as far as somebody in some groups may read them. */

import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'
import type { DestinationTables } from '../../tables/destinations-tables.ts'
import { kindOf } from './enqueue-alerts.ts'
import type { Carried, DeliveredAlerts, StoredAlert } from './port.ts'

type Row = Selectable<DestinationTables['casework_public_alerts']>

export function kyselyDeliveredAlerts(db: Kysely<Tables>): DeliveredAlerts {
  const readable = ({ carries, destination }: Carried, groups: readonly string[]) => sql`
    FROM deliveries AS m
    JOIN ${sql.table(kindOf(destination).table)} AS a ON a.id = m.alert_id
    WHERE m.queue_id = ${destination.id}
      AND ${destination.publicOnly ? sql`true` : sql`a.readable_by && ${groups}::text[] AND a.needs <@ ${groups}::text[]`}
      AND ${
        'alertId' in carries
          ? sql`m.alert_id = ${carries.alertId}`
          : sql`m.state = 'fresh' AND m.seq > ${carries.after} AND m.seq <= ${carries.to}`
      }`

  return {
    async alerts(begun, groups, limit) {
      const { rows } = await sql<Row>`
        SELECT a.id, a.customer_id, a.user_id, a.watchlist_id, a.item_id, a.entity_id, a.entity_type, a.entity_value,
          a.reputation, a.matched_kind, a.matched_on, a.count, a.created_at, a.last_at, a.withdrawn_at
        ${readable(begun, groups)} ORDER BY m.seq LIMIT ${limit}`.execute(db)
      return rows.map(alertOf)
    },

    async countAlerts(begun, groups) {
      const { rows } = await sql<{ there: number }>`SELECT count(*)::int AS there ${readable(begun, groups)}`.execute(
        db,
      )
      return rows[0]!.there
    },
  }
}

const alertOf = (row: Row): StoredAlert => ({
  id: row.id,
  owner: { customerId: row.customer_id, userId: row.user_id },
  watchlistId: row.watchlist_id,
  itemId: row.item_id,
  entityId: row.entity_id,
  entityType: row.entity_type,
  entityValue: row.entity_value,
  reputation: row.reputation,
  matchedKind: row.matched_kind,
  matchedOn: row.matched_on,
  count: row.count,
  createdAt: row.created_at.getTime(),
  lastAt: row.last_at.getTime(),
  withdrawnAt: row.withdrawn_at?.getTime() ?? null,
})
