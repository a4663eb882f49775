/** A right code of a destination of alerts, in one transaction: its address is confirmed (decisions 13.3). */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import { noteNetwork } from './redeem-code.ts'

/** The id of the destination, which sends from now on; null also when it has another address by now, or is gone. */
export const confirmDestination = (db: Kysely<Tables>, idHash: Buffer, now: number): Promise<string | null> =>
  db.transaction().execute(async (tx) => {
    const at = new Date(now)
    const code = await tx
      .updateTable('verification_codes')
      .set({ used: true })
      .where('id_hash', '=', idHash)
      .where('used', '=', false)
      .where('destination_id', 'is not', null)
      .where('expires_at', '>', at)
      .returning(['destination_id', 'email', 'network'])
      .executeTakeFirst()
    if (code === undefined) return null
    if (code.network !== null) await noteNetwork(tx, code.network, now)
    const destination = tx
      .selectFrom('alert_destinations')
      .select('id')
      .where('id', '=', code.destination_id)
      .where(sql<string>`lower(email)`, '=', code.email)
    // The queue first: who deletes a destination holds its queue, and then the destination.
    await tx.updateTable('delivery_queues').set({ due_at: at }).where('id', 'in', destination).execute()
    const confirmed = await tx
      .updateTable('alert_destinations')
      .set({ confirmed_at: at, code_id: null })
      .where('id', '=', code.destination_id)
      .where(sql<string>`lower(email)`, '=', code.email)
      .returning('id')
      .executeTakeFirst()
    return confirmed?.id ?? null
  })
