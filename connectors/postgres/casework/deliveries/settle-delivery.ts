/** How a try ends, and the lease with it. */

import { type Kysely, sql, type Transaction } from 'kysely'
import { HOLDING_TRIES } from '../../../../schemas/casework/deliveries/schedule.ts'
import type { Tables } from '../../tables/tables.ts'
import type { Begun, DeliveryEnd, DeliveryQueue } from './port.ts'

/** Maximum length of a stored error, which users read; a receiver cannot make it longer. */
const MAX_ERROR = 200

const PASSED = `later alerts are sent before it: it failed ${HOLDING_TRIES} times`

export function endings(db: Kysely<Tables>): Pick<DeliveryQueue, 'settle' | 'release'> {
  /** Runs only while the lease is still the one that was given out, and ends it: there may be more to do at once. */
  const within = (
    { destinationId, fence }: Begun,
    now: number,
    work: (tx: Transaction<Tables>) => Promise<void>,
  ): Promise<boolean> =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('alert_destinations')
          .set({ holder: null, lease_until: new Date(0), due_at: new Date(now) })
          .where('id', '=', destinationId)
          .where('fence', '=', fence)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows !== 1n) return false
        await work(tx)
        return true
      })

  return {
    settle: (begun, end, now) =>
      within(begun, now, async (tx) => {
        await tx
          .updateTable('alert_deliveries')
          .set(columnsOf(begun, end, now))
          .where('id', '=', begun.deliveryId)
          .where('state', '=', 'trying')
          .execute()
        // What was not sent takes no room of a minute.
        if (end.state === 'skipped') await forgetTry(tx, begun)
      }),

    async release(begun, now) {
      await within(begun, now, async (tx) => {
        await tx
          .updateTable('alert_deliveries')
          .set((row) => ({ attempts: row('attempts', '-', 1), next_at: new Date(now) }))
          .where('id', '=', begun.deliveryId)
          .where('state', '=', 'trying')
          .execute()
      })
    },
  }
}

function columnsOf({ attempt }: Begun, end: DeliveryEnd, now: number) {
  switch (end.state) {
    case 'waiting': {
      const passed = attempt >= HOLDING_TRIES ? { passed: true, note: PASSED } : {}
      return { last_error: end.error.slice(0, MAX_ERROR), next_at: new Date(end.nextAt), ...passed }
    }
    case 'delivered':
      return { state: end.state, finished_at: new Date(now), last_error: null }
    case 'dead':
      return { state: end.state, finished_at: new Date(now), last_error: end.error.slice(0, MAX_ERROR) }
    case 'skipped':
      return { state: end.state, finished_at: new Date(now), note: end.note }
  }
}

async function forgetTry(tx: Transaction<Tables>, { destinationId }: Begun): Promise<void> {
  await sql`
    UPDATE alert_destinations SET recent = trim_array(recent, 1)
    WHERE id = ${destinationId} AND cardinality(recent) > 0`.execute(tx)
}
