import { join } from 'node:path'
import { kyselyAlertStore } from '../../../connectors/postgres/casework/alerts/kysely.ts'
import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { alertId } from '../../../schemas/casework/alert.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'

/** A watchlist as its user is answered, and the entity that came into its first item. */
type Firing = {
  list: { id: string; user_id: string; customer_id: string; items: { id: string; kind: string; value: unknown }[] }
  entity: { id: string; type: string; value: string; reputation: number }
}

/** Stores an alert in the data folder of a platform that is stopped, and its deliveries, as the job that fires does. */
export async function fire(dataDir: string, { list, entity }: Firing, now: number): Promise<void> {
  const { db, close } = await embeddedDatabase({ folder: join(dataDir, 'accounts') })
  try {
    const item = list.items[0]!
    const id = alertId(item.id, entity.id, new Date(now).toISOString().slice(0, 10))
    const fired = {
      id,
      owner: { userId: list.user_id, customerId: list.customer_id },
      watchlistId: list.id,
      itemId: item.id,
      entityId: entity.id,
      entityType: entity.type,
      entityValue: entity.value,
      reputation: entity.reputation,
      matchedKind: item.kind as 'cidr',
      matchedOn: String(item.value),
      readableBy: [PUBLIC],
      count: 1,
      withdrawn: false,
      partition: 0,
      offset: 0,
    }
    const outcome = await kyselyAlertStore(db).writer.store(
      { withdrawn: [], fired: [fired] },
      { partition: 0, moves: [] },
      now,
    )
    if (outcome === 'moved' || outcome.made !== 1) throw new Error(`no alert was made: ${JSON.stringify(outcome)}`)
  } finally {
    await close()
  }
}
