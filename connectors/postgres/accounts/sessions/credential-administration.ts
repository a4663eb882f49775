/** Sessions and key pairs of every user, for the administration. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import { markVerified } from '../users/mark-verified.ts'
import { keyPairOf } from './key-pair-store.ts'
import { sessionOf } from './own-sessions.ts'
import type { CredentialAdministration } from './port.ts'
import { redeem } from './redeem-code.ts'

export function kyselyCredentialAdministration(db: Kysely<Tables>): CredentialAdministration {
  return {
    async allSessions(now, { limit, offset }) {
      const alive = db.selectFrom('sessions').where('expires_at', '>', new Date(now))
      const { items } = await alive.select((s) => s.fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
      const newest = alive.selectAll('sessions').orderBy('created_at', 'desc').orderBy('id', 'desc')
      const rows = await newest.limit(limit).offset(offset).execute()
      return { items, sessions: rows.map(sessionOf) }
    },

    async verifyAnySession(id, at) {
      if (await markVerified(db, 'sessions', id)) return true
      const waiting = await db
        .selectFrom('verification_codes')
        .select('id_hash')
        .where(sql<string>`pending #>> '{session,id}'`, '=', id)
        .executeTakeFirst()
      return waiting !== undefined && (await redeem(db, waiting.id_hash, at)) !== null
    },

    async endAnySession(id) {
      const gone = db.deleteFrom('sessions').where('id', '=', id).returning('id')
      return (await gone.executeTakeFirst()) !== undefined
    },

    async allKeyPairs({ limit, offset }) {
      const all = db.selectFrom('key_pairs')
      const { items } = await all.select((s) => s.fn.countAll<number>().as('items')).executeTakeFirstOrThrow()
      const newest = all.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
      const rows = await newest.limit(limit).offset(offset).execute()
      return { items, keyPairs: rows.map(keyPairOf) }
    },

    async anyKeyPair(id) {
      const row = await db.selectFrom('key_pairs').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : keyPairOf(row)
    },

    verifyAnyKeyPair: (id) => markVerified(db, 'key_pairs', id),

    async deleteAnyKeyPair(id) {
      const gone = db.deleteFrom('key_pairs').where('id', '=', id).returning('id')
      return (await gone.executeTakeFirst()) !== undefined
    },
  }
}
