/** Deliveries that are forgotten, and those that wait. */

import { type Kysely, sql } from 'kysely'
import type { DeliveryKind } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Tables } from '../tables/tables.ts'
import type { DeliveryQueue } from './port.ts'

export function upkeep(db: Kysely<Tables>, kind: DeliveryKind): Pick<DeliveryQueue<DeliveryKind>, 'prune' | 'backlog'> {
  const pruneAlerts = async (at: Date, limit: number): Promise<number> => {
    // Those of a digest before the digest itself: they fare as it does for as long as they are there.
    const { rows: members } = await sql`
      DELETE FROM deliveries WHERE id IN (
        SELECT m.id FROM deliveries AS m WHERE m.state = 'fresh' AND m.created_at < ${at}
          AND NOT EXISTS (
            SELECT 1 FROM deliveries AS g
            WHERE g.queue_id = m.queue_id AND g.state = 'trying' AND g.after_seq < m.seq AND g.to_seq >= m.seq
          )
        ORDER BY m.created_at LIMIT ${limit}
      ) RETURNING 1`.execute(db)
    if (members.length === limit) return limit
    const { rows: ended } = await sql`
      DELETE FROM deliveries WHERE id IN (
        SELECT id FROM deliveries
        WHERE finished_at < ${at} AND url IS NULL ORDER BY finished_at LIMIT ${limit - members.length}
      ) RETURNING 1`.execute(db)
    return members.length + ended.length
  }

  /** With their queues: nothing else was or will be in them. */
  const pruneWebhooks = async (at: Date, limit: number): Promise<number> => {
    const { rows } = await sql`
      DELETE FROM delivery_queues WHERE id IN (
        SELECT queue_id FROM deliveries
        WHERE finished_at < ${at} AND url IS NOT NULL ORDER BY finished_at LIMIT ${limit}
      ) RETURNING 1`.execute(db)
    return rows.length
  }

  return {
    prune: (before, limit) => (kind === 'alert' ? pruneAlerts : pruneWebhooks)(new Date(before), limit),

    async backlog(limit) {
      const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
        SELECT count(*)::int AS waiting, min(created_at) AS oldest FROM (
          SELECT w.created_at FROM delivery_queues AS q JOIN deliveries AS w ON w.queue_id = q.id
          WHERE q.kind = ${kind} AND q.due_at IS NOT NULL
            AND (w.state = 'trying' OR (w.state = 'fresh' AND w.seq > q.begun_to))
          ORDER BY q.due_at LIMIT ${limit}
        ) AS all_waiting`.execute(db)
      return { waiting: rows[0]!.waiting, oldest: rows[0]!.oldest?.getTime() ?? null }
    },
  }
}
