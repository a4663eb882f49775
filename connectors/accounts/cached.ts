/** Accounts whose credentials are remembered for a moment: the same port, around any adapter. */

import type { Accounts, Credential } from './port.ts'

/**
 * How long another process's change may go unseen here. A change of groups has to act on reads at once (decisions 2.3);
 * within this process it does. One second lets a busy key cost one query a second instead of one a request.
 */
const FRESH_MS = 1000

const MAX_REMEMBERED = 10_000

export type CachedAccounts = Accounts & {
  /** For changes that did not go through this port: the next question about a credential goes to the store. */
  forget(): void
}

/** Unknown credentials are not remembered: guesses would push real ones out. `now` in milliseconds. */
export function cachedAccounts(accounts: Accounts, now: () => number): CachedAccounts {
  const remembered = new Map<string, { credential: Credential; at: number }>()
  let generation = 0

  const recall = async (key: string, ask: () => Promise<Credential | null>): Promise<Credential | null> => {
    const known = remembered.get(key)
    if (known !== undefined && now() - known.at < FRESH_MS) return known.credential
    const asked = { generation, at: now() }
    const credential = await ask()
    // An answer from before a change must not be kept after it.
    if (asked.generation !== generation) return credential
    remembered.delete(key)
    if (credential === null) return null
    if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    remembered.set(key, { credential, at: asked.at })
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

  return {
    keyPairCredential: (apiKey) => recall(`key ${apiKey}`, () => accounts.keyPairCredential(apiKey)),
    sessionCredential: (hash) => recall(`session ${hash.toString('hex')}`, () => accounts.sessionCredential(hash)),
    createUser: (user) => accounts.createUser(user),
    user: (id) => accounts.user(id),
    updateUser: (id, given) => change(() => accounts.updateUser(id, given)),
    deleteUser: (id) => change(() => accounts.deleteUser(id)),
    createKeyPair: (pair) => accounts.createKeyPair(pair),
    createSession: (session) => accounts.createSession(session),
    createCustomer: (customer) => change(() => accounts.createCustomer(customer)),
    ping: () => accounts.ping(),
    close: () => accounts.close(),
    forget,
  }
}
