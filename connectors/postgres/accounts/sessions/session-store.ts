import type { Kysely } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import { kyselyCodes } from './codes.ts'
import { kyselyCredentialAdministration } from './credential-administration.ts'
import { kyselyKeyPairs } from './key-pair-store.ts'
import { kyselySessions } from './own-sessions.ts'
import type { SessionStore } from './port.ts'

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
