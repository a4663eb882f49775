/** Download tokens of devices (decisions 11.5; ADR 274). */

import type { DownloadToken, DownloadTokens, FeedDefinitions } from '../../../connectors/postgres/feeds-out/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { secretHash } from '../../../schemas/accounts/credentials.ts'
import { narrow, UNBOUNDED } from '../../../schemas/accounts/key-bounds.ts'
import { MAX_TOKENS, newDownloadToken } from '../../../schemas/feeds-out/download-token.ts'
import type { KeyMaker } from '../../accounts/services/sessions/key-maker.ts'
import { networksOf, tooWide } from '../../accounts/services/sessions/key-requests.ts'
import { ApiError } from '../../http/errors.ts'
import { checkScope } from '../../http/middleware/bounds.ts'
import { feedAccess, noFeed } from './feeds-service.ts'

export type TokenPorts = {
  feedsOut: { feeds: Pick<FeedDefinitions, 'feed'>; tokens: DownloadTokens }
  keys: Pick<KeyMaker, 'reach'>
  now: () => number
  newId: () => string
}

const DAY_MS = 24 * 60 * 60 * 1000

type NewToken = { name: string; days: number; networks?: string[] }

/** Every function throws 404 for a feed that the caller may not read, and 403 for an open feed of others. */
export function tokenService({ feedsOut: { feeds, tokens }, keys, now, newId }: TokenPorts) {
  const { changeable } = feedAccess(feeds)

  return {
    /**
     * The token itself is in this answer alone. One that a narrowed key makes is used from the networks of the key, ends
     * before the key and ends with it. Throws 400 that names a network, 403 for what reaches further than the key, 409 when
     * the feed has 100 tokens.
     */
    async create(user: Identity, feedId: string, { name, days, networks: given }: NewToken) {
      await changeable(user, feedId)
      // What reads with a token could read by itself.
      checkScope(user, 'feeds:read')
      const createdAt = now()
      const expiresAt = createdAt + days * DAY_MS
      const key = await keys.reach(user)
      const asked = { ...(given === undefined ? {} : { networks: networksOf(given) }), expiresAt }
      const reach = narrow(key ?? { ...UNBOUNDED, expiresAt: null }, asked)
      if ('wider' in reach) throw tooWide(reach.wider === 'expireAt' ? 'days' : reach.wider)
      const token = newDownloadToken()
      const stored = {
        id: newId(),
        feedId,
        maker: user.userId,
        name,
        networks: [...(reach.networks ?? [])],
        expiresAt,
        createdAt,
        tokenHash: secretHash(token),
        keyPairId: key !== null && user.by?.kind === 'key pair' ? user.by.id : null,
      }
      const outcome = await tokens.add(stored, MAX_TOKENS)
      if (outcome === 'full')
        throw new ApiError('conflict', { message: `the feed has ${MAX_TOKENS} download tokens; delete one first` })
      if (outcome === 'no feed') throw noFeed()
      if (outcome === 'no key') throw new ApiError('unauthorized')
      return { token, id: stored.id, expiresAt: stored.expiresAt }
    },

    /** Newest first, those that have not ended. */
    async list(user: Identity, feedId: string): Promise<DownloadToken[]> {
      await changeable(user, feedId)
      return tokens.list(feedId, now())
    },

    /** From then on it is unknown. Throws 404 for a token that the feed does not have. */
    async revoke(user: Identity, feedId: string, id: string): Promise<void> {
      await changeable(user, feedId)
      if (!(await tokens.revoke(feedId, id))) throw new ApiError('not_found', { message: 'no such download token' })
    },
  }
}

export type TokenService = ReturnType<typeof tokenService>
