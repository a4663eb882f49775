/** Destinations and alerts over a database that a test has open, and processes that deliver. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { sendOutbound } from '../../../connectors/network/requests/request.ts'
import { kyselyDeliveredAlerts } from '../../../connectors/postgres/casework/deliveries/delivery-contents.ts'
import { enqueueAlerts, OWN_ALERTS } from '../../../connectors/postgres/casework/deliveries/enqueue-alerts.ts'
import type { NewDestination } from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyDeliveryQueue } from '../../../connectors/postgres/deliveries/delivery-queue.ts'
import { messageSender, webhookSender } from '../../../connectors/receivers/send.ts'
import { sendAlerts } from '../../../pipelines/jobs/casework/send-alerts.ts'
import type { DeadDelivery, DeliveryPorts, Send } from '../../../pipelines/runtime/leases/deliveries.ts'
import { newSigningSecret } from '../../../schemas/casework/deliveries/destination.ts'
import type { DeliveryKind } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import { LINKS } from './alert-items.ts'

export const newDestination = (owner: Owner, given: Partial<NewDestination> = {}): NewDestination => ({
  id: randomUUID(),
  owner,
  name: 'ours',
  kind: 'webhook',
  url: 'https://hooks.example.com/',
  email: null,
  watchlists: null,
  digest: 'none',
  publicOnly: false,
  confirmedAt: null,
  createdAt: 1_800_000_000_000,
  updatedAt: 1_800_000_000_000,
  secret: newSigningSecret(),
  ...given,
})

export type FiredAlert = {
  count?: number
  watchlistId?: string
  readableBy?: string[]
  needs?: string[]
  now?: number
  value?: string
}

/** Stores alerts of the owner as the job of alerts does, with their deliveries. Their ids, in order. */
export async function fire(db: AccountsDatabase['db'], owner: Owner, given: FiredAlert = {}): Promise<string[]> {
  const { count = 1, watchlistId = randomUUID(), readableBy = ['public'], needs = [], now = 1_800_000_000_000 } = given
  const ids = Array.from({ length: count }, () => randomUUID())
  await db.transaction().execute(async (tx) => {
    await sql`
      INSERT INTO casework_alerts (id, customer_id, user_id, watchlist_id, item_id, entity_id, entity_type, entity_value,
        reputation, matched_kind, matched_on, created_at, last_at, readable_by, needs, partition, last_offset)
      SELECT id, ${owner.customerId}, ${owner.userId}, ${watchlistId}, gen_random_uuid(), 'ip-' || repeat('0', 64), 'ip',
        ${given.value ?? '203.0.113.7'}, -3, 'value', '203.0.113.7', ${new Date(now)}, ${new Date(now)},
        ${readableBy}::text[], ${needs}::text[], 0, 0
      FROM unnest(${ids}::uuid[]) AS id`.execute(tx)
    await enqueueAlerts(tx, OWN_ALERTS, ids, now)
  })
  return ids
}

/** How a process sends what is of a kind, to private receivers too unless told otherwise. */
export function sending(db: AccountsDatabase['db'], given: Partial<Parameters<typeof messageSender>[0]> = {}) {
  const mailer = { send: async () => undefined }
  const ports = { send: sendOutbound, mailer, allowPrivate: true, links: LINKS, now: Date.now, ...given }
  const sends: { [Kind in DeliveryKind]: Send<Kind> } = {
    scan: webhookSender(ports),
    alert: sendAlerts(kyselyDeliveredAlerts(db), messageSender(ports)),
  }
  return sends
}

/** A process that delivers what is of a kind, as the platform starts it. */
export function delivererOver<Kind extends DeliveryKind>(
  db: AccountsDatabase['db'],
  kind: Kind,
  given: Partial<DeliveryPorts<Kind>> = {},
) {
  const outcomes: string[] = []
  const dead: DeadDelivery[] = []
  const failures: Error[] = []
  const now = given.now ?? Date.now
  const ports: DeliveryPorts<Kind> = {
    kind,
    queue: kyselyDeliveryQueue(db, kind),
    send: sending(db, { now })[kind],
    holder: randomUUID(),
    onTry: (_, outcome) => void outcomes.push(outcome),
    onDead: (one) => void dead.push(one),
    onFailure: (error) => void failures.push(error),
    ...given,
    now,
  }
  return { ports, outcomes, dead, failures }
}
