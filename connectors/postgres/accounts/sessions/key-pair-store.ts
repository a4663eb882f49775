import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Selectable } from 'kysely'
import { narrow } from '../../../../schemas/accounts/key-bounds.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { SessionTables } from '../../tables/sessions-tables.ts'
import { boundColumns, boundsOf, keyPairRow } from '../users/user-rows.ts'
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

    changeKeyPair: (userId, id, { name, ...asked }) =>
      db.transaction().execute(async (tx) => {
        const query = tx.selectFrom('key_pairs').selectAll().where('user_id', '=', userId).where('id', '=', id)
        const row = await query.forUpdate().executeTakeFirst()
        if (row === undefined) return null
        const before = keyPairOf(row)
        const after = narrow({ ...before.bounds, expiresAt: before.expiresAt }, asked)
        if ('wider' in after) return after
        const { expiresAt, ...bounds } = after
        // What is as narrow already is not written, and so not told to the audit log (decisions 16.2).
        if (isDeepStrictEqual({ ...before, name: name ?? before.name, bounds, expiresAt }, before)) return before
        const change = { name: name ?? before.name, ...boundColumns(after) }
        const changed = await tx
          .updateTable('key_pairs')
          .set({ ...change, expires_at: expiresAt === null ? null : new Date(expiresAt) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        return keyPairOf(changed)
      }),

    async rotateKeyPair(userId, id, { secretHash, previousUntil, now }) {
      const row = await db
        .updateTable('key_pairs')
        .set(({ ref }) => ({
          secret_hash: secretHash,
          previous_hash: previousUntil === null ? null : ref('secret_hash'),
          previous_until: new Date(previousUntil ?? now),
        }))
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : keyPairOf(row)
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
  bounds: boundsOf({ key_scopes: row.scopes, key_groups: row.groups, key_networks: row.networks }),
  previousUntil: row.previous_hash && (row.previous_until?.getTime() ?? null),
  expiresAt: row.expires_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
})
