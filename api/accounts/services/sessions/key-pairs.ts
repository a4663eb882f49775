/** A user's own key pairs (decisions 2.5, 16.1; ADR 227). */

import type { KeyPairRecord, KeyPairs } from '../../../../connectors/postgres/accounts/sessions/port.ts'
import type { Accounts, KeyPair } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { newKeySecret, secretHash } from '../../../../schemas/accounts/credentials.ts'
import type { KeyBounds } from '../../../../schemas/accounts/key-bounds.ts'
import { ApiError } from '../../../http/errors.ts'
import { keyMaker } from './key-maker.ts'
import { boundsIn, endOf, expiryOf, type KeyRequest, reachOf, type WantedBounds } from './key-requests.ts'
import type { Verification } from './verification.ts'

/** Key pairs of one user. */
const MAX_KEY_PAIRS = 100

type MadeKeyPair = {
  id: string
  name: string
  apiKey: string
  /** Returned once: the platform keeps only its hash. */
  apiSecret: string
  bounds: KeyBounds
  /** Unix milliseconds. */
  expiresAt: number
  /** null: verified already. */
  verificationCodeId: string | null
}

/** What is not named stays. `expireAt` in unix seconds. */
type KeyChange = { name?: string; expireAt?: number } & WantedBounds

export type UserKeyPairs = {
  /**
   * Verified for a caller with a session, who has read a mail of the user. For a caller with a key pair, a code goes to
   * the user's email first: a key that was stolen does not multiply. A narrowed key makes keys within its own bounds and
   * its own end. Throws 400 for a request that is wrong, 403 for groups of others and for what reaches further than the
   * caller, 409 at 100 key pairs, 404 for the built-in administrator, and what a code throws.
   */
  make(user: Identity, request: KeyRequest, ip: string): Promise<MadeKeyPair>
  /** The one that the caller came with. Throws 404 for a caller without. */
  own(user: Identity): Promise<KeyPairRecord>
  list(user: Identity): Promise<KeyPairRecord[]>
  /**
   * Narrows a key pair, or gives it another name. Throws 400 as `make`, 403 for what would widen it, and for a key of wider
   * bounds than the one that the caller came with; 404 as `remove`.
   */
  change(user: Identity, id: string, change: KeyChange): Promise<KeyPairRecord>
  /**
   * A new secret. The old one works for `grace` more seconds. Throws 403 when it is the key of another, wider or longer life
   * than the one that the caller came with; 404 as `remove`.
   */
  rotate(user: Identity, id: string, grace: number): Promise<{ pair: KeyPairRecord; apiSecret: string }>
  /** Throws 404 for none and for another user's, 403 as `change`. */
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
  const maker = keyMaker(store)

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

  const required = async ({ userId }: Identity, id: string): Promise<KeyPairRecord> => {
    const pair = await store.keyPair(userId, id)
    if (pair === null) throw noSuchKeyPair()
    return pair
  }

  return {
    async make(user, { name, ...request }, ip) {
      const createdAt = now()
      const expiresAt = expiryOf(request, createdAt)
      const asked = { ...boundsIn(request, user.groups), expiresAt }
      const { expiresAt: _, ...bounds } = reachOf(asked, await maker.reach(user))
      const { apiKey, apiSecret } = newKeySecret()
      const id = newId()
      const { userId, by } = user
      const pair = { id, userId, name, apiKey, secretHash: secretHash(apiSecret), bounds, expiresAt, createdAt }
      const verificationCodeId = by?.kind === 'session' ? await addVerified(pair) : await addByCode(pair, ip)
      return { id, name, apiKey, apiSecret, bounds, expiresAt, verificationCodeId }
    },

    async own({ userId, by }) {
      const pair = by?.kind === 'key pair' ? await store.keyPair(userId, by.id) : null
      if (pair === null)
        throw new ApiError('not_found', { message: 'the caller does not use a key pair of an account' })
      return pair
    },

    list: ({ userId }) => store.keyPairs(userId),

    async change(user, id, { name, expireAt, ...wanted }) {
      await maker.checkBounds(user, await required(user, id))
      const asked = {
        ...boundsIn(wanted, user.groups),
        ...(name === undefined ? {} : { name }),
        ...(expireAt === undefined ? {} : { expiresAt: endOf(expireAt, now()) }),
      }
      const changed = await store.changeKeyPair(user.userId, id, asked)
      if (changed === null) throw noSuchKeyPair()
      if ('wider' in changed) throw wouldWiden(changed.wider)
      return changed
    },

    async rotate(user, id, grace) {
      await maker.checkReach(user, await required(user, id))
      const at = now()
      const { apiSecret } = newKeySecret()
      const previousUntil = grace === 0 ? null : at + grace * 1000
      const secret = { secretHash: secretHash(apiSecret), previousUntil, now: at }
      const pair = await store.rotateKeyPair(user.userId, id, secret)
      if (pair === null) throw noSuchKeyPair()
      return { pair, apiSecret }
    },

    async remove(user, id) {
      // Whoever has no bounds need not be asked what it deletes.
      if (user.bounds !== null) await maker.checkBounds(user, await required(user, id))
      if (!(await store.deleteKeyPair(user.userId, id))) throw noSuchKeyPair()
    },
  }
}

const tooMany = () => new ApiError('conflict', { message: `a user has at most ${MAX_KEY_PAIRS} key pairs` })
const noAccount = () => new ApiError('not_found', { message: 'the caller has no account' })
const noSuchKeyPair = () => new ApiError('not_found', { message: 'no such key pair', param: 'id' })
const wouldWiden = (param: string) =>
  new ApiError('forbidden', { message: `${param}: would widen the key pair, which can only be narrowed`, param })
