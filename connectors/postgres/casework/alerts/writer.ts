/** Alerts as the job stores them: with how far it was, so that each change counts once (ADR 215). */

import { type Kysely, sql } from 'kysely'
import type { AlertWrite, FiredAlert } from '../../../../schemas/casework/alert.ts'
import { enqueueAlerts, OWN_ALERTS } from '../../destinations/enqueue.ts'
import { publicPart, storePublicAlerts, sweepPublicAlerts } from '../../destinations/public-alerts.ts'
import { Refused, refusable } from '../../quotas/member.ts'
import type { Tables } from '../../tables/tables.ts'
import { liveMemberships } from '../../team/live.ts'
import type { AlertProgress, AlertWriter, StoredAlerts } from './port.ts'

/** Rows of one statement. */
const AT_ONCE = 500

export function kyselyAlertWriter(db: Kysely<Tables>): AlertWriter {
  return {
    async positions(partition) {
      const query = db.selectFrom('casework_alert_positions').select(['source', 'next_offset'])
      const rows = await query.where('partition', '=', partition).execute()
      return new Map(rows.map((row) => [row.source, row.next_offset]))
    },

    store: (write, progress, now) =>
      refusable<StoredAlerts, 'moved'>(db, async (tx) => {
        // First, so that of two who looked at the same changes one waits, and then finds that they were stored.
        await advance(tx, progress)
        const members = await ofMembers(tx, write.fired)
        const fired = members.filter(({ publicly }) => !publicly)
        const own = write.withdrawn.filter(({ publicly }) => !publicly)
        const withdrawn = await withdraw(tx, own, now)
        const made: string[] = []
        for (let at = 0; at < fired.length; at += AT_ONCE)
          made.push(...(await upsert(tx, fired.slice(at, at + AT_ONCE), now)))
        // All at once: destinations are held in one order.
        await enqueueAlerts(tx, OWN_ALERTS, made, now)
        await storePublicAlerts(tx, publicPart({ ...write, fired: members }), now)
        return { made: made.length, repeated: fired.length - made.length, withdrawn }
      }),

    async sweep(before, limit) {
      const { rows } = await sql`
        DELETE FROM casework_alerts WHERE id IN (
          SELECT id FROM casework_alerts WHERE created_at < ${new Date(before)} ORDER BY created_at LIMIT ${limit})
        RETURNING 1`.execute(db)
      return rows.length + (await sweepPublicAlerts(db, before, limit))
    },
  }
}

/** Throws Refused when the store has another position than the one that was gone on from. */
async function advance(tx: Kysely<Tables>, { partition, moves }: AlertProgress): Promise<void> {
  for (const { source, from, to } of moves) {
    const moved =
      from === null
        ? sql`INSERT INTO casework_alert_positions (partition, source, next_offset)
              VALUES (${partition}, ${source}, ${to}) ON CONFLICT DO NOTHING RETURNING 1`
        : sql`UPDATE casework_alert_positions SET next_offset = ${to}
              WHERE partition = ${partition} AND source = ${source} AND next_offset = ${from} RETURNING 1`
    if ((await moved.execute(tx)).rows.length === 0) throw new Refused('moved')
  }
}

/** Of each item and entity the latest alert, unless it is withdrawn. */
async function withdraw(tx: Kysely<Tables>, all: AlertWrite['withdrawn'], now: number): Promise<number> {
  let count = 0
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE)
    const items = some.map(({ itemId }) => itemId)
    const entities = some.map(({ entityId }) => entityId)
    const { rows } = await sql`
      UPDATE casework_alerts AS a SET withdrawn_at = ${new Date(now)}
      FROM unnest(${items}::uuid[], ${entities}::text[]) AS left_by (item_id, entity_id)
      WHERE a.withdrawn_at IS NULL AND a.id = (
        SELECT l.id FROM casework_alerts AS l
        WHERE l.item_id = left_by.item_id AND l.entity_id = left_by.entity_id
        ORDER BY l.created_at DESC, l.last_offset DESC, l.id DESC LIMIT 1)
      RETURNING 1`.execute(tx)
    count += rows.length
  }
  return count
}

/**
 * Without those of users who left while the changes were looked at. Clean-up locks the customer for itself, so it comes
 * before this, which finds nobody then, or after it, and finds the alerts.
 */
async function ofMembers(tx: Kysely<Tables>, fired: readonly FiredAlert[]): Promise<FiredAlert[]> {
  if (fired.length === 0) return []
  const customers = [...new Set(fired.map(({ owner }) => owner.customerId))].sort()
  for (let at = 0; at < customers.length; at += AT_ONCE)
    await sql`SELECT id FROM customers WHERE id IN (${sql.join(customers.slice(at, at + AT_ONCE))})
              ORDER BY id FOR KEY SHARE`.execute(tx)
  const users = [...new Set(fired.map(({ owner }) => owner.userId))]
  const members = new Map<string, string>()
  for (let at = 0; at < users.length; at += AT_ONCE) {
    const query = liveMemberships(tx).select(['user_id', 'customer_id'])
    const found = await query.where('user_id', 'in', users.slice(at, at + AT_ONCE)).execute()
    for (const row of found) members.set(row.user_id, row.customer_id)
  }
  return fired.filter(({ owner }) => members.get(owner.userId) === owner.customerId)
}

/** Answers the ids of those that are new, in their order. An alert that its user has dealt with is new again when it repeats. */
async function upsert(tx: Kysely<Tables>, fired: readonly FiredAlert[], now: number): Promise<string[]> {
  const at = new Date(now)
  const rows = await tx
    .insertInto('casework_alerts')
    .values(
      fired.map((alert) => ({
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
        readable_by: [...alert.readableBy],
        partition: alert.partition,
        last_offset: alert.offset,
      })),
    )
    .onConflict((known) =>
      known.column('id').doUpdateSet({
        count: sql`casework_alerts.count + excluded.count`,
        reputation: sql`excluded.reputation`,
        readable_by: sql`excluded.readable_by`,
        last_at: sql`greatest(casework_alerts.last_at, excluded.last_at)`,
        withdrawn_at: sql`excluded.withdrawn_at`,
        partition: sql`excluded.partition`,
        last_offset: sql`excluded.last_offset`,
        state: sql`CASE casework_alerts.state WHEN 'handled' THEN 'new' ELSE casework_alerts.state END`,
      }),
    )
    .returning(['id', sql<boolean>`casework_alerts.xmax = 0`.as('made')])
    .execute()
  return rows.flatMap(({ id, made }) => (made ? [id] : []))
}
