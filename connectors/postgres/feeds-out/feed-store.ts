/**
 * Definitions of feeds as SQL, each change with the command for the job that keeps the lists. Who may do what was decided
 * before: neither owner nor groups ever change.
 */

import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { encodeCommand, type FeedCommand } from '../../../schemas/feeds-out/command.ts'
import type { FeedOwner } from '../../../schemas/feeds-out/rights.ts'
import { FEED_COMMANDS } from '../../../schemas/log/topics.ts'
import { holdCustomer, Refused, refusable } from '../accounts/plan/member-quotas.ts'
import { kyselyQuotas } from '../accounts/plan/quota-store.ts'
import { type Appended, appendRecords, storeRecords } from '../operation/outbox-store.ts'
import type { Tables } from '../tables/tables.ts'
import { kyselyDownloadTokens } from './download-tokens.ts'
import { listFeeds, nameFeeds } from './feed-pages.ts'
import { MAX_FEEDS, takeFeed } from './feed-quota.ts'
import { changedColumns, feedOf, feedRow } from './feed-rows.ts'
import type { FeedDefinition, FeedDefinitions, FeedsOut } from './port.ts'

/**
 * Rows are locked in the order of the deletion of an owner: the customer or user, the feed, the key of its commands. The
 * lock on the feed keeps commands of one feed in the order of their transactions.
 */
function kyselyFeeds(db: Kysely<Tables>, tiers: Tiers): FeedDefinitions {
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

/** Definitions of feeds and their tokens over the accounts database. */
export const kyselyFeedsOut = (db: Kysely<Tables>, tiers: Tiers): FeedsOut => ({
  feeds: kyselyFeeds(db, tiers),
  tokens: kyselyDownloadTokens(db),
})

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const INSERTED = 1_000

/**
 * Deletes all feeds of the owner with their tokens, and tells the job, in the transaction that deletes the owner and has
 * locked its row. The keys are not locked: the lock on each deleted row, which every other command of the feed takes too,
 * keeps the order, and an owner may have thousands. `at` in unix milliseconds.
 */
export async function deleteFeedsOf(tx: Transaction<Tables>, owner: FeedOwner, at: number): Promise<void> {
  const gone = await tx
    .deleteFrom('feeds')
    .where('owner_kind', '=', owner.kind)
    .where('owner_id', '=', owner.id)
    .returning('id')
    .execute()
  const records = gone.map(({ id }) => commandRecord({ kind: 'delete', id }, at))
  for (let from = 0; from < records.length; from += INSERTED)
    await storeRecords(tx, records.slice(from, from + INSERTED))
}

/**
 * Longest record, in bytes: brokers refuse one of 1 MiB with its frame, and one that the log refuses would stand in the
 * way of all that was stored after it.
 */
const MAX_RECORD_BYTES = 1_000_000

/** Throws Refused: `too large`. */
const appendCommand = (tx: Transaction<Tables>, command: FeedCommand, at: number): Promise<void> =>
  appendRecords(tx, [commandRecord(command, at)])

/** A command as a record of the log. Throws Refused: `too large`. */
function commandRecord(command: FeedCommand, at: number): Appended {
  const record = encodeCommand(command)
  if (record.length > MAX_RECORD_BYTES) throw new Refused('too large')
  const key = command.kind === 'put' ? command.feed.id : command.id
  return { id: randomUUID(), topic: FEED_COMMANDS, key, record, createdAt: at }
}

/** The feed as it is now: what the job needs of it, and nothing else. */
const putCommand = (feed: FeedDefinition): FeedCommand => {
  const { id, name, selector, groups, cap, guard, revision } = feed
  return { kind: 'put', feed: { id, name, selector, groups, cap, guard, revision } }
}
