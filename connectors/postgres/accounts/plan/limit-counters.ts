/** The counters as the store of all processes keeps them; the leases of one process stand before it. */

import { type Kysely, sql } from 'kysely'
import type { Window } from '../../../../schemas/accounts/tiers/windows.ts'
import { dropRows } from '../../core/drop-rows.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { Counter, Subject, Usage } from './port.ts'

/** `units` were lent and count as taken; `granted` is what the store has given out of the window since it began. */
export type Loan = { units: number; granted: number }

export interface CounterRows {
  /**
   * Lends `need` units, or more up to `wish` while a small share of what is left covers them; fewer when fewer are left,
   * null when none are. Never more than `limit` are given out in one window.
   */
  lend(counter: Counter, limit: number, need: number, wish: number): Promise<Loan | null>
  takeBack(counter: Counter, units: number): Promise<void>
  usage(subject: Subject, at: number): Promise<Usage[]>
  /** Removes windows that ended before a time (Unix milliseconds), at most a few thousand; answers how many. */
  purge(before: number): Promise<number>
}

/** A wish above the need gets at most this share of what is left: other processes find the rest. */
export const SHARE = 16

const KEY = ['subject', 'service', 'feature', 'period', 'starts_at'] as const

const PURGED_AT_ONCE = 5_000

/** A subject as its rows name it. */
export const textOf = ({ type, id }: Subject): string => `${type} ${id}`

/** Counters as rows of PostgreSQL: one statement per loan, whose row lock serialises the processes. */
export function kyselyCounters(db: Kysely<Tables>): CounterRows {
  return {
    async lend({ subject, service, featureKey, window, start, end }, limit, need, wish) {
      const first = Math.min(limit, Math.max(need, Math.min(wish, Math.floor(limit / SHARE))))
      const left = sql`(${limit}::bigint - w.granted)`
      const units = sql`least(${left}, greatest(${need}::bigint, least(${wish}::bigint, ${left} / ${sql.lit(SHARE)})))`
      const { rows } = await sql<Loan>`
        INSERT INTO limit_windows AS w (subject, service, feature, period, starts_at, ends_at, granted, lent)
        VALUES (${textOf(subject)}, ${service}, ${featureKey}, ${window}, ${new Date(start)}, ${new Date(end)},
                ${first}::bigint, ${first}::bigint)
        ON CONFLICT (subject, service, feature, period, starts_at)
        DO UPDATE SET granted = w.granted + ${units}, lent = ${units}
        WHERE w.granted < ${limit}::bigint
        RETURNING lent AS units, granted`.execute(db)
      return rows[0] ?? null
    },

    async takeBack({ subject, service, featureKey, window, start }, units) {
      await db
        .updateTable('limit_windows')
        .set({ granted: sql`greatest(0, granted - ${units}::bigint)` })
        .where('subject', '=', textOf(subject))
        .where('service', '=', service)
        .where('feature', '=', featureKey)
        .where('period', '=', window)
        .where('starts_at', '=', new Date(start))
        .execute()
    },

    async usage(subject, at) {
      const rows = await db
        .selectFrom('limit_windows')
        .select(['service', 'feature', 'period', 'starts_at', 'granted'])
        .where('subject', '=', textOf(subject))
        .where('ends_at', '>', new Date(at))
        .where('starts_at', '<=', new Date(at))
        .limit(1_000)
        .execute()
      return rows.map((row) => ({
        service: row.service,
        featureKey: row.feature,
        window: row.period as Window,
        start: row.starts_at.getTime(),
        used: row.granted,
      }))
    },

    purge: (before) => {
      const where = sql`ends_at < ${new Date(before)}`
      return dropRows(db, { from: 'limit_windows', key: KEY, where, limit: PURGED_AT_ONCE })
    },
  }
}
