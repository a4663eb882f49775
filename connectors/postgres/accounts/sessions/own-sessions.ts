import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'
import type { SessionTables } from '../../tables/sessions-tables.ts'
import type { SessionRecord, Sessions } from './port.ts'

/** More than a user can have (see redeem-code.ts). */
const MAX_LISTED = 200

export function kyselySessions(db: Kysely<Tables>): Sessions {
  const alive = (userId: string, now: number) =>
    db.selectFrom('sessions').selectAll().where('user_id', '=', userId).where('expires_at', '>', new Date(now))

  return {
    async session(userId, id, now) {
      const row = await alive(userId, now).where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : sessionOf(row)
    },

    async sessions(userId, now) {
      const newest = alive(userId, now).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(MAX_LISTED)
      return (await newest.execute()).map(sessionOf)
    },

    async extendSession(userId, id, { now, expiresAt }) {
      const row = await db
        .updateTable('sessions')
        // The end of a session of single sign-on stands from its beginning.
        .set({
          expires_at: sql<Date>`least(${new Date(expiresAt)}::timestamptz,
            (SELECT ends_at FROM sign_on_sessions WHERE session_id = sessions.id))`,
        })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .where('expires_at', '>', new Date(now))
        .returning('expires_at')
        .executeTakeFirst()
      return row?.expires_at.getTime() ?? null
    },

    async endSession(userId, id) {
      const ended = db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).returning('id')
      return (await ended.executeTakeFirst()) !== undefined
    },
  }
}

export const sessionOf = (row: Selectable<SessionTables['sessions']>): SessionRecord => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind,
  verified: row.verified,
  expiresAt: row.expires_at.getTime(),
  createdAt: row.created_at.getTime(),
})
