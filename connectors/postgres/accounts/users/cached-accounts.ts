/** Accounts whose credentials are cached for a moment: the same port, around any adapter. */

import { type CredentialCache, credentialCache } from './credential-cache.ts'
import type { Accounts } from './port.ts'

/** `cache` is given when other connectors change what credentials stand for. `now` in milliseconds. */
export function cachedAccounts(
  accounts: Accounts,
  now: () => number,
  cache: CredentialCache = credentialCache(now),
): Accounts {
  const { recall, change } = cache
  return {
    keyPairCredential: (apiKey) => recall(`key ${apiKey}`, () => accounts.keyPairCredential(apiKey)),
    sessionCredential: (hash) => recall(`session ${hash.toString('hex')}`, () => accounts.sessionCredential(hash)),
    createUser: (user) => accounts.createUser(user),
    user: (id) => accounts.user(id),
    rolesOf: (ids) => accounts.rolesOf(ids),
    mappedRights: (ids) => accounts.mappedRights(ids),
    users: (question) => accounts.users(question),
    updateUser: (id, given, cause) => change(() => accounts.updateUser(id, given, cause)),
    createKeyPair: (pair) => accounts.createKeyPair(pair),
    createSession: (session) => accounts.createSession(session),
    ping: () => accounts.ping(),
    close: () => accounts.close(),
  }
}
