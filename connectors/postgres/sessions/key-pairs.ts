import type { Kysely, Selectable } from 'kysely'
import { keyPairRow } from '../accounts/rows.ts'
import type { SessionTables } from '../tables/sessions.ts'
import type { Tables } from '../tables/tables.ts'
import type { KeyPairRecord, KeyPairs } from './port.ts'

/** Administrators may give a user more key pairs than it can make; this many are shown. */
const MAX_LISTED = 1000

export function kyselyKeyPairs(db: Kysely<Tables>): KeyPairs {
  const ofUser = (userId: string) => db.selectFrom('key_pairs').selectAll().where('user_id', '=', userId)

  return {
    addKeyPair: (pair, max) =>
      db.transaction().execute(async (tx) => {
        // Whoever adds to the same user waits here: the count stays true until the row is in.
        const user = await tx
          .selectFrom('users')
          .select('id')
          .where('id', '=', pair.userId)
          .forUpdate()
          .executeTakeFirst()
        if (user === undefined) return 'no such user'
        const there = tx.selectFrom('key_pairs').select('id').where('user_id', '=', pair.userId).limit(max)
        if ((await there.execute()).length >= max) return 'full'
        await tx.insertInto('key_pairs').values(keyPairRow(pair)).execute()
        return 'added'
      }),

    async keyPair(userId, id) {
      const row = await ofUser(userId).where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : keyPairOf(row)
    },

    async keyPairs(userId) {
      const newest = ofUser(userId).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(MAX_LISTED)
      return (await newest.execute()).map(keyPairOf)
    },

    async deleteKeyPair(userId, id) {
      const gone = db.deleteFrom('key_pairs').where('user_id', '=', userId).where('id', '=', id).returning('id')
      return (await gone.executeTakeFirst()) !== undefined
    },
  }
}

export const keyPairOf = (row: Selectable<SessionTables['key_pairs']>): KeyPairRecord => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  apiKey: row.api_key,
  verified: row.verified,
  expiresAt: row.expires_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
})
