/** The reading side of the outbox as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../accounts/kysely/tables.ts'
import type { Outbox } from './port.ts'

export function kyselyOutbox(db: Kysely<Tables>): Outbox {
  return {
    async take(holder, now, leaseMs) {
      const row = await db
        .updateTable('outbox_turn')
        .set({ holder, until: new Date(now + leaseMs) })
        .where((where) => where.or([where('until', '<=', new Date(now)), where('holder', '=', holder)]))
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

    pending: (limit) =>
      db
        .selectFrom('outbox')
        .select(['seq', 'topic', 'key', 'record'])
        .where('published_at', 'is', null)
        .orderBy('seq')
        .limit(limit)
        .execute(),

    async markPublished(seqs, now) {
      if (seqs.length === 0) return
      const published_at = new Date(now)
      await db
        .updateTable('outbox')
        .set({ published_at })
        .where('seq', 'in', [...seqs])
        .execute()
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
