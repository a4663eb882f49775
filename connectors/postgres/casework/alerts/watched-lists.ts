/** Watchlists for the job that fires alerts, and what of them is another since it read them. */

import { type Kysely, sql } from 'kysely'
import { ownGroups, readableGroups } from '../../../../schemas/accounts/accounts.ts'
import type { Content } from '../../../../schemas/casework/casework.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { WatchedList, WatchedLists } from './port.ts'

/** Moves of one question. */
const MOVES_AT_ONCE = 5_000

/** Since when an item of a list counts. */
const SINCE = sql<Date>`greatest(e.created_at, coalesce(r.enabled_at, r.created_at))`

export function kyselyWatchedLists(db: Kysely<Tables>): WatchedLists {
  return {
    async latest() {
      const { rows } = await sql<{ id: number }>`SELECT coalesce(max(id), 0) AS id FROM casework_watch_moves`.execute(
        db,
      )
      return rows[0]!.id
    },

    async movesAfter(number) {
      // With the one that is known: if it is gone, so may be others that are not.
      const query = db.selectFrom('casework_watch_moves').select(['id', 'watchlist_id', 'user_id'])
      const found = await query.where('id', '>=', number).orderBy('id').limit(MOVES_AT_ONCE).execute()
      if (found.length === 0 && number === 0) return { to: 0, lists: [], users: [], more: false }
      if (found[0]?.id !== number) return null
      const moved = found.slice(1)
      return {
        to: found.at(-1)!.id,
        lists: distinct(moved.map((one) => one.watchlist_id)),
        users: distinct(moved.map((one) => one.user_id)),
        more: found.length === MOVES_AT_ONCE,
      }
    },

    async ids(of) {
      const all = db.selectFrom('casework_records').select('id').where('kind', '=', 'watchlist').orderBy('id')
      if ('users' in of) return of.users.length === 0 ? [] : idsOf(await all.where('user_id', 'in', of.users).execute())
      const after = of.after === null ? all : all.where('id', '>', of.after)
      return idsOf(await after.limit(of.limit).execute())
    },

    async read(ids) {
      if (ids.length === 0) return []
      const lists = await listsOf(db, ids)
      const items = await db
        .selectFrom('casework_entries')
        .select(['record_id', 'id', 'content', 'created_at'])
        .where('record_id', 'in', ids)
        .where('kind', '=', 'item')
        .execute()
      const byList = Map.groupBy(items, (item) => item.record_id)
      return lists.map((list) => ({
        ...list,
        items: (byList.get(list.id) ?? []).map((item) => ({
          id: item.id,
          content: item.content as Content,
          createdAt: item.created_at.getTime(),
        })),
      }))
    },

    async earliest() {
      const { rows } = await sql<{ since: Date | null }>`
        SELECT min(${SINCE}) AS since FROM casework_records r JOIN casework_entries e ON e.record_id = r.id
        WHERE r.kind = 'watchlist' AND e.kind = 'item' AND r.content->>'enabled' IS DISTINCT FROM 'false'`.execute(db)
      return rows[0]!.since?.getTime() ?? null
    },

    async forgetMoves(before, limit) {
      const { rows } = await sql`
        DELETE FROM casework_watch_moves WHERE id IN (
          SELECT id FROM casework_watch_moves
          WHERE at < ${new Date(before)} AND id < (SELECT max(id) FROM casework_watch_moves)
          ORDER BY id LIMIT ${limit}) RETURNING 1`.execute(db)
      return rows.length
    },
  }
}

type ListRow = {
  id: string
  customer_id: string
  user_id: string
  enabled: boolean
  enabled_at: Date
  groups: string[] | null
  publicly: boolean
}

async function listsOf(db: Kysely<Tables>, ids: readonly string[]): Promise<Omit<WatchedList, 'items'>[]> {
  const { rows } = await sql<ListRow>`
    SELECT r.id, r.customer_id, r.user_id, r.content->>'enabled' IS DISTINCT FROM 'false' AS enabled,
      coalesce(r.enabled_at, r.created_at) AS enabled_at,
      CASE WHEN m.id IS NOT NULL AND NOT u.disabled THEN u.groups END AS groups,
      EXISTS (
        SELECT FROM alert_destinations d
        WHERE d.user_id = r.user_id AND d.customer_id = r.customer_id AND d.public_only
          AND (d.watchlists IS NULL OR r.id = ANY (d.watchlists))
      ) AS publicly
    FROM casework_records r
    LEFT JOIN users u ON u.id = r.user_id
    LEFT JOIN memberships m
      ON m.user_id = r.user_id AND m.customer_id = r.customer_id AND m.accepted_at IS NOT NULL
    WHERE r.kind = 'watchlist' AND r.id IN (${sql.join(ids)})`.execute(db)
  return rows.map(({ id, customer_id: customerId, user_id: userId, enabled, enabled_at: at, groups, publicly }) => ({
    id,
    owner: { customerId, userId },
    groups: groups === null ? null : readableGroups(ownGroups(groups, customerId)),
    enabledAt: enabled ? at.getTime() : null,
    publicly,
  }))
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]
