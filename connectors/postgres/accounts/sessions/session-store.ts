import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'
import { markVerified } from '../users/mark-verified.ts'
import { kyselyCodes } from './codes.ts'
import { keyPairOf, kyselyKeyPairs } from './key-pair-store.ts'
import { kyselySessions, sessionOf } from './own-sessions.ts'
import type { CredentialAdministration, SessionStore } from './port.ts'
import { redeem } from './redeem-code.ts'

/** Sessions and key pairs of every user, for the administration. */
function kyselyCredentialAdministration(db: Kysely<Tables>): CredentialAdministration {
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

/**
 * Over the database of the accounts. `forget` is called after every change of what credentials are worth: whoever
 * remembers them must not answer from memory (see `credentialCache`).
 */
export function sessionStore(db: Kysely<Tables>, forget: () => void): SessionStore {
  const codes = kyselyCodes(db)
  const sessions = kyselySessions(db)
  const keyPairs = kyselyKeyPairs(db)
  const all = kyselyCredentialAdministration(db)
  const change = async <T>(write: () => Promise<T>): Promise<T> => write().finally(forget)
  return {
    ...codes,
    ...sessions,
    ...keyPairs,
    ...all,
    redeem: (idHash, at) => change(() => codes.redeem(idHash, at)),
    extendSession: (userId, id, at) => change(() => sessions.extendSession(userId, id, at)),
    endSession: (userId, id) => change(() => sessions.endSession(userId, id)),
    changeKeyPair: (userId, id, given) => change(() => keyPairs.changeKeyPair(userId, id, given)),
    rotateKeyPair: (userId, id, secret) => change(() => keyPairs.rotateKeyPair(userId, id, secret)),
    deleteKeyPair: (userId, id) => change(() => keyPairs.deleteKeyPair(userId, id)),
    verifyAnySession: (id, at) => change(() => all.verifyAnySession(id, at)),
    endAnySession: (id) => change(() => all.endAnySession(id)),
    verifyAnyKeyPair: (id) => change(() => all.verifyAnyKeyPair(id)),
    deleteAnyKeyPair: (id) => change(() => all.deleteAnyKeyPair(id)),
  }
}
