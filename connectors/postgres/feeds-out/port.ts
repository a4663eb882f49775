/**
 * Feeds that leave the platform, as their owners define them, and the tokens of devices (decisions 11.1, 11.5; ADR 274).
 * Every change stores what the job that keeps the lists has to know of it, in the same transaction.
 */

import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { Feed, FeedGuard } from '../../../schemas/feeds-out/feed.ts'
import type { FeedCaller, FeedRights } from '../../../schemas/feeds-out/rights.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'

export type FeedDefinition = Feed &
  FeedRights & {
    /** User id. */
    maker: string
    description: string
    /** Unix milliseconds. */
    createdAt: number
    updatedAt: number
  }

/** What is not named stays. `at` in unix milliseconds. */
export type FeedChange = {
  name?: string
  description?: string
  selector?: Selector
  cap?: number | null
  guard?: FeedGuard | null
  at: number
}

/** A page of definitions. `next`: the id after which the next page begins; null: this is the last. */
export type FeedPage = { feeds: FeedDefinition[]; next: string | null }

/** `accuracyFrom`: `accuracy.gte` of the selector. */
export type NamedFeed = Pick<FeedDefinition, 'id' | 'name' | 'description'> & { accuracyFrom: number | null }

export interface FeedDefinitions {
  /**
   * Stores a feed and takes one of its owner's quota, both or neither. `full`: the quota is used up. `no member`: the
   * maker, its membership or its customer is gone. `too large`: no record of the log holds the definition.
   * @param account whether the maker has a row: the administrator of the configuration has none
   */
  create(feed: FeedDefinition, account: boolean): Promise<'created' | 'full' | 'no member' | 'too large'>
  feed(id: string): Promise<FeedDefinition | null>
  /** Those of some ids, 1,000 at most, of which there is no feed. */
  missing(ids: readonly string[]): Promise<string[]>
  /** Feeds that the caller may read and change, newest first: at most `limit`, and about 8 MiB of selectors. */
  list(caller: FeedCaller, page: { after: string | null; limit: number }): Promise<FeedPage>
  /** The same with open feeds after them; null: these alone. At most `limit`. */
  names(caller: FeedCaller | null, limit: number): Promise<NamedFeed[]>
  /** The feed after the change, with the next revision. null: no such feed. */
  change(id: string, change: FeedChange): Promise<FeedDefinition | 'too large' | null>
  /** Deletes the feed with its tokens and gives back its quota. False: no such feed. `at` in unix milliseconds. */
  remove(id: string, at: number): Promise<boolean>
  /** Tells the job to hold the list, or to release it. False: no such feed. */
  order(id: string, kind: 'hold' | 'release', at: number): Promise<boolean>
}

export type DownloadToken = {
  /** UUID. */
  id: string
  feedId: string
  /** User id. */
  maker: string
  name: string
  /** In CIDR notation; none: from anywhere. */
  networks: string[]
  /** Unix milliseconds. */
  expiresAt: number
  createdAt: number
}

/** `keyPairId`: of the narrowed key that makes it, with which it ends; null: of a session, or of a key without bounds. */
export type NewDownloadToken = DownloadToken & { tokenHash: Buffer; keyPairId: string | null }

export type FoundToken = {
  token: DownloadToken
  feed: FeedRights
  /** As it is now, with no credential (`by`), within the bounds of the narrowed key that made the token; null: it has no row. */
  maker: Identity | null
  /** When that key ends, in unix milliseconds; null: never, or there is none. */
  keyExpiresAt: number | null
}

export interface DownloadTokens {
  /**
   * Forgets the feed's tokens that have ended (at `createdAt`). `full`: the feed has `max` others, exact under concurrency.
   * `no key`: the key that makes it is gone.
   */
  add(token: NewDownloadToken, max: number): Promise<'added' | 'full' | 'no feed' | 'no key'>
  /** Newest first, those that have not ended at `now` (unix milliseconds). */
  list(feedId: string, now: number): Promise<DownloadToken[]>
  /** False: the feed has no such token. */
  revoke(feedId: string, id: string): Promise<boolean>
  /** By the SHA-256 of the token; ended ones too. null: unknown or revoked. */
  find(tokenHash: Buffer): Promise<FoundToken | null>
}

export type FeedsOut = { feeds: FeedDefinitions; tokens: DownloadTokens }
