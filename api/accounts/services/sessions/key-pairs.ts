/** A user's own key pairs (decisions 2.5). */

import type { Accounts, KeyPair } from '../../../../connectors/postgres/accounts/port.ts'
import type { KeyPairRecord, KeyPairs } from '../../../../connectors/postgres/sessions/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { newKeySecret, secretHash } from '../../../../schemas/accounts/credentials.ts'
import { ApiError } from '../../../http/errors.ts'
import type { Verification } from './verification.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Key pairs of one user. */
const MAX_KEY_PAIRS = 100

type MadeKeyPair = {
  id: string
  name: string
  apiKey: string
  /** Returned once: the platform keeps only its hash. */
  apiSecret: string
  /** Unix milliseconds. */
  expiresAt: number
  /** null: verified already. */
  verificationCodeId: string | null
}

export type UserKeyPairs = {
  /**
   * Verified for a caller with a session, who has read a mail of the user. For a caller with a key pair, a code goes to
   * the user's email first: a key that was stolen does not multiply. Throws 409 at 100 key pairs, 404 for the built-in
   * administrator, and what a code throws.
   */
  make(user: Identity, name: string, days: number, ip: string): Promise<MadeKeyPair>
  /** The one that the caller came with. Throws 404 for a caller without. */
  own(user: Identity): Promise<KeyPairRecord>
  list(user: Identity): Promise<KeyPairRecord[]>
  /** Throws 404 for none and for another user's. */
  remove(user: Identity, id: string): Promise<void>
}

type Ports = {
  accounts: Pick<Accounts, 'user'>
  store: KeyPairs
  verification: Verification
  now: () => number
  newId: () => string
}

export function userKeyPairs({ accounts, store, verification, now, newId }: Ports): UserKeyPairs {
  const addVerified = async (pair: KeyPair): Promise<null> => {
    const outcome = await store.addKeyPair(pair, MAX_KEY_PAIRS)
    if (outcome === 'full') throw tooMany()
    if (outcome === 'no such user') throw noAccount()
    return null
  }

  const addByCode = async (pair: KeyPair, ip: string): Promise<string> => {
    const user = await accounts.user(pair.userId)
    if (user === null) throw noAccount()
    // Not exact, and need not be: codes are few.
    if ((await store.keyPairs(pair.userId)).length >= MAX_KEY_PAIRS) throw tooMany()
    return verification.issue(user.email, ip, { of: 'key pair', pair })
  }

  return {
    async make({ userId, by }, name, days, ip) {
      const { apiKey, apiSecret } = newKeySecret()
      const createdAt = now()
      const expiresAt = createdAt + days * DAY_MS
      const id = newId()
      const pair = { id, userId, name, apiKey, secretHash: secretHash(apiSecret), expiresAt, createdAt }
      const verificationCodeId = by?.kind === 'session' ? await addVerified(pair) : await addByCode(pair, ip)
      return { id, name, apiKey, apiSecret, expiresAt, verificationCodeId }
    },

    async own({ userId, by }) {
      const pair = by?.kind === 'key pair' ? await store.keyPair(userId, by.id) : null
      if (pair === null)
        throw new ApiError('not_found', { message: 'the caller does not use a key pair of an account' })
      return pair
    },

    list: ({ userId }) => store.keyPairs(userId),

    async remove({ userId }, id) {
      if (!(await store.deleteKeyPair(userId, id))) {
        throw new ApiError('not_found', { message: 'no such key pair', param: 'id' })
      }
    },
  }
}

const tooMany = () => new ApiError('conflict', { message: `a user has at most ${MAX_KEY_PAIRS} key pairs` })
const noAccount = () => new ApiError('not_found', { message: 'the caller has no account' })
