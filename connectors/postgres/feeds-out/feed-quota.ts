/** How many feeds an owner may have (ADR 277, ADR 274). */

import { type Kysely, sql } from 'kysely'
import { entryOf, PUBLIC_TIER, type Tiers, UNLIMITED } from '../../../schemas/accounts/tiers/tiers.ts'
import { holdMember, Refused } from '../accounts/plan/member-quotas.ts'
import { kyselyQuotas } from '../accounts/plan/quota-store.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { FeedDefinition } from './port.ts'

export const MAX_FEEDS = { service: 'feeds-api', featureKey: 'max_feeds' }

type Taker = Pick<FeedDefinition, 'owner' | 'maker'>

/** Takes one of the owner's quota until the transaction ends. Throws Refused: `no member`, `full`. */
export async function takeFeed(tx: Kysely<Tables>, tiers: Tiers, taker: Taker, account: boolean): Promise<void> {
  if (taker.owner.kind === 'user') return takeAsUser(tx, tiers, taker.owner.id, account)
  await holdMember(tx, { customerId: taker.owner.id, userId: taker.maker })
  const answer = await kyselyQuotas(tx, tiers).take(taker.owner.id, MAX_FEEDS, 1)
  // The customer is there: it is held. A tier of the operator that lacks the quota allows none.
  if (!answer?.taken) throw new Refused('full')
}

/** Users without a customer have no counter: their feeds are counted, one maker after the other. */
async function takeAsUser(tx: Kysely<Tables>, tiers: Tiers, userId: string, account: boolean): Promise<void> {
  await holdUser(tx, userId, account)
  const cap = entryOf(tiers[PUBLIC_TIER]!.quotas, MAX_FEEDS.service, MAX_FEEDS.featureKey)?.value ?? 0
  if (cap === UNLIMITED) return
  const { rows } = await sql<{ there: number }>`
    SELECT count(*)::int AS there FROM feeds WHERE owner_kind = 'user' AND owner_id = ${userId}`.execute(tx)
  if (rows[0]!.there >= cap) throw new Refused('full')
}

/** Its deletion takes the same lock, so it finds everything that was made before. */
async function holdUser(tx: Kysely<Tables>, userId: string, account: boolean): Promise<void> {
  if (!account) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`feeds of ${userId}`}, 0))`.execute(tx)
    return
  }
  const held = tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate()
  if ((await held.executeTakeFirst()) === undefined) throw new Refused('no member')
}
