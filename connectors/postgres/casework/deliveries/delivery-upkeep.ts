/** Deliveries that are forgotten, and those that wait. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import type { DeliveryQueue } from './port.ts'

export function upkeep(db: Kysely<Tables>): Pick<DeliveryQueue, 'prune' | 'backlog'> {
  return {
    async prune(before, limit) {
      const at = new Date(before)
      // Those of a digest before the digest itself: they fare as it does for as long as they are there.
      const { rows: members } = await sql`
        DELETE FROM alert_deliveries WHERE id IN (
          SELECT m.id FROM alert_deliveries AS m WHERE m.state = 'fresh' AND m.created_at < ${at}
            AND NOT EXISTS (
              SELECT 1 FROM alert_deliveries AS g
              WHERE g.destination_id = m.destination_id AND g.alert_id IS NULL AND g.state = 'trying'
                AND g.after_seq < m.seq AND g.to_seq >= m.seq
            )
          ORDER BY m.created_at LIMIT ${limit}
        ) RETURNING 1`.execute(db)
      if (members.length === limit) return limit
      const { rows: ended } = await sql`
        DELETE FROM alert_deliveries WHERE id IN (
          SELECT id FROM alert_deliveries WHERE finished_at < ${at} ORDER BY finished_at LIMIT ${limit - members.length}
        ) RETURNING 1`.execute(db)
      return members.length + ended.length
    },

    async backlog(limit) {
      const { rows } = await sql<{ waiting: number }>`
        SELECT count(*)::int AS waiting FROM (
          SELECT 1 FROM alert_destinations AS d JOIN alert_deliveries AS w ON w.destination_id = d.id
          WHERE d.due_at IS NOT NULL AND (w.state = 'trying' OR (w.state = 'fresh' AND w.seq > d.begun_to))
          LIMIT ${limit}
        ) AS all_waiting`.execute(db)
      return rows[0]!.waiting
    },
  }
}
