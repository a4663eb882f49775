/** Scan tasks as workers see them, as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, sql, type Transaction } from 'kysely'
import { AUTOMATIC_SCANS, OBSERVATIONS, SCANS_OF_USERS } from '../../../schemas/log/topics.ts'
import { storeRecords, type WhenPublished } from '../operation/outbox-store.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { Lease, ScanWork, TakeScans } from './port.ts'
import { change, type EncodeRequest } from './scan-changes.ts'
import { leasedOf, type ScanRow } from './scan-rows.ts'

/** The longest queued of each priority that are looked at: a long queue costs no more than this. */
const CANDIDATES = 200

const MAX_ERROR = 500

/** Who holds it may take: two that take at once could begin two scans of one target. */
const TURN = 'scan_tasks/take'

/** As text that the database takes: no control characters, no halves of characters. */
const clean = (error: string): string =>
  error
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_ERROR)
    .toWellFormed()

/** For the outbox: a new task whose first request is on the log is queued. The request has the id of its task. */
export const requestsPublished: WhenPublished = (tx, published, now) =>
  markQueued(
    tx,
    published.filter(({ topic }) => topic === SCANS_OF_USERS || topic === AUTOMATIC_SCANS).map(({ id }) => id),
    now,
  )

async function markQueued(db: Kysely<Tables>, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('scan_tasks')
    .set({ status: 'queued', since: new Date(now) })
    .where('id', 'in', [...ids])
    .where('status', '=', 'new')
    .execute()
}

/** Ids of the tasks to take, in order. */
function pickTasks(tx: Transaction<Tables>, { limit, automatic }: Pick<TakeScans, 'limit' | 'automatic'>) {
  const waiting = (priority: 'user' | 'automatic') => sql`(
    SELECT id, target, priority, since FROM scan_tasks AS t
    WHERE status = 'queued' AND priority = ${priority}
      AND NOT EXISTS (SELECT 1 FROM scan_tasks AS r WHERE r.status = 'running' AND r.target = t.target)
    ORDER BY since, id LIMIT ${CANDIDATES})`
  return sql<{ id: string }>`
    WITH waiting AS (${waiting('user')} UNION ALL ${waiting('automatic')}
    ), firsts AS (
      SELECT DISTINCT ON (target) id, priority, since FROM waiting ORDER BY target, priority DESC, since, id
    ), ranked AS (
      SELECT id, priority,
        row_number() OVER (ORDER BY priority DESC, since, id) AS place,
        row_number() OVER (PARTITION BY priority ORDER BY since, id) AS nth
      FROM firsts
    )
    SELECT id FROM ranked WHERE place <= ${limit} AND (priority = 'user' OR nth <= ${automatic})
    ORDER BY place`.execute(tx)
}

export function kyselyScanWork(db: Kysely<Tables>, encode: EncodeRequest): ScanWork {
  /** What a lease is for, locked, as long as it is held. */
  const held = (tx: Transaction<Tables>, { id, fence }: Lease): Promise<ScanRow | undefined> =>
    tx
      .selectFrom('scan_tasks')
      .selectAll()
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('status', '=', 'running')
      .forUpdate()
      .executeTakeFirst()

  const queued = async (): Promise<boolean> =>
    (await sql`SELECT 1 FROM scan_tasks WHERE status = 'queued' LIMIT 1`.execute(db)).rows.length > 0

  return {
    queued,

    published: (ids, now) => markQueued(db, ids, now),

    async take(wanted) {
      const { holder, now, leaseMs } = wanted
      // Asked often, and mostly for nothing: the short question first.
      if (!(await queued())) return []
      return db.transaction().execute(async (tx) => {
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(${TURN}, 0))`.execute(tx)
        const ids = (await pickTasks(tx, wanted)).rows.map(({ id }) => id)
        if (ids.length === 0) return []
        const rows = await tx
          .selectFrom('scan_tasks')
          .selectAll()
          .where('id', 'in', ids)
          .forUpdate()
          .skipLocked()
          .execute()
        const taken = []
        for (const row of rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))) {
          const lease = { holder, lease_until: new Date(now + leaseMs), fence: row.fence + 1 }
          const also = { ...lease, started_at: row.started_at ?? new Date(now) }
          const changed = await change(tx, encode, row, 'taken', now, also)
          if (changed !== null) taken.push(leasedOf(changed))
        }
        return taken
      })
    },

    async renew(leases, until) {
      if (leases.length === 0) return new Set()
      const { rows } = await sql<{ id: string }>`
        UPDATE scan_tasks AS t SET lease_until = ${new Date(until)}
        FROM unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ fence }) => fence)}::int[]) AS l (id, fence)
        WHERE t.id = l.id AND t.fence = l.fence AND t.status = 'running'
        RETURNING t.id`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },

    finish: (lease, { observations, entities, error }, now) =>
      db.transaction().execute(async (tx) => {
        const row = await held(tx, lease)
        if (row === undefined) return false
        await change(tx, encode, row, 'finished', now, { entities, error: error === null ? null : clean(error) })
        await storeRecords(
          tx,
          observations.map((observation) => ({ ...observation, topic: OBSERVATIONS, createdAt: now })),
        )
        return true
      }),

    fail: (lease, why, error, now) =>
      db.transaction().execute(async (tx) => {
        const row = await held(tx, lease)
        if (row === undefined) return null
        return (await change(tx, encode, row, why, now, { error: clean(error) }))?.status ?? null
      }),

    release: (lease, now) =>
      db.transaction().execute(async (tx) => {
        const row = await held(tx, lease)
        if (row !== undefined) await change(tx, encode, row, 'released', now)
      }),
  }
}
