/** The queue of deliveries as SQL. A queue is leased: who has the lease sends from it, and no other (ADR 280, 263). */

import { type Kysely, sql, type Transaction } from 'kysely'
import { type DeliveryKind, holdingTriesOf } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Tables } from '../tables/all-tables.ts'
import { beginDelivery, erasedSecrets } from './begin-delivery.ts'
import type { Begun, DeliveryEnd, DeliveryQueue, DeliveryQueues } from './port.ts'

// How a try ends, and the lease with it.

/** Maximum length of a stored error, which users read; a receiver cannot make it longer. */
const MAX_ERROR = 200

function endings<Kind extends DeliveryKind>(
  db: Kysely<Tables>,
  kind: Kind,
): Pick<DeliveryQueue<Kind>, 'settle' | 'release'> {
  /** Runs only while the lease is still the one that was given out, and ends it. */
  const within = (
    { queueId, fence }: Begun<Kind>,
    dueAt: number | null,
    work: (tx: Transaction<Tables>) => Promise<void>,
  ): Promise<boolean> =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('delivery_queues')
          .set({ holder: null, lease_until: new Date(0), due_at: dueAt === null ? null : new Date(dueAt) })
          .where('id', '=', queueId)
          .where('fence', '=', fence)
          .where('holder', 'is not', null)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows !== 1n) return false
        await work(tx)
        return true
      })

  return {
    settle: (begun, end, now) =>
      within(begun, dueAfter(kind, end, now), async (tx) => {
        await tx
          .updateTable('deliveries')
          .set(columnsOf(kind, begun, end, now))
          .where('id', '=', begun.deliveryId)
          .where('state', '=', 'trying')
          .execute()
        // What was not sent takes no room of a minute.
        if (end.state === 'skipped') await forgetTry(tx, begun)
      }),

    async release(begun, now) {
      await within(begun, now, async (tx) => {
        await tx
          .updateTable('deliveries')
          .set((row) => ({ attempts: row('attempts', '-', 1), next_at: new Date(now) }))
          .where('id', '=', begun.deliveryId)
          .where('state', '=', 'trying')
          .execute()
      })
    },
  }
}

/** A destination may have more to do at once; a webhook is alone in its queue. */
function dueAfter(kind: DeliveryKind, end: DeliveryEnd, now: number): number | null {
  if (kind === 'alert') return now
  return end.state === 'waiting' ? end.nextAt : null
}

function columnsOf(kind: DeliveryKind, { attempt }: { attempt: number }, end: DeliveryEnd, now: number) {
  switch (end.state) {
    case 'waiting': {
      const holding = holdingTriesOf(kind)
      const note = `later alerts are sent before it: it failed ${holding} times`
      const passed = attempt >= holding ? { passed: true, note } : {}
      return { last_error: end.error.slice(0, MAX_ERROR), next_at: new Date(end.nextAt), ...passed }
    }
    case 'delivered':
      return { ...erasedSecrets(kind), state: end.state, finished_at: new Date(now), last_error: null }
    case 'dead': {
      const last_error = end.error.slice(0, MAX_ERROR)
      return { ...erasedSecrets(kind), state: end.state, finished_at: new Date(now), last_error }
    }
    case 'skipped':
      return { ...erasedSecrets(kind), state: end.state, finished_at: new Date(now), note: end.note }
  }
}

async function forgetTry(tx: Transaction<Tables>, { queueId }: { queueId: string }): Promise<void> {
  await sql`
    UPDATE delivery_queues SET recent = trim_array(recent, 1)
    WHERE id = ${queueId} AND cardinality(recent) > 0`.execute(tx)
}

/** Deliveries that are forgotten, and those that wait. */
function upkeep(db: Kysely<Tables>, kind: DeliveryKind): Pick<DeliveryQueue<DeliveryKind>, 'prune' | 'backlog'> {
  const pruneAlerts = async (at: Date, limit: number): Promise<number> => {
    // Those of a digest before the digest itself: they fare as it does for as long as they are there.
    const { rows: members } = await sql`
      DELETE FROM deliveries WHERE id IN (
        SELECT m.id FROM deliveries AS m WHERE m.state = 'fresh' AND m.created_at < ${at}
          AND NOT EXISTS (
            SELECT 1 FROM deliveries AS g
            WHERE g.queue_id = m.queue_id AND g.state = 'trying' AND g.after_seq < m.seq AND g.to_seq >= m.seq
          )
        ORDER BY m.created_at LIMIT ${limit}
      ) RETURNING 1`.execute(db)
    if (members.length === limit) return limit
    const { rows: ended } = await sql`
      DELETE FROM deliveries WHERE id IN (
        SELECT id FROM deliveries
        WHERE finished_at < ${at} AND url IS NULL ORDER BY finished_at LIMIT ${limit - members.length}
      ) RETURNING 1`.execute(db)
    return members.length + ended.length
  }

  /** With their queues: nothing else was or will be in them. */
  const pruneWebhooks = async (at: Date, limit: number): Promise<number> => {
    const { rows } = await sql`
      DELETE FROM delivery_queues WHERE id IN (
        SELECT queue_id FROM deliveries
        WHERE finished_at < ${at} AND url IS NOT NULL ORDER BY finished_at LIMIT ${limit}
      ) RETURNING 1`.execute(db)
    return rows.length
  }

  return {
    prune: (before, limit) => (kind === 'alert' ? pruneAlerts : pruneWebhooks)(new Date(before), limit),

    async backlog(limit) {
      const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
        SELECT count(*)::int AS waiting, min(created_at) AS oldest FROM (
          SELECT w.created_at FROM delivery_queues AS q JOIN deliveries AS w ON w.queue_id = q.id
          WHERE q.kind = ${kind} AND q.due_at IS NOT NULL
            AND (w.state = 'trying' OR (w.state = 'fresh' AND w.seq > q.begun_to))
          ORDER BY q.due_at LIMIT ${limit}
        ) AS all_waiting`.execute(db)
      return { waiting: rows[0]!.waiting, oldest: rows[0]!.oldest?.getTime() ?? null }
    },
  }
}

/**
 * The longest due that are ranked by host, so that a long list costs no more than this. Hosts that have no room are left
 * out before: their queues cannot fill it.
 */
const CANDIDATES = 1_000

/** Deliveries of one kind over the accounts database. */
export const kyselyDeliveryQueue = <Kind extends DeliveryKind>(
  db: Kysely<Tables>,
  kind: Kind,
): DeliveryQueue<Kind> => ({
  ...leases(db, kind),
  begin: (lease, now) => beginDelivery(db, kind, lease, now),
  ...endings(db, kind),
  ...upkeep(db, kind),
})

/** Deliveries of each kind. */
export const kyselyDeliveryQueues = (db: Kysely<Tables>): DeliveryQueues => ({
  scan: kyselyDeliveryQueue(db, 'scan'),
  alert: kyselyDeliveryQueue(db, 'alert'),
})

function leases(db: Kysely<Tables>, kind: DeliveryKind): Pick<DeliveryQueue<DeliveryKind>, 'take' | 'nextAt'> {
  return {
    async take({ holder, now, leaseMs, limit, perHost, sending }) {
      const at = new Date(now)
      const due = sql`kind = ${kind} AND due_at <= ${at} AND lease_until <= ${at}`
      const busy = sql`coalesce((${JSON.stringify(sending)}::jsonb ->> host)::int, 0)`
      // Asked often, and mostly for nothing: the short question first.
      const any = await sql`SELECT 1 FROM delivery_queues WHERE ${due} LIMIT 1`.execute(db)
      if (any.rows.length === 0) return []
      // Rows are judged again where they are locked. One that gets alerts at this moment is told of when that is done.
      const { rows } = await sql<{ id: string; host: string; fence: number }>`
        WITH candidates AS (
          SELECT id, host, due_at FROM delivery_queues
          WHERE ${due} AND ${busy} < ${perHost} ORDER BY due_at, id LIMIT ${CANDIDATES}
        ), ranked AS (
          SELECT id, due_at, row_number() OVER (PARTITION BY host ORDER BY due_at, id) + ${busy} AS place
          FROM candidates
        ), picked AS (
          SELECT id FROM ranked WHERE place <= ${perHost} ORDER BY due_at, id LIMIT ${limit}
        ), locked AS MATERIALIZED (
          SELECT id FROM delivery_queues WHERE id IN (SELECT id FROM picked) AND ${due}
          FOR NO KEY UPDATE SKIP LOCKED
        )
        UPDATE delivery_queues AS q
        SET holder = ${holder}, lease_until = ${new Date(now + leaseMs)}, fence = fence + 1
        FROM locked WHERE q.id = locked.id RETURNING q.id, q.host, q.fence`.execute(db)
      return rows.map(({ id, host, fence }) => ({ queueId: id, host, fence }))
    },

    async nextAt() {
      // What is leased was due before: it is among the first.
      const first = sql`
        SELECT greatest(due_at, lease_until) AS at FROM delivery_queues
        WHERE kind = ${kind} AND due_at IS NOT NULL ORDER BY due_at, id LIMIT ${CANDIDATES}`
      const { rows } = await sql<{ at: Date | null }>`SELECT min(at) AS at FROM (${first}) AS f`.execute(db)
      return rows[0]?.at?.getTime() ?? null
    },
  }
}
