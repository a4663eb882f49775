import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import type { WebhookDeliveries } from './webhooks/port.ts'

/** What operators read of the deliveries; nothing is changed. */
export function deliveryReads(db: Kysely<Tables>): Pick<WebhookDeliveries, 'backlog' | 'dead'> {
  return {
    async backlog(limit) {
      const waiting = db
        .selectFrom('webhook_deliveries')
        .select('created_at')
        .where('state', '=', 'waiting')
        .orderBy('next_at')
        .limit(limit)
        .as('waiting')
      const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
        SELECT count(*)::int AS waiting, min(created_at) AS oldest FROM ${waiting}`.execute(db)
      return { waiting: rows[0]!.waiting, oldest: rows[0]!.oldest?.getTime() ?? null }
    },

    async dead(limit) {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(['id', 'url', 'attempts', 'last_error', 'created_at', 'finished_at'])
        .where('state', '=', 'dead')
        .orderBy('finished_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ last_error, created_at, finished_at, ...row }) => ({
        ...row,
        error: last_error!,
        createdAt: created_at.getTime(),
        finishedAt: finished_at!.getTime(),
      }))
    },
  }
}
