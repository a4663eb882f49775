/** Alerts as everybody reads them, for destinations that are told nothing else (ADR 216). No inbox shows them. */

import { type Kysely, sql } from 'kysely'
import type { AlertWrite, FiredAlert } from '../../../schemas/casework/alert.ts'
import type { Tables } from '../tables/tables.ts'
import { enqueueAlerts, PUBLIC_ALERTS } from './enqueue.ts'

/** Rows of one statement. */
const AT_ONCE = 500

/** What a write says of them. */
export const publicPart = ({ withdrawn, fired }: AlertWrite): AlertWrite => ({
  withdrawn: withdrawn.filter(({ publicly }) => publicly),
  fired: fired.filter(({ publicly }) => publicly),
})

/** Stores what fired and what was withdrawn, and puts what is new on its way. `now` in unix milliseconds. */
export async function storePublicAlerts(
  tx: Kysely<Tables>,
  { withdrawn, fired }: AlertWrite,
  now: number,
): Promise<void> {
  const made: string[] = []
  for (let at = 0; at < withdrawn.length; at += AT_ONCE) await withdraw(tx, withdrawn.slice(at, at + AT_ONCE), now)
  const placed = inPlaces(fired, now)
  for (let at = 0; at < placed.length; at += AT_ONCE) made.push(...(await upsert(tx, placed.slice(at, at + AT_ONCE))))
  await enqueueAlerts(tx, PUBLIC_ALERTS, made, now)
}

type Placed = FiredAlert & { at: Date }

/** With their times: of several days of one item and entity, the later ones are made later, by a millisecond each. */
function inPlaces(fired: readonly FiredAlert[], now: number): Placed[] {
  const places = new Map<string, number>()
  return fired.map((alert) => {
    const key = `${alert.itemId} ${alert.entityId}`
    const place = places.get(key) ?? 0
    places.set(key, place + 1)
    return { ...alert, at: new Date(now + place) }
  })
}

/** Of each item and entity the latest alert, unless it is withdrawn. */
async function withdraw(tx: Kysely<Tables>, some: AlertWrite['withdrawn'], now: number): Promise<void> {
  const items = some.map(({ itemId }) => itemId)
  const entities = some.map(({ entityId }) => entityId)
  await sql`
    UPDATE casework_public_alerts AS a SET withdrawn_at = ${new Date(now)}
    FROM unnest(${items}::uuid[], ${entities}::text[]) AS left_by (item_id, entity_id)
    WHERE a.withdrawn_at IS NULL AND a.id = (
      SELECT l.id FROM casework_public_alerts AS l
      WHERE l.item_id = left_by.item_id AND l.entity_id = left_by.entity_id
      ORDER BY l.created_at DESC, l.id DESC LIMIT 1)`.execute(tx)
}

/** Answers the ids of those that are new, in their order. */
async function upsert(tx: Kysely<Tables>, fired: readonly Placed[]): Promise<string[]> {
  const rows = await tx
    .insertInto('casework_public_alerts')
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
        created_at: alert.at,
        last_at: alert.at,
        withdrawn_at: alert.withdrawn ? alert.at : null,
      })),
    )
    .onConflict((known) =>
      known.column('id').doUpdateSet({
        count: sql`casework_public_alerts.count + excluded.count`,
        reputation: sql`excluded.reputation`,
        last_at: sql`greatest(casework_public_alerts.last_at, excluded.last_at)`,
        withdrawn_at: sql`excluded.withdrawn_at`,
      }),
    )
    .returning(['id', sql<boolean>`casework_public_alerts.xmax = 0`.as('made')])
    .execute()
  return rows.flatMap(({ id, made }) => (made ? [id] : []))
}

/** Removes what was made before, in unix milliseconds; at most so many. Answers how many. */
export async function sweepPublicAlerts(db: Kysely<Tables>, before: number, limit: number): Promise<number> {
  const { rows } = await sql`
    DELETE FROM casework_public_alerts WHERE id IN (
      SELECT id FROM casework_public_alerts WHERE created_at < ${new Date(before)} ORDER BY created_at LIMIT ${limit})
    RETURNING 1`.execute(db)
  return rows.length
}
