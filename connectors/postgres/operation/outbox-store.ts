/** The reading side of the outbox as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { Outbox } from './port.ts'

/** Called, in the transaction that marks them, with the records that are on the log; `now` in unix milliseconds. */
export type WhenPublished = (
  tx: Transaction<Tables>,
  records: readonly { id: string; topic: string }[],
  now: number,
) => Promise<void>

/** Of one answer of `pending`, about: a definition of a feed may have a megabyte (ADR 209). */
const PENDING_BYTES = 16 * 1024 * 1024

export function kyselyOutbox(db: Kysely<Tables>, whenPublished: WhenPublished = async () => undefined): Outbox {
  return {
    async take(holder, now, leaseMs) {
      const row = await db
        .updateTable('outbox_turn')
        .set({ holder, until: new Date(now + leaseMs) })
        .where((where) =>
          where.or([
            where('until', '<=', new Date(now)),
            // Taken by a clock that has been set back since: no turn lasts that long.
            where('until', '>', new Date(now + 2 * leaseMs)),
            where('holder', '=', holder),
          ]),
        )
        .returning('holder')
        .executeTakeFirst()
      return row !== undefined
    },

    async leave(holder) {
      await db
        .updateTable('outbox_turn')
        .set({ until: new Date(0) })
        .where('holder', '=', holder)
        .execute()
    },

    pending: (limit) => {
      const oldest = db
        .selectFrom('outbox')
        .select(['seq', 'topic', 'key', 'record'])
        .where('published_at', 'is', null)
        .orderBy('seq')
        .limit(limit)
        .as('oldest')
      const before = sql<number>`sum(octet_length(record)) OVER (ORDER BY seq) - octet_length(record)`.as('before')
      const added = db.selectFrom(oldest).select(['seq', 'topic', 'key', 'record', before]).as('added')
      const query = db.selectFrom(added).select(['seq', 'topic', 'key', 'record'])
      return query.where('before', '<', PENDING_BYTES).orderBy('seq').execute()
    },

    async markPublished(seqs, now) {
      if (seqs.length === 0) return
      const published_at = new Date(now)
      await db.transaction().execute(async (tx) => {
        const marked = await tx
          .updateTable('outbox')
          .set({ published_at })
          .where('seq', 'in', [...seqs])
          .returning(['id', 'topic'])
          .execute()
        await whenPublished(tx, marked, now)
      })
    },

    async prune(before, limit) {
      const old = db
        .selectFrom('outbox')
        .select('seq')
        .where('published_at', '<', new Date(before))
        .orderBy('published_at')
        .limit(limit)
      const { numDeletedRows } = await db.deleteFrom('outbox').where('seq', 'in', old).executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    async backlog(limit) {
      const waiting = db
        .selectFrom('outbox')
        .select(['seq', 'created_at'])
        .where('published_at', 'is', null)
        .orderBy('seq')
        .limit(limit)
        .as('waiting')
      const { rows } = await sql<{ pending: number; oldest: Date | null }>`
        SELECT count(*)::int AS pending, min(created_at) AS oldest FROM ${waiting}`.execute(db)
      return { pending: rows[0]!.pending, oldest: rows[0]!.oldest?.getTime() ?? null }
    },
  }
}
