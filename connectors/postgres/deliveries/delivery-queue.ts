/** The queue of deliveries as SQL. A queue is leased: who has the lease sends from it, and no other (ADR 111, 216, 263). */

import { type Kysely, sql } from 'kysely'
import type { DeliveryKind } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Tables } from '../tables/tables.ts'
import { beginDelivery } from './begin-delivery.ts'
import { upkeep } from './delivery-upkeep.ts'
import type { DeliveryQueue, DeliveryQueues } from './port.ts'
import { endings } from './settle-delivery.ts'

/**
 * The longest due that are ranked by host, so that a long list costs no more than this. Hosts that have no room are left
 * out before: their queues cannot fill it.
 */
const CANDIDATES = 1_000

/** Deliveries of one kind over the accounts database. */
export const kyselyDeliveryQueue = <Kind extends DeliveryKind>(
  db: Kysely<Tables>,
  kind: Kind,
): DeliveryQueue<Kind> => ({
  ...leases(db, kind),
  begin: (lease, now) => beginDelivery(db, kind, lease, now),
  ...endings(db, kind),
  ...upkeep(db, kind),
})

/** Deliveries of each kind. */
export const kyselyDeliveryQueues = (db: Kysely<Tables>): DeliveryQueues => ({
  scan: kyselyDeliveryQueue(db, 'scan'),
  alert: kyselyDeliveryQueue(db, 'alert'),
})

function leases(db: Kysely<Tables>, kind: DeliveryKind): Pick<DeliveryQueue<DeliveryKind>, 'take' | 'nextAt'> {
  return {
    async take({ holder, now, leaseMs, limit, perHost, sending }) {
      const at = new Date(now)
      const due = sql`kind = ${kind} AND due_at <= ${at} AND lease_until <= ${at}`
      const busy = sql`coalesce((${JSON.stringify(sending)}::jsonb ->> host)::int, 0)`
      // Asked often, and mostly for nothing: the short question first.
      const any = await sql`SELECT 1 FROM delivery_queues WHERE ${due} LIMIT 1`.execute(db)
      if (any.rows.length === 0) return []
      // Rows are judged again where they are locked. One that gets alerts at this moment is told of when that is done.
      const { rows } = await sql<{ id: string; host: string; fence: number }>`
        WITH candidates AS (
          SELECT id, host, due_at FROM delivery_queues
          WHERE ${due} AND ${busy} < ${perHost} ORDER BY due_at, id LIMIT ${CANDIDATES}
        ), ranked AS (
          SELECT id, due_at, row_number() OVER (PARTITION BY host ORDER BY due_at, id) + ${busy} AS place
          FROM candidates
        ), picked AS (
          SELECT id FROM ranked WHERE place <= ${perHost} ORDER BY due_at, id LIMIT ${limit}
        ), locked AS MATERIALIZED (
          SELECT id FROM delivery_queues WHERE id IN (SELECT id FROM picked) AND ${due}
          FOR NO KEY UPDATE SKIP LOCKED
        )
        UPDATE delivery_queues AS q
        SET holder = ${holder}, lease_until = ${new Date(now + leaseMs)}, fence = fence + 1
        FROM locked WHERE q.id = locked.id RETURNING q.id, q.host, q.fence`.execute(db)
      return rows.map(({ id, host, fence }) => ({ queueId: id, host, fence }))
    },

    async nextAt() {
      // What is leased was due before: it is among the first.
      const first = sql`
        SELECT greatest(due_at, lease_until) AS at FROM delivery_queues
        WHERE kind = ${kind} AND due_at IS NOT NULL ORDER BY due_at, id LIMIT ${CANDIDATES}`
      const { rows } = await sql<{ at: Date | null }>`SELECT min(at) AS at FROM (${first}) AS f`.execute(db)
      return rows[0]?.at?.getTime() ?? null
    },
  }
}
