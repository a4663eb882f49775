/** Rows of scan tasks and what they are elsewhere. */

import type { Selectable } from 'kysely'
import { namedUuid } from '../../../schemas/log/ids.ts'
import type { ScanStatus } from '../../../schemas/scans/scan.ts'
import type { DeliveryTables } from '../tables/deliveries-tables.ts'
import type { ScanTables } from '../tables/scans-tables.ts'
import type { LeasedScan, NewScan, Scan, WebhookState } from './port.ts'

export type ScanRow = Selectable<ScanTables['scan_tasks']>

/** Also the id of the outbox record that first requests the scan. */
export const rowOf = (scan: NewScan) => ({
  id: scan.id,
  user_id: scan.userId,
  account_id: scan.account ? scan.userId : null,
  source: scan.source,
  trust: scan.trust,
  audience: [...scan.audience],
  target: scan.target.value,
  kind: scan.target.kind,
  priority: scan.priority,
  status: 'new' as const,
  webhook_url: scan.webhook?.url ?? null,
  webhook_headers: scan.webhook === null ? null : JSON.stringify(scan.webhook.headers),
  webhook_secret: scan.webhook?.secret ?? null,
  since: new Date(scan.createdAt),
  asked_at: new Date(scan.createdAt),
  created_at: new Date(scan.createdAt),
})

/** The id of the webhook of an end: the same however often that end is reached. */
export const deliveryId = (id: string, status: ScanStatus): string => namedUuid(`scan/${id}/${status}`)

/** What a caller reads of a delivery that was handed over: a webhook is delivered or given up in the end. */
export const webhookState = (
  state: Selectable<DeliveryTables['deliveries']>['state'],
): Exclude<WebhookState, 'pending'> => (state === 'delivered' || state === 'dead' ? state : 'waiting')

/** `delivery`: the state of its webhook, where it has one that was handed over. */
export const scanOf = (row: ScanRow, delivery: Exclude<WebhookState, 'pending'> | null): Scan => ({
  id: row.id,
  userId: row.user_id,
  target: row.target,
  priority: row.priority,
  status: row.status,
  retries: row.retries,
  createdAt: row.created_at.getTime(),
  startedAt: row.started_at?.getTime() ?? null,
  finishedAt: row.finished_at?.getTime() ?? null,
  entities: row.entities,
  error: row.error,
  webhook: row.webhook_url === null ? null : { url: row.webhook_url, state: delivery ?? 'pending' },
})

export const leasedOf = (row: ScanRow): LeasedScan => ({
  id: row.id,
  fence: row.fence,
  target: { kind: row.kind, value: row.target },
  priority: row.priority,
  round: row.round,
  startedAt: row.started_at!.getTime(),
  userId: row.user_id,
  source: row.source,
  trust: row.trust,
  audience: row.audience,
})
