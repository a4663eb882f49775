/** Feeds that leave the platform over a database, for its suites. */

import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { expect } from 'vitest'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { MAX_FEEDS } from '../../../connectors/postgres/feeds-out/feed-quota.ts'
import { kyselyFeedsOut } from '../../../connectors/postgres/feeds-out/feed-store.ts'
import type { FeedDefinition, NewDownloadToken } from '../../../connectors/postgres/feeds-out/port.ts'
import { BUILT_IN_TIERS, type Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { commandIn, type FeedCommand } from '../../../schemas/feeds-out/command.ts'
import { DEFAULT_GUARD } from '../../../schemas/feeds-out/feed.ts'
import type { FeedCaller, FeedOwner } from '../../../schemas/feeds-out/rights.ts'
import { FEED_COMMANDS } from '../../../schemas/log/topics.ts'
import { peopleOf } from '../../builders/accounts/team.ts'

export const NOW = 1_800_000_000_000
export const DAY = 24 * 60 * 60 * 1000
/** Of every owner. */
export const CAP = 3
const quotas = { 'feeds-api': { max_feeds: { value: CAP, description: 'feeds' } } }
export const TIERS: Tiers = {
  ...BUILT_IN_TIERS,
  Free: { limits: {}, quotas },
  Public: { limits: {}, quotas },
}

export const ofCustomer = (id: string): FeedOwner => ({ kind: 'customer', id })
export const ofUser = (id: string): FeedOwner => ({ kind: 'user', id })

export const caller = (userId: string, customerId: string | null = null, groups = ['public']): FeedCaller => ({
  userId,
  customerId,
  groups,
})

export function feedsWorld(database: AccountsDatabase) {
  const people = peopleOf(database)
  const { db } = people
  const { feeds, tokens } = kyselyFeedsOut(db, TIERS)
  const counter = kyselyQuotas(db, TIERS)

  const feed = (owner: FeedOwner, maker: string, given: Partial<FeedDefinition> = {}): FeedDefinition => ({
    id: randomUUIDv7(),
    owner,
    maker,
    name: 'Hostile addresses',
    description: '',
    selector: { types: ['ip'], wellKnown: false },
    groups: ['public'],
    cap: null,
    guard: DEFAULT_GUARD,
    open: false,
    revision: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...given,
  })

  return {
    people,
    feeds,
    tokens,
    feed,
    async made(owner: FeedOwner, maker: string, given: Partial<FeedDefinition> = {}): Promise<FeedDefinition> {
      const one = feed(owner, maker, given)
      expect(await feeds.create(one, true)).toBe('created')
      return one
    },
    token: (feedId: string, maker: string, given: Partial<NewDownloadToken> = {}): NewDownloadToken => ({
      id: randomUUIDv7(),
      feedId,
      maker,
      name: 'firewall',
      networks: [],
      expiresAt: NOW + DAY,
      createdAt: NOW,
      tokenHash: randomBytes(32),
      keyPairId: null,
      ...given,
    }),
    used: async (customerId: string): Promise<number> =>
      (await counter.usage(customerId)).find(({ featureKey }) => featureKey === MAX_FEEDS.featureKey)?.used ?? 0,
    /** What the job is told of a feed, in order. */
    async commands(id: string): Promise<FeedCommand[]> {
      const query = db.selectFrom('outbox').select('record').where('topic', '=', FEED_COMMANDS).where('key', '=', id)
      return (await query.orderBy('seq').execute()).map(({ record }) => commandIn(record)!)
    },
  }
}

export type World = ReturnType<typeof feedsWorld>
