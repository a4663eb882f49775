/** What comes next for a destination is decided and written down in one short transaction; nothing is sent in it. */

import { randomUUID } from 'node:crypto'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { MINUTE_MS, nextStep, PER_MINUTE, type Step } from '../../../../schemas/casework/deliveries/plan.ts'
import { DELIVERY_TRIES } from '../../../../schemas/casework/deliveries/schedule.ts'
import { CUT_OFF } from '../../../../schemas/scans/webhooks/schedule.ts'
import { identityOf, usersWithRights } from '../../accounts/users/user-rows.ts'
import type { DestinationTables } from '../../tables/destinations.ts'
import type { Tables } from '../../tables/tables.ts'
import { destinationOf, receiverOf } from './destination-rows.ts'
import type { Begun, DestinationLease } from './port.ts'

type DestinationRow = Selectable<DestinationTables['alert_destinations']>
type DeliveryRow = Selectable<DestinationTables['alert_deliveries']>

/** See `DeliveryQueue.begin`. */
export const beginDelivery = (db: Kysely<Tables>, lease: DestinationLease, now: number): Promise<Begun | null> =>
  db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      // Held: alerts that are stored meanwhile have higher numbers than all that are seen here.
      const row = await tx
        .selectFrom('alert_destinations')
        .selectAll()
        .where('id', '=', lease.destinationId)
        .where('fence', '=', lease.fence)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (row === undefined) return null
      await buryCutOff(tx, row.id, now)
      const step = await stepOf(tx, row, now)
      const delivery = await carryOut(tx, row, step, now)
      return delivery === null ? null : begun(tx, lease, row, delivery)
    })

/** Declares dead what a killed process left in its last try. */
async function buryCutOff(tx: Transaction<Tables>, destinationId: string, now: number): Promise<void> {
  await tx
    .updateTable('alert_deliveries')
    .set({ state: 'dead', last_error: CUT_OFF, finished_at: new Date(now) })
    .where('destination_id', '=', destinationId)
    .where('state', '=', 'trying')
    .where('attempts', '>=', DELIVERY_TRIES)
    .execute()
}

async function stepOf(tx: Transaction<Tables>, row: DestinationRow, now: number): Promise<Step> {
  const { rows } = await sql<{ fresh: number; retry_at: Date | null; held: boolean }>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT 1 FROM alert_deliveries
        WHERE destination_id = ${row.id} AND seq > ${row.begun_to} AND state = 'fresh' LIMIT ${PER_MINUTE + 1}
      ) AS f) AS fresh,
      (SELECT min(next_at) FROM alert_deliveries WHERE destination_id = ${row.id} AND state = 'trying') AS retry_at,
      EXISTS (
        SELECT 1 FROM alert_deliveries WHERE destination_id = ${row.id} AND state = 'trying' AND NOT passed
      ) AS held`.execute(tx)
  const { fresh, retry_at, held } = rows[0]!
  // Until the address is confirmed everything waits: the confirmation rings.
  if (row.kind === 'email' && row.confirmed_at === null)
    return { does: 'rest', until: null, gathering: { until: null, storms: 0 } }
  const queue = {
    digest: destinationOf(row).digest,
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
async function carryOut(
  tx: Transaction<Tables>,
  row: DestinationRow,
  step: Step,
  now: number,
): Promise<DeliveryRow | null> {
  const at = new Date(now)
  const change = tx.updateTable('alert_destinations').where('id', '=', row.id)
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
    UPDATE alert_deliveries SET state = 'trying', attempts = attempts + 1, next_at = ${at}
    WHERE id = (SELECT id FROM alert_deliveries WHERE destination_id = ${row.id} AND ${first} LIMIT 1)
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
async function fold(tx: Transaction<Tables>, row: DestinationRow, at: Date): Promise<DeliveryRow> {
  const { rows } = await sql<DeliveryRow>`
    INSERT INTO alert_deliveries
      (id, destination_id, after_seq, to_seq, alerts, message_id, state, attempts, next_at, created_at)
    SELECT ${randomUUID()}::uuid, ${row.id}::uuid, ${row.begun_to}::bigint, max(seq), count(*)::int,
      encode(sha256(convert_to(string_agg(alert_id::text, ',' ORDER BY seq), 'UTF8')), 'hex'), 'trying', 1, ${at}::timestamptz, ${at}::timestamptz
    FROM alert_deliveries WHERE destination_id = ${row.id} AND seq > ${row.begun_to} AND state = 'fresh'
    RETURNING *`.execute(tx)
  return rows[0]!
}

async function begun(
  tx: Transaction<Tables>,
  lease: DestinationLease,
  row: DestinationRow,
  delivery: DeliveryRow,
): Promise<Begun> {
  const user = await usersWithRights(tx).where('users.id', '=', row.user_id).executeTakeFirst()
  const { alert_id: alertId, after_seq: after, to_seq: to } = delivery
  return {
    ...lease,
    deliveryId: delivery.id,
    messageId: delivery.message_id,
    attempt: delivery.attempts,
    carries: alertId === null ? { after: after!, to: to! } : { alertId },
    createdAt: delivery.created_at.getTime(),
    destination: destinationOf(row),
    receiver: receiverOf(row),
    user: user === undefined ? null : identityOf(user, null),
  }
}
