/** The writing side of deliveries: in the transaction that stores alerts. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'

/** Alerts of one kind: where they are, and which destinations are told of them. */
export type AlertKind = { table: 'casework_alerts' | 'casework_public_alerts'; publicOnly: boolean }

/** As their user reads. */
export const OWN_ALERTS: AlertKind = { table: 'casework_alerts', publicOnly: false }
/** As everybody reads. */
export const PUBLIC_ALERTS: AlertKind = { table: 'casework_public_alerts', publicOnly: true }

/** What a destination is told of. */
export const kindOf = ({ publicOnly }: { publicOnly: boolean }): AlertKind => (publicOnly ? PUBLIC_ALERTS : OWN_ALERTS)

/**
 * Stores one delivery of each of these alerts for each destination that wants its watchlist, in the order of `alertIds`;
 * one that is there stays as it is. Mail goes to confirmed addresses only. The alerts must be stored before, in the same
 * transaction.
 * @param tx a transaction at READ COMMITTED, which holds the queues of the destinations until it ends
 * @param alertIds all that the transaction has of the kind: queues are held in one order
 * @param now unix milliseconds
 */
export async function enqueueAlerts(
  tx: Kysely<Tables>,
  { table, publicOnly }: AlertKind,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  if (alertIds.length === 0) return
  const ids = sql`${alertIds}::uuid[]`
  const alerts = sql.table(table)
  const wants = sql`
    d.user_id = a.user_id AND d.customer_id = a.customer_id AND d.public_only = ${publicOnly} AND (d.kind <> 'email' OR d.confirmed_at IS NOT NULL)
    AND (d.watchlists IS NULL OR a.watchlist_id = ANY (d.watchlists))`
  // Held first: whoever begins deliveries of them sees all numbers below those that are given out here.
  const { rows } = await sql<{ id: string }>`
    SELECT q.id FROM delivery_queues AS q JOIN alert_destinations AS d ON d.id = q.id
    WHERE EXISTS (SELECT 1 FROM ${alerts} AS a WHERE a.id = ANY (${ids}) AND ${wants})
    ORDER BY q.id FOR NO KEY UPDATE OF q`.execute(tx)
  if (rows.length === 0) return
  const held = sql`${rows.map(({ id }) => id)}::uuid[]`
  const at = new Date(now)
  await sql`
    INSERT INTO deliveries (id, queue_id, alert_id, message_id, next_at, created_at)
    SELECT gen_random_uuid(), d.id, a.id, a.id::text, ${at}, ${at}
    FROM unnest(${ids}) WITH ORDINALITY AS given (id, place)
    JOIN ${alerts} AS a ON a.id = given.id
    JOIN alert_destinations AS d ON d.id = ANY (${held}) AND ${wants}
    ORDER BY given.place, d.id
    ON CONFLICT (queue_id, alert_id) DO NOTHING`.execute(tx)
  await sql`
    UPDATE delivery_queues SET due_at = least(due_at, greatest(gather_until, ${at})) WHERE id = ANY (${held})`.execute(
    tx,
  )
}
