/** What the owner of a destination sees of its deliveries, and asks for again. */

import { type Kysely, sql } from 'kysely'
import type { Owner } from '../../../../schemas/casework/owner.ts'
import type { Tables } from '../../tables/tables.ts'
import { destinationAt } from './destination-rows.ts'
import type { Delivery, Destinations } from './port.ts'

type Row = {
  id: string
  alert_id: string
  state: 'fresh' | 'trying' | 'delivered' | 'dead' | 'skipped'
  attempts: number
  next_at: Date
  last_error: string | null
  note: string | null
  digest_id: string | null
  created_at: Date
}

/**
 * An alert up to `begun_to` that was not begun by itself is in the digest whose range it lies in: that is the delivery.
 * Digests that were forgotten leave it as it is.
 */
const FARES = sql`
  LEFT JOIN LATERAL (
    SELECT g.id, g.message_id, g.state, g.attempts, g.next_at, g.last_error, g.note FROM deliveries AS g
    WHERE m.state = 'fresh' AND g.queue_id = m.queue_id AND g.to_seq >= m.seq AND g.after_seq < m.seq
    ORDER BY g.to_seq LIMIT 1
  ) AS g ON true`

export async function listDeliveries(
  db: Kysely<Tables>,
  owner: Owner,
  id: string,
  { after, limit, onlyPublic = false }: { after: string | null; limit: number; onlyPublic?: boolean },
): ReturnType<Destinations['deliveries']> {
  const there = await destinationAt(db, owner, id).select('alert_destinations.id').executeTakeFirst()
  if (there === undefined) return null
  const { rows } = await sql<Row>`
    SELECT m.id, m.alert_id, coalesce(g.state, m.state) AS state, coalesce(g.attempts, m.attempts) AS attempts,
      coalesce(g.next_at, greatest(m.next_at, q.gather_until)) AS next_at, coalesce(g.last_error, m.last_error) AS last_error,
      coalesce(g.note, m.note) AS note, g.message_id AS digest_id, m.created_at
    FROM deliveries AS m JOIN delivery_queues AS q ON q.id = m.queue_id ${FARES}
    WHERE m.queue_id = ${id} AND m.alert_id IS NOT NULL
      AND (${after}::uuid IS NULL OR m.seq < (SELECT seq FROM deliveries WHERE id = ${after}::uuid AND queue_id = ${id}))
      AND ${onlyPublic ? sql`EXISTS (SELECT FROM casework_public_alerts AS p WHERE p.id = m.alert_id)` : sql`true`}
    ORDER BY m.seq DESC LIMIT ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit).map(deliveryOf)
  return { deliveries: page, next: rows.length > limit ? page.at(-1)!.id : null }
}

const deliveryOf = (row: Row): Delivery => {
  const state = stateOf(row)
  return {
    id: row.id,
    alertId: row.alert_id,
    state,
    attempts: row.attempts,
    nextAt: state === 'pending' || state === 'retrying' ? row.next_at.getTime() : null,
    lastError: row.last_error,
    note: row.note,
    digestId: row.digest_id,
    createdAt: row.created_at.getTime(),
  }
}

function stateOf({ state, attempts }: Row): Delivery['state'] {
  if (state === 'fresh') return 'pending'
  if (state === 'trying') return attempts === 0 ? 'pending' : 'retrying'
  return state
}

/** Later alerts go on meanwhile: it was passed, or it holds them back no longer than before. */
export async function retryDelivery(
  db: Kysely<Tables>,
  owner: Owner,
  id: string,
  now: number,
  onlyPublic = false,
): ReturnType<Destinations['retry']> {
  const at = new Date(now)
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; queue_id: string; state: Row['state']; public_only: boolean }>`
      SELECT coalesce(g.id, m.id) AS id, m.queue_id, coalesce(g.state, m.state) AS state, d.public_only
      FROM deliveries AS m JOIN delivery_queues AS q ON q.id = m.queue_id
        JOIN alert_destinations AS d ON d.id = q.id ${FARES}
      WHERE m.id = ${id} AND d.user_id = ${owner.userId} AND d.customer_id = ${owner.customerId}
      FOR NO KEY UPDATE OF q`.execute(tx)
    const found = rows[0]
    if (found === undefined) return null
    if (onlyPublic && !found.public_only) return 'not public'
    if (found.state === 'delivered') return 'delivered'
    if (found.state === 'fresh') return 'untried'
    await sql`
      UPDATE deliveries SET next_at = ${at}, state = 'trying', passed = passed OR state <> 'trying',
        attempts = CASE WHEN state = 'trying' THEN attempts ELSE 0 END, finished_at = null
      WHERE id = ${found.id} AND state <> 'delivered'`.execute(tx)
    await tx.updateTable('delivery_queues').set({ due_at: at }).where('id', '=', found.queue_id).execute()
    return 'retried'
  })
}
