/** Alerts as everybody reads them, for destinations that are told nothing else (ADR 280). No inbox shows them. */

import { type Kysely, sql } from 'kysely'
import type { AlertWrite, FiredAlert } from '../../../../schemas/casework/alert.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { enqueueAlerts, PUBLIC_ALERTS } from '../deliveries/enqueue-alerts.ts'
import { alertColumns, inPortions, repeatedColumns, withdrawLatest } from './stored-alerts.ts'

const TABLE = 'casework_public_alerts'

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
  await withdrawLatest(tx, TABLE, withdrawn, now)
  const made: string[] = []
  for (const some of inPortions(inPlaces(fired, now))) made.push(...(await upsert(tx, some)))
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

/** Answers the ids of those that are new, in their order. */
async function upsert(tx: Kysely<Tables>, fired: readonly Placed[]): Promise<string[]> {
  const rows = await tx
    .insertInto(TABLE)
    .values(fired.map((alert) => alertColumns(alert, alert.at)))
    .onConflict((known) => known.column('id').doUpdateSet(repeatedColumns(TABLE)))
    .returning(['id', sql<boolean>`casework_public_alerts.xmax = 0`.as('made')])
    .execute()
  return rows.flatMap(({ id, made }) => (made ? [id] : []))
}
