/** Credentials that are remembered for a moment, and what makes them forgotten. */

import { LRUCache } from 'lru-cache'
import type { Accounts, Credential } from './port.ts'

/**
 * How long another process's change may go unseen here. A change of groups has to act on reads at once (decisions 2.3);
 * within this process it does. One second lets a busy key cost one query a second instead of one a request.
 */
const FRESH_MS = 1000

/** The least recently used goes first. */
const MAX_REMEMBERED = 10_000

export type CredentialCache = {
  recall(key: string, ask: () => Promise<Credential | null>): Promise<Credential | null>
  /** Runs a write that changes whom a credential stands for: groups act at once (decisions 2.3). */
  change<T>(write: () => Promise<T>): Promise<T>
  /** For a write that has ended. */
  forget(): void
}

/** Unknown credentials are not remembered: guesses would push real ones out. `now` in milliseconds. */
export function credentialCache(now: () => number): CredentialCache {
  const remembered = new LRUCache<string, { credential: Credential; at: number }>({ max: MAX_REMEMBERED })
  let generation = 0

  const recall = async (key: string, ask: () => Promise<Credential | null>): Promise<Credential | null> => {
    const known = remembered.get(key)
    if (known !== undefined && now() - known.at < FRESH_MS) return known.credential
    const started = { generation, at: now() }
    const credential = await ask()
    // An answer from before a change must not be kept after it.
    if (started.generation !== generation) return credential
    remembered.delete(key)
    if (credential === null) return null
    remembered.set(key, { credential, at: started.at })
    return credential
  }

  const forget = (): void => {
    generation++
    remembered.clear()
  }

  /** Forgets whatever was asked before the end of the change, failed ones too: they may have been stored. */
  const change = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      return await write()
    } finally {
      forget()
    }
  }

  return { recall, change, forget }
}

/**
 * Accounts whose credentials are cached for a moment: the same port, around any adapter. `cache` is given when other connectors change what credentials stand for. `now` in milliseconds.
 */
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
