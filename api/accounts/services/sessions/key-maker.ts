/** What the key that a caller came with reaches, as it is stored now: the bounds of what it makes (decisions 16.1). */

import type { KeyPairRecord } from '../../../../connectors/postgres/accounts/sessions/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { type KeyReach, widerBound, widerPart } from '../../../../schemas/accounts/key-bounds.ts'
import { ApiError } from '../../../http/errors.ts'
import { tooWide } from './key-requests.ts'

type KeyStore = { keyPair(userId: string, id: string): Promise<KeyPairRecord | null> }

const reachOfRecord = ({ bounds, expiresAt }: KeyPairRecord): KeyReach => ({ ...bounds, expiresAt })

export function keyMaker(store: KeyStore) {
  /** null: it came with something else. Throws 401 for a key that is gone. */
  const own = async ({ userId, by }: Identity): Promise<KeyPairRecord | null> => {
    if (by?.kind !== 'key pair') return null
    const pair = await store.keyPair(userId, by.id)
    if (pair === null) throw new ApiError('unauthorized')
    return pair
  }

  return {
    /** Of a narrowed key; null: whatever else it came with has no bounds. */
    async reach(user: Identity): Promise<KeyReach | null> {
      if (user.bounds === null) return null
      const pair = await own(user)
      return pair && reachOfRecord(pair)
    },

    /** Throws 403 for a narrowed key that would handle another one with wider bounds. */
    async checkBounds(user: Identity, target: KeyPairRecord): Promise<void> {
      if (user.bounds === null) return
      const pair = await own(user)
      if (pair === null || pair.id === target.id) return
      const wider = widerBound(target.bounds, pair.bounds)
      if (wider !== null) throw wide(wider)
    },

    /** Throws 403 for a key that would get the secret of another one that is wider, or lives longer. */
    async checkReach(user: Identity, target: KeyPairRecord): Promise<void> {
      const pair = await own(user)
      if (pair === null || pair.id === target.id) return
      const wider = widerPart(reachOfRecord(target), reachOfRecord(pair))
      if (wider !== null) throw wide(wider)
    },
  }
}

export type KeyMaker = ReturnType<typeof keyMaker>

/** The request names no part of the key, so the answer names it by words alone. */
const wide = (part: string): ApiError => new ApiError('forbidden', { message: tooWide(part).message })
