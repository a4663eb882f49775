/** Scan tasks over the accounts database. */

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { SCAN_STATES, type ScanPriority, type ScanStatus, STUCK_MS } from '../../../schemas/scans/scan.ts'
import type { Tables } from '../tables/all-tables.ts'
import { FOREIGN_KEY_VIOLATION } from '../tables/refused.ts'
import type { NewScan, Scan, ScanFilter, ScanTasks, ScanUpkeep, ScanWork } from './port.ts'
import { change, type EncodeRequest, publish } from './scan-changes.ts'
import { deliveryId, rowOf, type ScanRow, scanOf, webhookState } from './scan-rows.ts'
import { kyselyScanWork } from './scan-work.ts'

/** Upkeep of scan tasks that no other code does, as SQL. Several processes may do this at once. */
const STUCK = 'the scan ran for 4 hours without finishing'
const CUT_OFF = 'the process ended during the scan'

function kyselyScanUpkeep(db: Kysely<Tables>, encode: EncodeRequest): ScanUpkeep {
  /** Asked every ten seconds, mostly for nothing: a short question before each transaction. */
  const any = async (condition: RawBuilder<unknown>): Promise<boolean> =>
    (await sql`SELECT 1 FROM scan_tasks WHERE ${condition} LIMIT 1`.execute(db)).rows.length > 0

  return {
    async recover(now, limit) {
      const over = sql`status = 'running' AND (lease_until <= ${new Date(now)} OR since <= ${new Date(now - STUCK_MS)})`
      if (!(await any(over))) return []
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<ScanRow>`
          SELECT * FROM scan_tasks WHERE ${over}
          ORDER BY since, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx)
        const recovered = []
        for (const row of rows) {
          const changed =
            (await change(tx, encode, row, 'stuck', now, { error: STUCK })) ??
            (await change(tx, encode, row, 'expired', now, { error: CUT_OFF }))
          if (changed !== null) recovered.push({ id: changed.id, status: changed.status })
        }
        return recovered
      })
    },

    async remind(before, now, limit) {
      if (!(await any(sql`status = 'queued' AND asked_at <= ${new Date(before)}`))) return 0
      return db.transaction().execute(async (tx) => {
        const silent = await tx
          .selectFrom('scan_tasks')
          .selectAll()
          .where('status', '=', 'queued')
          .where('asked_at', '<=', new Date(before))
          .orderBy('asked_at')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .execute()
        for (const row of silent) {
          await publish(tx, encode, row, now)
          await tx
            .updateTable('scan_tasks')
            .set({ asked_at: new Date(now) })
            .where('id', '=', row.id)
            .execute()
        }
        return silent.length
      })
    },

    async prune(before, limit) {
      const old = db
        .selectFrom('scan_tasks')
        .select('id')
        .where('created_at', '<', new Date(before))
        .orderBy('created_at')
        .limit(limit)
      const { numDeletedRows } = await db.deleteFrom('scan_tasks').where('id', 'in', old).executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

/** Scan tasks as callers and administrators see them, as SQL. */
const ATTEMPTS = 5

function kyselyScanTasks(db: Kysely<Tables>, encode: EncodeRequest): ScanTasks {
  /** Rows with the states of their webhooks. */
  async function withWebhookStates(rows: readonly ScanRow[]): Promise<Scan[]> {
    const ids = rows.filter((row) => row.webhook_url !== null).map((row) => deliveryId(row.id, row.status))
    const found =
      ids.length === 0 ? [] : await db.selectFrom('deliveries').select(['id', 'state']).where('id', 'in', ids).execute()
    const states = new Map(found.map(({ id, state }) => [id, webhookState(state)]))
    return rows.map((row) => scanOf(row, states.get(deliveryId(row.id, row.status)) ?? null))
  }

  const insertTask = (scan: NewScan): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .insertInto('scan_tasks')
        .values(rowOf(scan))
        .onConflict((conflict) => conflict.columns(['user_id', 'target']).doNothing())
        .returningAll()
        .executeTakeFirst()
      if (row !== undefined) await publish(tx, encode, row, scan.createdAt, scan.id)
      return row !== undefined
    })

  const filteredTasks = ({ status, priority, userId }: ScanFilter) => {
    let query = db.selectFrom('scan_tasks')
    if (status !== undefined) query = query.where('status', '=', status)
    if (userId !== undefined) query = query.where('user_id', '=', userId)
    if (priority !== undefined) query = query.where('priority', '=', priority)
    return query
  }

  return {
    async schedule(scan) {
      // The task that was met may be removed before it is read.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const existing = await db
          .selectFrom('scan_tasks')
          .select(['id', 'status'])
          .where('user_id', '=', scan.userId)
          .where('target', '=', scan.target.value)
          .executeTakeFirst()
        if (existing !== undefined) return { created: false, scan: existing }
        try {
          if (await insertTask(scan)) return { created: true, scan: { id: scan.id, status: 'new' } }
        } catch (error) {
          if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) return 'no user'
          throw error
        }
      }
      throw new Error(`cannot create or find a task for ${scan.target.value}`)
    },

    async scan(id, userId) {
      let query = db.selectFrom('scan_tasks').selectAll().where('id', '=', id)
      if (userId !== undefined) query = query.where('user_id', '=', userId)
      const row = await query.executeTakeFirst()
      return row === undefined ? null : (await withWebhookStates([row]))[0]!
    },

    async list(filter, { limit, offset }) {
      const counted = filteredTasks(filter).select(({ fn }) => fn.countAll<string | number>().as('items'))
      const items = Number((await counted.executeTakeFirstOrThrow()).items)
      if (offset >= items) return { items, scans: [] }
      const newest = filteredTasks(filter).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
      return { items, scans: await withWebhookStates(await newest.limit(limit).offset(offset).execute()) }
    },

    again: (id, now) =>
      db.transaction().execute(async (tx) => {
        const row = await tx.selectFrom('scan_tasks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
        if (row === undefined) return 'no task'
        const fresh = { round: row.round + 1, started_at: null, finished_at: null, entities: 0, error: null }
        return (await change(tx, encode, row, 'asked', now, fresh)) === null ? 'unchanged' : 'queued'
      }),

    async backlog(limit) {
      const states = {} as Record<ScanStatus, number>
      for (const status of SCAN_STATES) {
        const some = db.selectFrom('scan_tasks').select('id').where('status', '=', status).limit(limit).as('some')
        const counted = db.selectFrom(some).select(({ fn }) => fn.countAll<string | number>().as('items'))
        states[status] = Number((await counted.executeTakeFirstOrThrow()).items)
      }
      const oldest = async (priority: ScanPriority): Promise<number | null> => {
        const queued = db.selectFrom('scan_tasks').where('status', '=', 'queued').where('priority', '=', priority)
        return (await queued.select('since').orderBy('since').limit(1).executeTakeFirst())?.since.getTime() ?? null
      }
      return { states, oldest: { user: await oldest('user'), automatic: await oldest('automatic') } }
    },
  }
}

export type Scans = ScanTasks & ScanWork & ScanUpkeep

/** `encode`: a request as it crosses the log. */
export const kyselyScans = (db: Kysely<Tables>, encode: EncodeRequest): Scans => ({
  ...kyselyScanTasks(db, encode),
  ...kyselyScanWork(db, encode),
  ...kyselyScanUpkeep(db, encode),
})
