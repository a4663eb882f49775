/** The writing side of webhooks: in the transaction of the change that they report. Times in unix milliseconds. */

import type { Transaction } from 'kysely'
import type { Header } from '../../../schemas/scans/webhooks/headers.ts'
import type { Tables } from '../tables/all-tables.ts'

export type NewDelivery = {
  /** UUID of what it tells of: the receiver knows a repeat by it. */
  id: string
  /** As `webhookUrl` gave it. */
  url: string
  /** As `webhookHeaders` gave them. */
  headers: readonly Header[]
  /** What the receiver knows as well; at most 256 characters. */
  secret: string
  /** JSON, at most 64 KiB; every try sends these bytes. */
  body: Buffer
  createdAt: number
}

/** Stores a delivery, due at once; one with the same id is left as it is. Throws for one that is past its bounds. */
export async function enqueueDelivery(tx: Transaction<Tables>, delivery: NewDelivery): Promise<void> {
  const { id, url, headers, secret, body, createdAt } = delivery
  const at = new Date(createdAt)
  const queue = await tx
    .insertInto('delivery_queues')
    .values({ id, kind: 'scan', host: new URL(url).hostname, due_at: at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (queue === undefined) return
  const request = { url, headers: JSON.stringify(headers), secret, body }
  await tx
    .insertInto('deliveries')
    .values({ id, queue_id: id, message_id: id, state: 'trying', next_at: at, created_at: at, ...request })
    .execute()
}
