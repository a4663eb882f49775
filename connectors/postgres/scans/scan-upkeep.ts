/** Upkeep of scan tasks that no other code does, as SQL. Several processes may do this at once. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { STUCK_MS } from '../../../schemas/scans/scan.ts'
import type { Tables } from '../tables/tables.ts'
import type { ScanUpkeep } from './port.ts'
import { change, type EncodeRequest, publish } from './scan-changes.ts'
import type { ScanRow } from './scan-rows.ts'

const STUCK = 'the scan ran for 4 hours without finishing'
const CUT_OFF = 'the process ended during the scan'

export function kyselyScanUpkeep(db: Kysely<Tables>, encode: EncodeRequest): ScanUpkeep {
  /** Asked every ten seconds, mostly for nothing: a short question before each transaction. */
  const any = async (condition: RawBuilder<unknown>): Promise<boolean> =>
    (await sql`SELECT 1 FROM scan_tasks WHERE ${condition} LIMIT 1`.execute(db)).rows.length > 0

  return {
    async recover(now, limit) {
      const over = sql`status = 'running' AND (lease_until <= ${new Date(now)} OR since <= ${new Date(now - STUCK_MS)})`
      if (!(await any(over))) return []
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<ScanRow>`
          SELECT * FROM scan_tasks WHERE ${over}
          ORDER BY since, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx)
        const recovered = []
        for (const row of rows) {
          const changed =
            (await change(tx, encode, row, 'stuck', now, { error: STUCK })) ??
            (await change(tx, encode, row, 'expired', now, { error: CUT_OFF }))
          if (changed !== null) recovered.push({ id: changed.id, status: changed.status })
        }
        return recovered
      })
    },

    async remind(before, now, limit) {
      if (!(await any(sql`status = 'queued' AND asked_at <= ${new Date(before)}`))) return 0
      return db.transaction().execute(async (tx) => {
        const silent = await tx
          .selectFrom('scan_tasks')
          .selectAll()
          .where('status', '=', 'queued')
          .where('asked_at', '<=', new Date(before))
          .orderBy('asked_at')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .execute()
        for (const row of silent) {
          await publish(tx, encode, row, now)
          await tx
            .updateTable('scan_tasks')
            .set({ asked_at: new Date(now) })
            .where('id', '=', row.id)
            .execute()
        }
        return silent.length
      })
    },

    async prune(before, limit) {
      const old = db
        .selectFrom('scan_tasks')
        .select('id')
        .where('created_at', '<', new Date(before))
        .orderBy('created_at')
        .limit(limit)
      const { numDeletedRows } = await db.deleteFrom('scan_tasks').where('id', 'in', old).executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
