/** Bulk requests as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, type Selectable, sql } from 'kysely'
import { dropRows } from '../core/drop-rows.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { IntelligenceTables } from '../tables/intelligence.ts'
import { BULK_LEASE_MS, type BulkKey, type BulkRequest, type BulkRequests, KEY_KEPT_MS } from './port.ts'

const REMOVED_AT_ONCE = 5_000

export function kyselyBulkRequests(db: Kysely<Tables>): BulkRequests {
  const own = ({ caller, keyHash }: BulkKey, attempt: string) =>
    db
      .updateTable('bulk_requests')
      .where('caller', '=', caller)
      .where('key_hash', '=', keyHash)
      .where('attempt', '=', attempt)

  return {
    async claim({ caller, keyHash }, attempt, { offsets, groups }, now) {
      const [at, until] = [new Date(now), new Date(now + BULK_LEASE_MS)]
      const old = new Date(now - KEY_KEPT_MS)
      // The row lock makes claims of one key happen one after another; the row is anew once its day is over.
      const { rows } = await sql<Row>`
        INSERT INTO bulk_requests AS r (caller, key_hash, started_at, attempt, lease_until, groups, offsets)
        VALUES (${caller}, ${keyHash}, ${at}, ${attempt}, ${until}, ${groups}::text[], ${numbers(offsets)}::bigint[])
        ON CONFLICT (caller, key_hash) DO UPDATE SET
          attempt = excluded.attempt,
          lease_until = excluded.lease_until,
          started_at = CASE WHEN r.started_at <= ${old} THEN excluded.started_at ELSE r.started_at END,
          groups = CASE WHEN r.started_at <= ${old} THEN excluded.groups ELSE r.groups END,
          offsets = CASE WHEN r.started_at <= ${old} THEN excluded.offsets ELSE r.offsets END,
          bytes = CASE WHEN r.started_at <= ${old} THEN 0 ELSE r.bytes END,
          digest = CASE WHEN r.started_at <= ${old} THEN '' ELSE r.digest END,
          lines = CASE WHEN r.started_at <= ${old} THEN 0 ELSE r.lines END,
          limited = CASE WHEN r.started_at <= ${old} THEN '{}' ELSE r.limited END,
          finished = r.finished AND r.started_at > ${old}
        WHERE r.attempt IS NULL OR r.lease_until <= ${at}
        RETURNING *`.execute(db)
      const row = rows[0]
      if (row !== undefined)
        return { state: 'ours', request: requestOf(row), fresh: row.started_at.getTime() === now && row.bytes === 0 }
      const held = await db
        .selectFrom('bulk_requests')
        .select('lease_until')
        .where('caller', '=', caller)
        .where('key_hash', '=', keyHash)
        .executeTakeFirst()
      return { state: 'taken', until: held?.lease_until.getTime() ?? now }
    },

    async advance(key, attempt, { bytes, digest, lines, limited, offsets, finished }, now) {
      const { numUpdatedRows } = await own(key, attempt)
        .set({ bytes, digest, lines, finished, lease_until: new Date(now + BULK_LEASE_MS) })
        .set('limited', sql<number[]>`${numbers(limited.flat())}::integer[]`)
        .set('offsets', sql<number[]>`${numbers(offsets)}::bigint[]`)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async renew(key, attempt, now) {
      const { numUpdatedRows } = await own(key, attempt)
        .set({ lease_until: new Date(now + BULK_LEASE_MS) })
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async release(key, attempt) {
      await own(key, attempt).set({ attempt: null }).execute()
    },

    async releaseAll() {
      await db.updateTable('bulk_requests').set({ attempt: null }).where('attempt', 'is not', null).execute()
    },

    sweep: (before) => {
      const given = new Date(before + KEY_KEPT_MS)
      const where = sql`started_at < ${new Date(before)} AND (attempt IS NULL OR lease_until < ${given})`
      return dropRows(db, { from: 'bulk_requests', key: ['caller', 'key_hash'], where, limit: REMOVED_AT_ONCE })
    },
  }
}

type Row = Selectable<IntelligenceTables['bulk_requests']>

/** As the text of an array: drivers differ in how they send one of numbers. */
const numbers = (values: readonly number[]): string => `{${values.join(',')}}`

function requestOf(row: Row): BulkRequest {
  const { bytes, digest, lines, finished, groups } = row
  const limited: BulkRequest['limited'] = []
  for (let at = 0; at + 1 < row.limited.length; at += 2) limited.push([row.limited[at]!, row.limited[at + 1]!])
  // Drivers give elements of bigint[] as they like.
  const offsets = row.offsets.map(Number)
  return { startedAt: row.started_at.getTime(), groups, bytes, digest, lines, limited, offsets, finished }
}
