/** Whom a download token lets in (decisions 11.5). */

import type { DownloadTokens, FoundToken } from '../../../connectors/postgres/feeds-out/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { mayComeFrom } from '../../../schemas/accounts/client-networks.ts'
import { secretHash } from '../../../schemas/accounts/credentials.ts'
import { isOwnersReader } from '../../../schemas/feeds-out/rights.ts'
import { ApiError } from '../../http/errors.ts'
import { checkNetwork } from '../../http/middleware/bounds.ts'

export type TokenAccessPorts = {
  tokens: Pick<DownloadTokens, 'find'>
  /** The administrator of the configuration, whose tokens no row stands for; null: there is none. */
  administrator: Identity | null
  /** Unix milliseconds. */
  now: () => number
}

/**
 * The caller that a token stands for: its maker, narrowed to the groups and the owner of the feed, so that the feed is
 * found readable and its owner's limits are consumed. `feedId`: the feed that is asked for; undefined: that of the token.
 * A token that a narrowed key made has the bounds of that key, as they are now (decisions 16.1).
 * Throws 401 for a token that is unknown, revoked or ended, or whose maker may not read the feed any more; 404 for
 * another feed; 403 for an address outside of its networks or those of its key.
 */
export function tokenAccess({ tokens, administrator, now }: TokenAccessPorts) {
  return async (token: string, feedId: string | undefined, address: string): Promise<Identity> => {
    const found = await tokens.find(secretHash(token))
    if (found === null || found.token.expiresAt <= now() || (found.keyExpiresAt ?? Infinity) <= now())
      throw new ApiError('unauthorized')
    const maker = makerOf(found, administrator)
    if (maker === null) throw new ApiError('unauthorized')
    if (feedId !== undefined && feedId.toLowerCase() !== found.token.feedId)
      throw new ApiError('not_found', { message: 'no such feed' })
    if (!mayComeFrom(found.token.networks, address))
      throw new ApiError('forbidden', { message: 'the download token may not be used from this address' })
    checkNetwork(maker, address)
    return narrowed(maker, found)
  }
}

/** The maker, while it has its right to the feed. */
function makerOf({ token, feed, maker }: FoundToken, administrator: Identity | null): Identity | null {
  const user = maker ?? (administrator?.userId === token.maker ? administrator : null)
  if (user === null || user.disabled || !user.roles.includes('user')) return null
  return isOwnersReader(feed, user) ? user : null
}

function narrowed(maker: Identity, { token, feed: { owner, groups } }: FoundToken): Identity {
  return {
    ...maker,
    roles: ['user'],
    ownGroups: [...groups],
    groups: [...groups],
    customerId: owner.kind === 'customer' ? owner.id : null,
    chargedCustomerId: owner.kind === 'customer' ? owner.id : maker.chargedCustomerId,
    by: { kind: 'download token', id: token.id, feedId: token.feedId },
  }
}
