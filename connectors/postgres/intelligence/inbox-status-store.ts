import { type Kysely, sql } from 'kysely'
import { type InboxStatus, STATUS_MS } from '../../../schemas/feeds-out/collections/inbox-status.ts'
import { dropRows } from '../core/drop-rows.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { InboxStatuses } from './port.ts'

/** Those that ended and are forgotten with each new one: more than come. */
const FORGOTTEN = 100

export const kyselyInboxStatuses = (db: Kysely<Tables>): InboxStatuses => ({
  async put(poster, status, now) {
    const where = sql`expires_at < ${new Date(now)} ORDER BY expires_at`
    await dropRows(db, { from: 'inbox_statuses', key: ['id'], where, limit: FORGOTTEN })
    await db
      .insertInto('inbox_statuses')
      .values({ id: status.id, poster, status: JSON.stringify(status), expires_at: new Date(now + STATUS_MS) })
      .execute()
  },

  async find(poster, id, now) {
    const row = await db
      .selectFrom('inbox_statuses')
      .select('status')
      .where('id', '=', id)
      .where('poster', '=', poster)
      .where('expires_at', '>', new Date(now))
      .executeTakeFirst()
    return row === undefined ? null : (JSON.parse(row.status) as InboxStatus)
  },
})
