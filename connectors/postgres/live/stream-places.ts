/** Places of open streams: as SQL, the same on PostgreSQL and on the embedded one, and those that one process holds. */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { textOf } from '../accounts/plan/limit-counters.ts'
import type { Subject } from '../accounts/plan/port.ts'
import { dropRows } from '../core/drop-rows.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { OpenStreams } from './port.ts'

/**
 * Each open stream holds one of the places 1 to N of its subject, under a lease that ends by itself when its process
 * dies. `now` in unix milliseconds, by the clock of the process: clocks may differ by less than a lease.
 */
export interface StreamPlaces {
  /**
   * Takes one of the places 1 to `most` for a stream whose id (UUID) is new. Exact under concurrency: never more than
   * `most` leases of a subject run, also after `most` was lowered. False: no place is free.
   */
  take(subject: Subject, most: number, streamId: string, now: number): Promise<boolean>
  /**
   * Renews the leases of these streams. Returns the ids that hold a place still: a lease that had ended goes on when
   * nobody has taken its place.
   */
  renew(streamIds: readonly string[], now: number): Promise<Set<string>>
  /** Gives back the places of these streams; those that hold none are left out. */
  giveBack(streamIds: readonly string[]): Promise<void>
  /** How many streams of the subject are open. */
  open(subject: Subject, now: number): Promise<number>
  /** Removes places whose lease ended before a time (unix milliseconds), at most a few thousand; returns how many. */
  sweep(before: number): Promise<number>
}

/** How long the places of a process that died stay taken: three times what a process waits between renewals. */
const LEASE_MS = 30_000

const REMOVED_AT_ONCE = 5_000

export function kyselyStreamPlaces(db: Kysely<Tables>): StreamPlaces {
  const open = async (subject: string, now: number): Promise<number> => {
    const { items } = await db
      .selectFrom('live_places')
      .select((select) => select.fn.countAll<number>().as('items'))
      .where('subject', '=', subject)
      .where('lease_until', '>', new Date(now))
      .executeTakeFirstOrThrow()
    return items
  }

  return {
    async take(subject, most, streamId, now) {
      const text = textOf(subject)
      // Clients that keep trying over their limit cost no transaction.
      if ((await open(text, now)) >= most) return false
      return db
        .transaction()
        .setIsolationLevel('read committed')
        .execute((tx) => takeInTurn(tx, text, most, streamId, now))
    },

    async renew(streamIds, now) {
      if (streamIds.length === 0) return new Set()
      const { rows } = await sql<{ stream_id: string }>`
        UPDATE live_places SET lease_until = ${new Date(now + LEASE_MS)}
        WHERE (subject, place) IN (${locked(ofStreams(streamIds))}) RETURNING stream_id`.execute(db)
      return new Set(rows.map((row) => row.stream_id))
    },

    async giveBack(streamIds) {
      if (streamIds.length > 0) await remove(db, locked(ofStreams(streamIds)))
    },

    open: (subject, now) => open(textOf(subject), now),

    sweep: (before) => dropPlaces(db, sql`lease_until < ${new Date(before)}`),
  }
}

/** Ends the places of a subject with it, in the transaction that deletes it. */
export async function deletePlacesOf(tx: Transaction<Tables>, subject: Subject): Promise<void> {
  await remove(tx, locked(sql`subject = ${textOf(subject)}`))
}

/**
 * One after another for a subject, each with a view of the table of its own turn. What has a row is taken: that of a
 * lease that ended goes first, unless its process renews it in this moment.
 */
async function takeInTurn(tx: Transaction<Tables>, subject: string, most: number, streamId: string, now: number) {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`live_places ${subject}`}, 0))`.execute(tx)
  await dropPlaces(tx, sql`subject = ${subject} AND lease_until <= ${new Date(now)}`)
  // The lowest free place is the first of all, or follows one that is taken. Places above `most` are of another tier.
  const { rows } = await sql`
    WITH taken AS (SELECT place FROM live_places WHERE subject = ${subject})
    INSERT INTO live_places (subject, place, stream_id, lease_until)
    SELECT ${subject}::text, min(free.place), ${streamId}::uuid, ${new Date(now + LEASE_MS)}::timestamptz
    FROM (SELECT 1 AS place UNION ALL SELECT place + 1 FROM taken) AS free
    WHERE free.place NOT IN (SELECT place FROM taken)
    HAVING min(free.place) <= ${most}::bigint AND (SELECT count(*) FROM taken) < ${most}::bigint
    RETURNING place`.execute(tx)
  return rows.length === 1
}

const ofStreams = (streamIds: readonly string[]) => sql`stream_id = ANY (${[...streamIds]}::uuid[])`

/** Keys of rows that are locked in one order, so that statements on many rows never wait for each other in a circle. */
const locked = (which: RawBuilder<unknown>) =>
  sql`SELECT subject, place FROM live_places WHERE ${which} ORDER BY subject, place FOR UPDATE`

const dropPlaces = (db: Kysely<Tables>, where: RawBuilder<unknown>): Promise<number> =>
  dropRows(db, { from: 'live_places', key: ['subject', 'place'], where, limit: REMOVED_AT_ONCE })

async function remove(db: Kysely<Tables>, keys: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`DELETE FROM live_places WHERE (subject, place) IN (${keys}) RETURNING 1`.execute(db)
  return rows.length
}

/** The places that one process holds: it renews all of them in one statement, and tells streams that lost theirs. */
export type HeldStreams = OpenStreams & {
  /** Renews the lease of every open stream: to be called several times within a lease. Rejects when the store fails. */
  renew(): Promise<void>
  /** Gives back every place, for the end of the process: streams are not told. */
  close(): Promise<void>
}

/**
 * `newId` makes UUIDs, `now` is in unix milliseconds.
 * @param onFailure told of a place that could not be given back: it stays taken until its lease ends
 */
export function openStreams(
  places: StreamPlaces,
  { now, newId, onFailure }: { now: () => number; newId: () => string; onFailure: (error: Error) => void },
): HeldStreams {
  const held = new Map<string, AbortController>()

  return {
    async take(subject, most) {
      const id = newId()
      if (!(await places.take(subject, most, id, now()))) return null
      const losing = new AbortController()
      held.set(id, losing)
      return {
        lost: losing.signal,
        async giveBack() {
          if (held.delete(id)) await places.giveBack([id]).catch(onFailure)
        },
      }
    },

    open: places.open,

    async renew() {
      const before = [...held]
      if (before.length === 0) return
      const still = await places.renew(
        before.map(([id]) => id),
        now(),
      )
      for (const [id, losing] of before) if (!still.has(id) && held.delete(id)) losing.abort()
    },

    async close() {
      const ids = [...held.keys()]
      held.clear()
      await places.giveBack(ids)
    },
  }
}
