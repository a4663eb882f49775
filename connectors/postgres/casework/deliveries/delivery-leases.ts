/** Leases of destinations: whoever has one sends to it, and nobody else (ADR 111, 216). */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import type { DeliveryQueue } from './port.ts'

/** Destinations that are ranked by host, so that a long list costs no more than this. */
const CANDIDATES = 1_000

export function leases(db: Kysely<Tables>): Pick<DeliveryQueue, 'take' | 'nextAt'> {
  return {
    async take({ holder, now, leaseMs, limit, perHost, sending }) {
      const at = new Date(now)
      const due = sql`due_at <= ${at} AND lease_until <= ${at}`
      const busy = sql`coalesce((${JSON.stringify(sending)}::jsonb ->> host)::int, 0)`
      // Asked often, and mostly for nothing: the short question first.
      const any = await sql`SELECT 1 FROM alert_destinations WHERE ${due} LIMIT 1`.execute(db)
      if (any.rows.length === 0) return []
      // Rows are judged again where they are locked. One that gets alerts at this moment is told of when that is done.
      const { rows } = await sql<{ id: string; host: string; fence: number }>`
        WITH candidates AS (
          SELECT id, host, due_at FROM alert_destinations
          WHERE ${due} AND ${busy} < ${perHost} ORDER BY due_at, id LIMIT ${CANDIDATES}
        ), ranked AS (
          SELECT id, due_at, row_number() OVER (PARTITION BY host ORDER BY due_at, id) + ${busy} AS place
          FROM candidates
        ), picked AS (
          SELECT id FROM ranked WHERE place <= ${perHost} ORDER BY due_at, id LIMIT ${limit}
        ), locked AS MATERIALIZED (
          SELECT id FROM alert_destinations WHERE id IN (SELECT id FROM picked) AND ${due}
          FOR NO KEY UPDATE SKIP LOCKED
        )
        UPDATE alert_destinations AS d
        SET holder = ${holder}, lease_until = ${new Date(now + leaseMs)}, fence = fence + 1
        FROM locked WHERE d.id = locked.id RETURNING d.id, d.host, d.fence`.execute(db)
      return rows.map(({ id, host, fence }) => ({ destinationId: id, host, fence }))
    },

    async nextAt() {
      const first = sql`
        SELECT greatest(due_at, lease_until) AS at FROM alert_destinations
        WHERE due_at IS NOT NULL ORDER BY due_at, id LIMIT ${CANDIDATES}`
      const { rows } = await sql<{ at: Date | null }>`SELECT min(at) AS at FROM (${first}) AS f`.execute(db)
      return rows[0]?.at?.getTime() ?? null
    },
  }
}
