/** The writing side of webhooks: in the transaction of the change that they report. */

import type { Transaction } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { NewDelivery } from './webhooks/port.ts'

/** Stores a delivery, due at once; one with the same id is left as it is. Throws for one that is past its bounds. */
export async function enqueueDelivery(tx: Transaction<Tables>, delivery: NewDelivery): Promise<void> {
  const { id, url, headers, secret, body, createdAt } = delivery
  const at = new Date(createdAt)
  await tx
    .insertInto('webhook_deliveries')
    .values({
      id,
      url,
      host: new URL(url).hostname,
      headers: JSON.stringify(headers),
      secret,
      body,
      next_at: at,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
