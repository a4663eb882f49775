/** What comes next in a queue is decided and written down in one short transaction; nothing is sent in it. */

import { randomUUID } from 'node:crypto'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { MINUTE_MS, nextStep, PER_MINUTE, type Step } from '../../../schemas/casework/deliveries/plan.ts'
import { CUT_OFF, type DeliveryKind, triesOf } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Header } from '../../../schemas/scans/webhooks/headers.ts'
import { identityOf, usersWithRights } from '../accounts/users/user-rows.ts'
import { destinationOf, receiverOf } from '../casework/deliveries/destination-rows.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { DeliveryTables } from '../tables/deliveries-tables.ts'
import type { DestinationTables } from '../tables/destinations-tables.ts'
import type { Begun, DeliveryQueue, QueueLease } from './port.ts'

type QueueRow = Selectable<DeliveryTables['delivery_queues']>
type DeliveryRow = Selectable<DeliveryTables['deliveries']>
/** null: a queue of the webhook of a scan. */
type DestinationRow = Selectable<DestinationTables['alert_destinations']> | null

/** The secrets of others that a webhook carries; they are erased when no further try is due. */
export const erasedSecrets = (kind: DeliveryKind) => (kind === 'scan' ? { secret: '', headers: '[]' } : {})

/** See `DeliveryQueue.begin`. */
export const beginDelivery = <Kind extends DeliveryKind>(
  db: Kysely<Tables>,
  kind: Kind,
  lease: QueueLease,
  now: number,
): ReturnType<DeliveryQueue<Kind>['begin']> =>
  db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      // Held: alerts that are stored meanwhile have higher numbers than all that are seen here.
      const queue = await tx
        .selectFrom('delivery_queues')
        .selectAll()
        .where('id', '=', lease.queueId)
        .where('fence', '=', lease.fence)
        .where('holder', 'is not', null)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (queue === undefined) return { begun: null, cutOff: [] }
      const destination = await destinationAt(tx, queue)
      if (destination === undefined) {
        // A process of before has deleted it, which knew of no queue.
        await tx.deleteFrom('delivery_queues').where('id', '=', queue.id).execute()
        return { begun: null, cutOff: [] }
      }
      const cutOff = await buryCutOff(tx, queue, now)
      const step = await stepOf(tx, queue, destination, now)
      const delivery = await carryOut(tx, queue, step, now)
      const begun = delivery === null ? null : await begunOf(tx, kind, lease, destination, delivery)
      return { begun, cutOff }
    })

/** undefined: the destination is gone. */
async function destinationAt(tx: Transaction<Tables>, queue: QueueRow): Promise<DestinationRow | undefined> {
  if (queue.kind === 'scan') return null
  return tx.selectFrom('alert_destinations').selectAll().where('id', '=', queue.id).executeTakeFirst()
}

/** Declares dead what a killed process left in its last try. Returns the ids. */
async function buryCutOff(tx: Transaction<Tables>, queue: QueueRow, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('deliveries')
    .set({ ...erasedSecrets(queue.kind), state: 'dead', last_error: CUT_OFF, finished_at: new Date(now) })
    .where('queue_id', '=', queue.id)
    .where('state', '=', 'trying')
    .where('attempts', '>=', triesOf(queue.kind))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function stepOf(tx: Transaction<Tables>, row: QueueRow, destination: DestinationRow, now: number): Promise<Step> {
  const { rows } = await sql<{ fresh: number; retry_at: Date | null; held: boolean }>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT 1 FROM deliveries
        WHERE queue_id = ${row.id} AND seq > ${row.begun_to} AND state = 'fresh' LIMIT ${PER_MINUTE + 1}
      ) AS f) AS fresh,
      (SELECT min(next_at) FROM deliveries WHERE queue_id = ${row.id} AND state = 'trying') AS retry_at,
      EXISTS (
        SELECT 1 FROM deliveries WHERE queue_id = ${row.id} AND state = 'trying' AND NOT passed
      ) AS held`.execute(tx)
  const { fresh, retry_at, held } = rows[0]!
  // Until the address is confirmed everything waits: the confirmation rings.
  if (destination?.kind === 'email' && destination.confirmed_at === null)
    return { does: 'rest', until: null, gathering: { until: null, storms: 0 } }
  const queue = {
    digest: destination === null ? ('none' as const) : destinationOf(destination).digest,
    recent: row.recent.map((at) => at.getTime()),
    fresh,
    gatherUntil: row.gather_until?.getTime() ?? null,
    storms: row.storms,
    retryAt: retry_at?.getTime() ?? null,
    held,
  }
  return nextStep(queue, now)
}

/** The delivery that begins; null: none. */
async function carryOut(tx: Transaction<Tables>, row: QueueRow, step: Step, now: number): Promise<DeliveryRow | null> {
  const at = new Date(now)
  const change = tx.updateTable('delivery_queues').where('id', '=', row.id)
  if (step.does === 'rest') {
    const { until, gathering } = step
    await change
      .set({ ...gatheringColumns(gathering), due_at: dateOf(until), holder: null, lease_until: new Date(0) })
      .execute()
    return null
  }
  const recent = [...row.recent.filter((one) => one.getTime() > now - MINUTE_MS), at]
  if (step.does === 'fold') {
    const delivery = await fold(tx, row, at)
    const folded = { ...gatheringColumns(step.gathering), begun_to: delivery.to_seq! }
    await change.set({ ...folded, recent: sql<Date[]>`${recent}::timestamptz[]` }).execute()
    return delivery
  }
  const first =
    step.does === 'retry'
      ? sql`state = 'trying' AND next_at <= ${at} ORDER BY next_at, seq`
      : sql`state = 'fresh' AND seq > ${row.begun_to} ORDER BY seq`
  const { rows } = await sql<DeliveryRow>`
    UPDATE deliveries SET state = 'trying', attempts = attempts + 1, next_at = ${at}
    WHERE id = (SELECT id FROM deliveries WHERE queue_id = ${row.id} AND ${first} LIMIT 1)
    RETURNING *`.execute(tx)
  const delivery = rows[0]!
  const begunTo = step.does === 'send' ? { begun_to: delivery.seq } : {}
  await change.set({ ...begunTo, recent: sql<Date[]>`${recent}::timestamptz[]` }).execute()
  return delivery
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

const gatheringColumns = ({ until, storms }: { until: number | null; storms: number }) => ({
  gather_until: dateOf(until),
  storms,
})

/** All fresh alerts as one delivery. Its id for the receiver follows from theirs. */
async function fold(tx: Transaction<Tables>, row: QueueRow, at: Date): Promise<DeliveryRow> {
  const { rows } = await sql<DeliveryRow>`
    INSERT INTO deliveries
      (id, queue_id, after_seq, to_seq, alerts, message_id, state, attempts, next_at, created_at)
    SELECT ${randomUUID()}::uuid, ${row.id}::uuid, ${row.begun_to}::bigint, max(seq), count(*)::int,
      encode(sha256(convert_to(string_agg(alert_id::text, ',' ORDER BY seq), 'UTF8')), 'hex'), 'trying', 1, ${at}::timestamptz, ${at}::timestamptz
    FROM deliveries WHERE queue_id = ${row.id} AND seq > ${row.begun_to} AND state = 'fresh'
    RETURNING *`.execute(tx)
  return rows[0]!
}

/** Throws when the queue is of another kind than `kind`: it was not taken by `take` of that kind. */
async function begunOf<Kind extends DeliveryKind>(
  tx: Transaction<Tables>,
  kind: Kind,
  lease: QueueLease,
  destination: DestinationRow,
  delivery: DeliveryRow,
): Promise<Begun<Kind>> {
  if ((kind === 'scan') !== (destination === null)) throw new RangeError(`queue ${lease.queueId} is not of ${kind}`)
  const content = destination === null ? webhookOf(delivery) : await alertsOf(tx, destination, delivery)
  const begun: Begun<DeliveryKind> = {
    ...lease,
    deliveryId: delivery.id,
    messageId: delivery.message_id,
    attempt: delivery.attempts,
    createdAt: delivery.created_at.getTime(),
    ...content,
  }
  // The content follows from the kind, which was compared above.
  return begun as unknown as Begun<Kind>
}

const webhookOf = ({ url, headers, secret, body }: DeliveryRow) => ({
  url: url!,
  headers: headers as Header[],
  secret: secret!,
  body: body!,
})

async function alertsOf(tx: Transaction<Tables>, destination: NonNullable<DestinationRow>, delivery: DeliveryRow) {
  const user = await usersWithRights(tx).where('users.id', '=', destination.user_id).executeTakeFirst()
  const { alert_id: alertId, after_seq: after, to_seq: to } = delivery
  return {
    carries: alertId === null ? { after: after!, to: to! } : { alertId },
    destination: destinationOf(destination),
    receiver: receiverOf(destination),
    user: user === undefined ? null : identityOf(user, null),
  }
}
