/** Rows of feeds and tokens <-> records of the port. */

import type { Insertable, Selectable } from 'kysely'
import type { FeedGuard } from '../../../schemas/feeds-out/feed.ts'
import type { FeedOwner } from '../../../schemas/feeds-out/rights.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'
import type { FeedOutTables } from '../tables/feeds-out.ts'
import type { DownloadToken, FeedChange, FeedDefinition, NewDownloadToken } from './port.ts'

type Feeds = FeedOutTables['feeds']

export const feedRow = (feed: FeedDefinition): Insertable<Feeds> => ({
  id: feed.id,
  owner_kind: feed.owner.kind,
  owner_id: feed.owner.id,
  made_by: feed.maker,
  name: feed.name,
  description: feed.description,
  ...selectorColumns(feed.selector),
  groups: [...feed.groups],
  cap: feed.cap,
  guard: guardColumn(feed.guard),
  open: feed.open,
  revision: feed.revision,
  created_at: new Date(feed.createdAt),
  updated_at: new Date(feed.updatedAt),
})

/** The columns that a change sets, but for the revision. */
export const changedColumns = ({ name, description, selector, cap, guard, at }: FeedChange) => ({
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description }),
  ...(selector === undefined ? {} : selectorColumns(selector)),
  ...(cap === undefined ? {} : { cap }),
  ...(guard === undefined ? {} : { guard: guardColumn(guard) }),
  updated_at: new Date(at),
})

function selectorColumns(selector: Selector) {
  const text = JSON.stringify(selector)
  return { selector: text, selector_bytes: Buffer.byteLength(text), accuracy_from: selector.accuracy?.gte ?? null }
}

const guardColumn = (guard: FeedGuard | null): string | null => (guard === null ? null : JSON.stringify(guard))

export const feedOf = (row: Selectable<Feeds>): FeedDefinition => ({
  id: row.id,
  owner: { kind: ownerKind(row.owner_kind), id: row.owner_id },
  maker: row.made_by,
  name: row.name,
  description: row.description,
  selector: row.selector as Selector,
  groups: row.groups,
  cap: row.cap,
  guard: row.guard as FeedGuard | null,
  open: row.open,
  revision: row.revision,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})

/** A kind that a newer version stored must not pass for one that we know. Throws. */
export function ownerKind(text: string): FeedOwner['kind'] {
  if (text === 'customer' || text === 'user') return text
  throw new RangeError(`unknown kind of owner of a feed: ${text}`)
}

export const tokenRow = (token: NewDownloadToken): Insertable<FeedOutTables['feed_tokens']> => ({
  id: token.id,
  token_hash: token.tokenHash,
  feed_id: token.feedId,
  made_by: token.maker,
  name: token.name,
  networks: token.networks,
  expires_at: new Date(token.expiresAt),
  created_at: new Date(token.createdAt),
  key_pair_id: token.keyPairId,
})

export const tokenOf = (
  row: Omit<Selectable<FeedOutTables['feed_tokens']>, 'token_hash' | 'key_pair_id'>,
): DownloadToken => ({
  id: row.id,
  feedId: row.feed_id,
  maker: row.made_by,
  name: row.name,
  networks: row.networks,
  expiresAt: row.expires_at.getTime(),
  createdAt: row.created_at.getTime(),
})
