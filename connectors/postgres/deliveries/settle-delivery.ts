/** How a try ends, and the lease with it. */

import { type Kysely, sql, type Transaction } from 'kysely'
import { type DeliveryKind, holdingTriesOf } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Tables } from '../tables/tables.ts'
import { erasedSecrets } from './begin-delivery.ts'
import type { Begun, DeliveryEnd, DeliveryQueue } from './port.ts'

/** Maximum length of a stored error, which users read; a receiver cannot make it longer. */
const MAX_ERROR = 200

export function endings<Kind extends DeliveryKind>(
  db: Kysely<Tables>,
  kind: Kind,
): Pick<DeliveryQueue<Kind>, 'settle' | 'release'> {
  /** Runs only while the lease is still the one that was given out, and ends it. */
  const within = (
    { queueId, fence }: Begun<Kind>,
    dueAt: number | null,
    work: (tx: Transaction<Tables>) => Promise<void>,
  ): Promise<boolean> =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('delivery_queues')
          .set({ holder: null, lease_until: new Date(0), due_at: dueAt === null ? null : new Date(dueAt) })
          .where('id', '=', queueId)
          .where('fence', '=', fence)
          .where('holder', 'is not', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows !== 1n) return false
        await work(tx)
        return true
      })

  return {
    settle: (begun, end, now) =>
      within(begun, dueAfter(kind, end, now), async (tx) => {
        await tx
          .updateTable('deliveries')
          .set(columnsOf(kind, begun, end, now))
          .where('id', '=', begun.deliveryId)
          .where('state', '=', 'trying')
          .execute()
        // What was not sent takes no room of a minute.
        if (end.state === 'skipped') await forgetTry(tx, begun)
      }),

    async release(begun, now) {
      await within(begun, now, async (tx) => {
        await tx
          .updateTable('deliveries')
          .set((row) => ({ attempts: row('attempts', '-', 1), next_at: new Date(now) }))
          .where('id', '=', begun.deliveryId)
          .where('state', '=', 'trying')
          .execute()
      })
    },
  }
}

/** A destination may have more to do at once; a webhook is alone in its queue. */
function dueAfter(kind: DeliveryKind, end: DeliveryEnd, now: number): number | null {
  if (kind === 'alert') return now
  return end.state === 'waiting' ? end.nextAt : null
}

function columnsOf(kind: DeliveryKind, { attempt }: { attempt: number }, end: DeliveryEnd, now: number) {
  switch (end.state) {
    case 'waiting': {
      const holding = holdingTriesOf(kind)
      const note = `later alerts are sent before it: it failed ${holding} times`
      const passed = attempt >= holding ? { passed: true, note } : {}
      return { last_error: end.error.slice(0, MAX_ERROR), next_at: new Date(end.nextAt), ...passed }
    }
    case 'delivered':
      return { ...erasedSecrets(kind), state: end.state, finished_at: new Date(now), last_error: null }
    case 'dead': {
      const last_error = end.error.slice(0, MAX_ERROR)
      return { ...erasedSecrets(kind), state: end.state, finished_at: new Date(now), last_error }
    }
    case 'skipped':
      return { ...erasedSecrets(kind), state: end.state, finished_at: new Date(now), note: end.note }
  }
}

async function forgetTry(tx: Transaction<Tables>, { queueId }: { queueId: string }): Promise<void> {
  await sql`
    UPDATE delivery_queues SET recent = trim_array(recent, 1)
    WHERE id = ${queueId} AND cardinality(recent) > 0`.execute(tx)
}
