/** Download tokens of devices (decisions-2 11.5; ADR 209). */

import type { DownloadToken, DownloadTokens, FeedDefinitions } from '../../../connectors/postgres/feeds-out/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { secretHash } from '../../../schemas/accounts/credentials.ts'
import { readDeviceNetwork } from '../../../schemas/feeds-out/device-networks.ts'
import { MAX_TOKENS, newDownloadToken } from '../../../schemas/feeds-out/download-token.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { feedAccess, noFeed } from './feeds.ts'

export type TokenPorts = {
  feedsOut: { feeds: Pick<FeedDefinitions, 'feed'>; tokens: DownloadTokens }
  now: () => number
  newId: () => string
}

const DAY_MS = 24 * 60 * 60 * 1000

type NewToken = { name: string; days: number; networks?: string[] }

/** Every function throws 404 for a feed that the caller may not read, and 403 for an open feed of others. */
export function tokenService({ feedsOut: { feeds, tokens }, now, newId }: TokenPorts) {
  const { changeable } = feedAccess(feeds)

  return {
    /** The token itself is in this answer alone. Throws 400 that names a network, 409 when the feed has 100 tokens. */
    async create(user: Identity, feedId: string, { name, days, networks = [] }: NewToken) {
      await changeable(user, feedId)
      const token = newDownloadToken()
      const createdAt = now()
      const stored = {
        id: newId(),
        feedId,
        maker: user.userId,
        name,
        networks: networksOf(networks),
        expiresAt: createdAt + days * DAY_MS,
        createdAt,
        tokenHash: secretHash(token),
      }
      const outcome = await tokens.add(stored, MAX_TOKENS)
      if (outcome === 'full')
        throw new ApiError('conflict', { message: `the feed has ${MAX_TOKENS} download tokens; delete one first` })
      if (outcome === 'no feed') throw noFeed()
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

/** In normal form, each once. Throws 400 that names the first that is none. */
function networksOf(given: readonly string[]): string[] {
  const read = given.map((text, i) => {
    const network = readDeviceNetwork(text)
    if ('reason' in network) throw invalid(`networks[${i}]`, network.reason)
    return network.text
  })
  return [...new Set(read)]
}
