/** Definitions of feeds as SQL. Who may do what was decided before: neither owner nor groups ever change. */

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { holdCustomer, refusable } from '../accounts/plan/member-quotas.ts'
import { kyselyQuotas } from '../accounts/plan/quota-store.ts'
import type { Tables } from '../tables/tables.ts'
import { appendCommand, putCommand } from './feed-commands.ts'
import { listFeeds, nameFeeds } from './feed-pages.ts'
import { MAX_FEEDS, takeFeed } from './feed-quota.ts'
import { changedColumns, feedOf, feedRow } from './feed-rows.ts'
import type { FeedDefinition, FeedDefinitions } from './port.ts'

/**
 * Rows are locked in the order of the deletion of an owner: the customer or user, the feed, the key of its commands. The
 * lock on the feed keeps commands of one feed in the order of their transactions.
 */
export function kyselyFeeds(db: Kysely<Tables>, tiers: Tiers): FeedDefinitions {
  const read = async (id: string): Promise<FeedDefinition | null> => {
    const row = await db.selectFrom('feeds').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : feedOf(row)
  }

  return {
    create: (feed, account) =>
      refusable<'created', 'full' | 'no member' | 'too large'>(db, async (tx) => {
        await takeFeed(tx, tiers, feed, account)
        await tx.insertInto('feeds').values(feedRow(feed)).execute()
        await appendCommand(tx as Transaction<Tables>, putCommand(feed), feed.createdAt)
        return 'created'
      }),

    feed: read,

    async missing(ids) {
      if (ids.length === 0) return []
      const some = sql<boolean>`id = ANY (${[...ids]}::uuid[])`
      const rows = await db.selectFrom('feeds').select('id').where(some).execute()
      const there = new Set(rows.map(({ id }) => id))
      return ids.filter((id) => !there.has(id.toLowerCase()))
    },

    list: (caller, page) => listFeeds(db, caller, page),

    names: (caller, limit) => nameFeeds(db, caller, limit),

    change: (id, change) =>
      refusable<FeedDefinition | null, 'too large'>(db, async (tx) => {
        const row = await tx
          .updateTable('feeds')
          .set({ ...changedColumns(change), revision: sql<number>`revision + 1` })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return null
        const feed = feedOf(row)
        await appendCommand(tx as Transaction<Tables>, putCommand(feed), change.at)
        return feed
      }),

    async remove(id, at) {
      const feed = await read(id)
      if (feed === null) return false
      return db.transaction().execute(async (tx) => {
        const customerId = feed.owner.kind === 'customer' ? feed.owner.id : null
        if (customerId !== null) await holdCustomer(tx, customerId, 'share')
        const gone = await tx.deleteFrom('feeds').where('id', '=', id).returning('id').executeTakeFirst()
        if (gone === undefined) return false
        if (customerId !== null) await kyselyQuotas(tx, tiers).release(customerId, MAX_FEEDS, 1)
        await appendCommand(tx, { kind: 'delete', id }, at)
        return true
      })
    },

    order: (id, kind, at) =>
      db.transaction().execute(async (tx) => {
        const held = tx.selectFrom('feeds').select('id').where('id', '=', id).forNoKeyUpdate()
        if ((await held.executeTakeFirst()) === undefined) return false
        await appendCommand(tx, { kind, id, at }, at)
        return true
      }),
  }
}
