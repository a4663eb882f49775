import type { Kysely } from 'kysely'
import { promiseCache } from '../../../../platform/promise-cache.ts'
import { paidQuantity } from '../../../../schemas/accounts/subscription.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { Subscription, Subscriptions } from './port.ts'

export function kyselySubscriptions(db: Kysely<Tables>): Subscriptions {
  const of = async (customerId: string) => {
    const query = db.selectFrom('customers').select(['tier', 'quantity', 'subscription_status as status'])
    const row = await query.where('id', '=', customerId).executeTakeFirst()
    return row === undefined ? null : { tier: row.tier, quantity: paidQuantity(row) }
  }
  return { of, recent: of }
}

/** How long a change of tier may go unseen where limits are enforced; a busy customer costs four queries a second. */
const FRESH_MS = 250

const MAX_CACHED = 10_000

/** Subscriptions remembered for a moment; callers at the same time share one question. `now` in milliseconds. */
export function cachedSubscriptions(subscriptions: Subscriptions, now: () => number): Subscriptions {
  const cached = promiseCache<Subscription | null>({ max: MAX_CACHED, ttlMs: FRESH_MS, now })

  return {
    of: (customerId) => cached.refresh(customerId, () => subscriptions.of(customerId)),
    recent: (customerId) => cached.get(customerId, () => subscriptions.of(customerId)),
  }
}
