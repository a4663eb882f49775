/** One change of state of a scan task, in a transaction, with the notifications it causes. */

import { randomUUID } from 'node:crypto'
import type { Transaction, Updateable } from 'kysely'
import { AUTOMATIC_SCANS, SCANS_OF_USERS } from '../../../schemas/log/topics.ts'
import { next, type ScanEvent, type ScanPriority, type ScanStatus } from '../../../schemas/scans/scan.ts'
import type { Header } from '../../../schemas/scans/webhooks/headers.ts'
import { storeRecords } from '../operation/outbox-store.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { ScanTables } from '../tables/scans-tables.ts'
import { enqueueDelivery } from './enqueue-webhook.ts'
import { deliveryId, type ScanRow } from './scan-rows.ts'

/** A request as it crosses the log (`schemas/log/avro/scan-request.avsc`). */
export type ScanRequest = { id: string; target: string; kind: string; requestedAt: number }
export type EncodeRequest = (request: ScanRequest) => Buffer

const TOPIC_OF: Record<ScanPriority, string> = { user: SCANS_OF_USERS, automatic: AUTOMATIC_SCANS }

/** Stores the request for a task: the relay brings it to the log. `id`: a UUID of the record. */
export async function publish(
  tx: Transaction<Tables>,
  encode: EncodeRequest,
  task: Pick<ScanRow, 'id' | 'target' | 'kind' | 'priority'>,
  now: number,
  id: string = randomUUID(),
): Promise<void> {
  const record = encode({ id: task.id, target: task.target, kind: task.kind, requestedAt: now })
  // Requests say that there is something to take: their order means nothing.
  await storeRecords(tx, [{ id, topic: TOPIC_OF[task.priority], key: task.target, record, createdAt: now }])
}

/**
 * Takes the task through `event`; `also` goes into the row with it. The row has to be locked. Resolves to the row as it
 * is now; null, and nothing is changed, when the event means nothing in the state that the task is in.
 */
export async function change(
  tx: Transaction<Tables>,
  encode: EncodeRequest,
  row: ScanRow,
  event: ScanEvent,
  now: number,
  also: Updateable<ScanTables['scan_tasks']> = {},
): Promise<ScanRow | null> {
  const { status, retries } = row
  const phase = { status, retries, since: row.since.getTime(), leaseUntil: row.lease_until.getTime() }
  const step = next(phase, event, now)
  if (step === null) return null
  const at = new Date(now)
  const ended = step.status === 'done' || step.status === 'permanent_failure'
  const changed = await tx
    .updateTable('scan_tasks')
    .set({
      status: step.status,
      retries: step.retries,
      since: at,
      ...(step.publish ? { asked_at: at } : {}),
      ...(step.status === 'running' ? {} : { holder: null, lease_until: new Date(0) }),
      ...(ended ? { finished_at: at } : {}),
      ...also,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (step.publish) await publish(tx, encode, changed, now)
  if (ended) await enqueueWebhook(tx, changed, step.status, now)
  return changed
}

/** Enqueues the webhook of an end; a task that had already ended has sent its notification before. */
async function enqueueWebhook(tx: Transaction<Tables>, row: ScanRow, status: ScanStatus, now: number): Promise<void> {
  if (row.webhook_url === null) return
  const notification = {
    id: row.id,
    target: row.target,
    status,
    entities: row.entities,
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  }
  await enqueueDelivery(tx, {
    id: deliveryId(row.id, status),
    url: row.webhook_url,
    headers: row.webhook_headers as Header[],
    secret: row.webhook_secret!,
    body: Buffer.from(JSON.stringify(notification)),
    createdAt: now,
  })
}
