/** The sending side of webhooks as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, sql } from 'kysely'
import type { Header } from '../../../schemas/scans/webhooks/headers.ts'
import { CUT_OFF, TRIES } from '../../../schemas/scans/webhooks/schedule.ts'
import type { Tables } from '../tables/tables.ts'
import { deliveryReads } from './webhook-reads.ts'
import type { LeasedDelivery, WebhookDeliveries } from './webhooks/port.ts'

/** Maximum length of a stored error, which users read later; a receiver cannot make it longer. */
const MAX_ERROR = 200

/**
 * The longest due that are ranked by host, so that a long queue costs no more than this. Hosts that have no room are left
 * out before: their rows cannot fill it.
 */
const CANDIDATES = 1_000

/** The fields that are erased once no further delivery is due: secrets of others. */
const FINISHED = { secret: '', headers: '[]' }

type Row = Omit<LeasedDelivery, 'headers' | 'attempt'> & { headers: Header[]; attempts: number }

export function kyselyDeliveries(db: Kysely<Tables>): WebhookDeliveries {
  /** Only while the lease is still the one that was given out. */
  const held = ({ id, fence }: Pick<LeasedDelivery, 'id' | 'fence'>) =>
    db
      .updateTable('webhook_deliveries')
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('state', '=', 'waiting')
      .set({ holder: null, lease_until: new Date(0) })

  return {
    async take({ holder, now, leaseMs, limit, perHost, sending }) {
      const at = new Date(now)
      const due = sql`state = 'waiting' AND attempts < ${TRIES} AND next_at <= ${at} AND lease_until <= ${at}`
      const busy = sql`coalesce((${JSON.stringify(sending)}::jsonb ->> host)::int, 0)`
      // Asked often, and mostly for nothing: the short question first.
      const any = await sql`SELECT 1 FROM webhook_deliveries WHERE ${due} LIMIT 1`.execute(db)
      if (any.rows.length === 0) return []
      // Rows are judged again where they are locked: another holder may have taken them since they were ranked.
      const { rows } = await sql<Row>`
        WITH candidates AS (
          SELECT id, host, next_at FROM webhook_deliveries
          WHERE ${due} AND ${busy} < ${perHost} ORDER BY next_at, id LIMIT ${CANDIDATES}
        ), ranked AS (
          SELECT id, next_at, row_number() OVER (PARTITION BY host ORDER BY next_at, id) + ${busy} AS place
          FROM candidates
        ), picked AS (
          SELECT id FROM ranked WHERE place <= ${perHost} ORDER BY next_at, id LIMIT ${limit}
        ), locked AS MATERIALIZED (
          SELECT id FROM webhook_deliveries WHERE id IN (SELECT id FROM picked) AND ${due} FOR UPDATE SKIP LOCKED
        )
        UPDATE webhook_deliveries AS d
        SET holder = ${holder}, lease_until = ${new Date(now + leaseMs)}, fence = fence + 1, attempts = attempts + 1
        FROM locked WHERE d.id = locked.id
        RETURNING d.id, d.url, d.host, d.headers, d.secret, d.body, d.attempts, d.fence`.execute(db)
      return rows.map(({ attempts, ...row }) => ({ ...row, attempt: attempts }))
    },

    async nextAt() {
      // What is leased was due before: it is among the first.
      const first = sql`
        SELECT greatest(next_at, lease_until) AS at FROM webhook_deliveries
        WHERE state = 'waiting' AND attempts < ${TRIES} ORDER BY next_at, id LIMIT ${CANDIDATES}`
      const { rows } = await sql<{ at: Date | null }>`SELECT min(at) AS at FROM (${first}) AS f`.execute(db)
      return rows[0]?.at?.getTime() ?? null
    },

    async commitOutcome(lease, verdict, now) {
      const end = { ...FINISHED, state: verdict.state, finished_at: new Date(now) }
      const last_error = verdict.state === 'delivered' ? null : verdict.error.slice(0, MAX_ERROR)
      const after = verdict.state === 'waiting' ? { next_at: new Date(verdict.nextAt) } : end
      const { numUpdatedRows } = await held(lease)
        .set({ ...after, last_error })
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    async release(lease, now) {
      await held(lease)
        .set((row) => ({ next_at: new Date(now), attempts: row('attempts', '-', 1) }))
        .execute()
    },

    async markDead(now, limit) {
      const over = db
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('state', '=', 'waiting')
        .where('attempts', '>=', TRIES)
        .where('lease_until', '<=', new Date(now))
        .limit(limit)
        .forUpdate()
        .skipLocked()
      const rows = await db
        .updateTable('webhook_deliveries')
        .set({ ...FINISHED, state: 'dead', finished_at: new Date(now), last_error: CUT_OFF, holder: null })
        .where('id', 'in', over)
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async prune(before, limit) {
      const old = db
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('state', '<>', 'waiting')
        .where('finished_at', '<', new Date(before))
        .orderBy('finished_at')
        .limit(limit)
      const { numDeletedRows } = await db
        .deleteFrom('webhook_deliveries')
        .where('id', 'in', old)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    ...deliveryReads(db),
  }
}
