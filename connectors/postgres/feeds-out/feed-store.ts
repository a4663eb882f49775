/**
 * Definitions of feeds as SQL, each change with the command for the job that keeps the lists. Who may do what was decided
 * before: neither owner nor groups ever change.
 */

import { randomUUID } from 'node:crypto'
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import type { Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { encodeCommand, type FeedCommand } from '../../../schemas/feeds-out/command.ts'
import type { FeedCaller, FeedOwner } from '../../../schemas/feeds-out/rights.ts'
import { FEED_COMMANDS } from '../../../schemas/log/topics.ts'
import { holdCustomer, Refused, refusable } from '../accounts/plan/member-quotas.ts'
import { kyselyQuotas } from '../accounts/plan/quota-store.ts'
import { type Appended, appendRecords, storeRecords } from '../operation/outbox-store.ts'
import type { Tables } from '../tables/all-tables.ts'
import { kyselyDownloadTokens } from './download-tokens.ts'
import { MAX_FEEDS, takeFeed } from './feed-quota.ts'
import { changedColumns, feedOf, feedRow } from './feed-rows.ts'
import type { FeedDefinition, FeedDefinitions, FeedPage, FeedsOut, NamedFeed } from './port.ts'

// Lists of feeds, bounded by what they hold.

/** Of the selectors of one page: one may be as long as a body. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024

/** As `isOwnersReader` decides it. */
const ownersReader =
  ({ userId, customerId, groups }: FeedCaller) =>
  (where: ExpressionBuilder<Tables, 'feeds'>): Expression<SqlBool> => {
    const owned = (kind: string, id: string) => where.and([where('owner_kind', '=', kind), where('owner_id', '=', id)])
    return where.and([
      where.or([owned('user', userId), ...(customerId === null ? [] : [owned('customer', customerId)])]),
      sql<boolean>`groups <@ ${[...groups]}::text[]`,
    ])
  }

/** As `FeedDefinitions.list`: ids are ordered by time, so the newest first is the highest id first. */
async function listFeeds(
  db: Kysely<Tables>,
  caller: FeedCaller,
  { after, limit }: Parameters<FeedDefinitions['list']>[1],
): Promise<FeedPage> {
  const sizes = await db
    .selectFrom('feeds')
    .select(['id', 'selector_bytes'])
    .where(ownersReader(caller))
    .$if(after !== null, (some) => some.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const ids = firstOf(sizes, limit)
  if (ids.length === 0) return { feeds: [], next: null }
  const rows = await db.selectFrom('feeds').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  return { feeds: rows.map(feedOf), next: ids.length < sizes.length ? ids.at(-1)! : null }
}

/** The first ids that fit into a page; one at least. */
function firstOf(sizes: readonly { id: string; selector_bytes: number }[], limit: number): string[] {
  const ids: string[] = []
  let bytes = 0
  for (const { id, selector_bytes: size } of sizes.slice(0, limit)) {
    bytes += size
    if (bytes > MAX_PAGE_BYTES && ids.length > 0) break
    ids.push(id)
  }
  return ids
}

/** As `FeedDefinitions.names`. */
async function nameFeeds(db: Kysely<Tables>, caller: FeedCaller | null, limit: number): Promise<NamedFeed[]> {
  const select = (which: 'own' | 'open', most: number) =>
    db
      .selectFrom('feeds')
      .select(['id', 'name', 'description', 'accuracy_from'])
      .$if(caller !== null, (some) =>
        some.where((where) =>
          which === 'own' ? ownersReader(caller!)(where) : where.not(ownersReader(caller!)(where)),
        ),
      )
      .$if(which === 'open', (some) => some.where('open', '=', true))
      .orderBy('id', 'desc')
      .limit(most)
      .execute()
  const own = caller === null ? [] : await select('own', limit)
  const open = own.length < limit ? await select('open', limit - own.length) : []
  return [...own, ...open].map(({ id, name, description, accuracy_from: accuracyFrom }) => ({
    id,
    name,
    description,
    accuracyFrom,
  }))
}

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
