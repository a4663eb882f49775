/** The writing side of the outbox: in the transaction of the change itself (ADR 89). */

import { type Kysely, sql, type Transaction } from 'kysely'
import { type LifecycleEvent, lifecycleKey } from '../../../schemas/accounts/lifecycle.ts'
import { ACCOUNT_LIFECYCLE } from '../../../schemas/log/topics.ts'
import type { Tables } from '../tables/tables.ts'

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
