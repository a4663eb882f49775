/** The outbox as SQL: written in the transaction of the change itself (ADR 277), and read by its relay. */

import { type Kysely, sql, type Transaction } from 'kysely'
import { type LifecycleEvent, lifecycleKey } from '../../../schemas/accounts/lifecycle.ts'
import { ACCOUNT_LIFECYCLE } from '../../../schemas/log/topics.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { Outbox } from './port.ts'

/**
 * Stores events together with the change that they report. Throws, and so rolls back the change, for an event that
 * does not fit its schema.
 */
export type AppendEvents = (tx: Transaction<Tables>, events: readonly LifecycleEvent[]) => Promise<void>

/**
 * `encode` gives the bytes of the log: an event that cannot be written there is refused here, where its change can still
 * be undone, instead of standing in the way of all later ones.
 */
export const appendEvents =
  (encode: (event: LifecycleEvent) => Buffer): AppendEvents =>
  (tx, events) =>
    appendRecords(
      tx,
      events.map((event) => ({
        id: event.id,
        topic: ACCOUNT_LIFECYCLE,
        key: lifecycleKey(event),
        record: encode(event),
        createdAt: event.time,
      })),
    )

/** A record of any topic; `id` is a UUID of its own, `createdAt` unix milliseconds. */
export type Appended = { id: string; topic: string; key: string; record: Buffer; createdAt: number }

/** Stores records with the change that they follow from, in order per key: the relay brings them to the log. */
export async function appendRecords(tx: Transaction<Tables>, records: readonly Appended[]): Promise<void> {
  await inOrder(tx, [...new Set(records.map(({ key }) => key))].sort())
  await storeRecords(tx, records)
}

/**
 * The same for records whose order does not matter: no key is locked. A thousand locks of each of many transactions
 * would fill the table of locks that all of PostgreSQL shares.
 */
export async function storeRecords(tx: Transaction<Tables>, records: readonly Appended[]): Promise<void> {
  if (records.length === 0) return
  await tx
    .insertInto('outbox')
    .values(records.map(({ createdAt, ...record }) => ({ ...record, created_at: new Date(createdAt) })))
    .execute()
}

/**
 * Until this transaction ends, nobody else appends to these keys: otherwise a later number could be committed, and
 * relayed, before an earlier one. Keys are locked in one order, so that two writers do not wait for each other.
 */
async function inOrder(tx: Kysely<Tables>, keys: readonly string[]): Promise<void> {
  for (const key of keys) await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** Called, in the transaction that marks them, with the records that are on the log; `now` in unix milliseconds. */
export type WhenPublished = (
  tx: Transaction<Tables>,
  records: readonly { id: string; topic: string }[],
  now: number,
) => Promise<void>

/** Of one answer of `pending`, about: a definition of a feed may have a megabyte (ADR 274). */
const PENDING_BYTES = 16 * 1024 * 1024

export function kyselyOutbox(db: Kysely<Tables>, whenPublished: WhenPublished = async () => undefined): Outbox {
  return {
    async take(holder, now, leaseMs) {
      const row = await db
        .updateTable('outbox_turn')
        .set({ holder, until: new Date(now + leaseMs) })
        .where((where) =>
          where.or([
            where('until', '<=', new Date(now)),
            // Taken by a clock that has been set back since: no turn lasts that long.
            where('until', '>', new Date(now + 2 * leaseMs)),
            where('holder', '=', holder),
          ]),
        )
        .returning('holder')
        .executeTakeFirst()
      return row !== undefined
    },

    async leave(holder) {
      await db
        .updateTable('outbox_turn')
        .set({ until: new Date(0) })
        .where('holder', '=', holder)
        .execute()
    },

    pending: (limit) => {
      const oldest = db
        .selectFrom('outbox')
        .select(['seq', 'topic', 'key', 'record'])
        .where('published_at', 'is', null)
        .orderBy('seq')
        .limit(limit)
        .as('oldest')
      const before = sql<number>`sum(octet_length(record)) OVER (ORDER BY seq) - octet_length(record)`.as('before')
      const added = db.selectFrom(oldest).select(['seq', 'topic', 'key', 'record', before]).as('added')
      const query = db.selectFrom(added).select(['seq', 'topic', 'key', 'record'])
      return query.where('before', '<', PENDING_BYTES).orderBy('seq').execute()
    },

    async markPublished(seqs, now) {
      if (seqs.length === 0) return
      const published_at = new Date(now)
      await db.transaction().execute(async (tx) => {
        const marked = await tx
          .updateTable('outbox')
          .set({ published_at })
          .where('seq', 'in', [...seqs])
          .returning(['id', 'topic'])
          .execute()
        await whenPublished(tx, marked, now)
      })
    },

    async prune(before, limit) {
      const old = db
        .selectFrom('outbox')
        .select('seq')
        .where('published_at', '<', new Date(before))
        .orderBy('published_at')
        .limit(limit)
      const { numDeletedRows } = await db.deleteFrom('outbox').where('seq', 'in', old).executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    async backlog(limit) {
      const waiting = db
        .selectFrom('outbox')
        .select(['seq', 'created_at'])
        .where('published_at', 'is', null)
        .orderBy('seq')
        .limit(limit)
        .as('waiting')
      const { rows } = await sql<{ pending: number; oldest: Date | null }>`
        SELECT count(*)::int AS pending, min(created_at) AS oldest FROM ${waiting}`.execute(db)
      return { pending: rows[0]!.pending, oldest: rows[0]!.oldest?.getTime() ?? null }
    },
  }
}
