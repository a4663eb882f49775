/** Alerts as their user reads and handles them. */

import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { ALERT_STATES, MAX_UNREAD } from '../../../../schemas/casework/alert.ts'
import { ITEM_KINDS } from '../../../../schemas/casework/casework.ts'
import type { ReadState } from '../../../../schemas/casework/owner.ts'
import { holdMember, refusable } from '../../accounts/plan/member-quotas.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { CaseworkTables } from '../../tables/casework-tables.ts'
import { kindOf } from '../casework-rows.ts'
import type { AlertReads } from '../port.ts'
import type { Alert, AlertInbox, AlertReader } from './port.ts'

export function kyselyAlertInbox(db: Kysely<Tables>): AlertInbox {
  return {
    async list(reader, { limit, before, unread, state }) {
      const after = before === null ? sql`true` : await afterAlert(db, reader, before)
      if (after === null) return 'no alert'
      const rows = await alertsOf(db, reader)
        .selectAll('a')
        .select(isUnread(reader).as('unread'))
        .where(sql<boolean>`${after}`)
        .$if(unread, (query) => query.where(isUnread(reader)))
        .$if(state !== null, (query) => query.where('a.state', '=', state))
        .orderBy('a.created_at', 'desc')
        .orderBy('a.id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(alertOf)
    },

    async unread(reader) {
      const some = alertsOf(db, reader).select('a.id').where(isUnread(reader)).limit(MAX_UNREAD)
      const { rows } = await sql<{ unread: number }>`SELECT count(*)::int AS unread FROM (${some}) AS u`.execute(db)
      return rows[0]!.unread
    },

    markRead: (reader, until, now) =>
      refusable<ReadState, 'no member'>(db, async (tx) => {
        await holdMember(tx, reader)
        const newest = alertsOf(tx, reader).select(({ fn }) => fn.max('a.last_at').as('at'))
        const moment = until === null ? sql<Date | null>`(${newest})` : sql<Date>`${new Date(until)}::timestamptz`
        const row = await tx
          .insertInto('casework_alert_reads')
          .values({
            customer_id: reader.customerId,
            user_id: reader.userId,
            read_until: moment,
            read_ids: [],
            updated_at: new Date(now),
          })
          .onConflict((known) =>
            known
              .columns(['customer_id', 'user_id'])
              .doUpdateSet({ read_until: sql`greatest(casework_alert_reads.read_until, excluded.read_until)` }),
          )
          .returning(['read_until', 'read_ids'])
          .executeTakeFirstOrThrow()
        return { readUntil: row.read_until?.getTime() ?? null, read: row.read_ids }
      }),

    async change(reader, id, { state, note, assignee }) {
      const set = {
        ...(state === undefined ? {} : { state }),
        ...(note === undefined ? {} : { note }),
        ...(assignee === undefined ? {} : { assignee }),
      }
      const row = await db
        .updateTable('casework_alerts as a')
        .set(set)
        .where('a.id', 'in', alertsOf(db, reader).select('a.id').where('a.id', '=', id))
        .returningAll('a')
        .returning(isUnread(reader).as('unread'))
        .executeTakeFirst()
      return row === undefined ? null : alertOf(row)
    },
  }
}

/** What the reader has and may still read. */
const alertsOf = (db: Kysely<Tables>, { customerId, userId, groups }: AlertReader) =>
  db
    .selectFrom('casework_alerts as a')
    .where('a.user_id', '=', userId)
    .where('a.customer_id', '=', customerId)
    .where(sql<boolean>`a.readable_by && ${groups}::text[] AND a.needs <@ ${groups}::text[]`)

/** null: the reader has no such alert. */
async function afterAlert(db: Kysely<Tables>, reader: AlertReader, id: string): Promise<RawBuilder<boolean> | null> {
  const row = await alertsOf(db, reader).select('a.created_at').where('a.id', '=', id).executeTakeFirst()
  return row === undefined ? null : sql`(a.created_at, a.id) < (${row.created_at}, ${id}::uuid)`
}

/** After the watermark; one that was read by itself is unread again once it repeats. */
const isUnread = ({ customerId, userId }: AlertReader) => sql<boolean>`NOT EXISTS (
  SELECT FROM casework_alert_reads AS r
  WHERE r.customer_id = ${customerId} AND r.user_id = ${userId}
    AND (a.last_at <= r.read_until OR (a.id = ANY (r.read_ids) AND a.last_at <= r.updated_at)))`

const alertOf = (row: Selectable<CaseworkTables['casework_alerts']> & { unread: boolean }): Alert => ({
  id: row.id,
  watchlistId: row.watchlist_id,
  itemId: row.item_id,
  entityId: row.entity_id,
  entityType: row.entity_type,
  entityValue: row.entity_value,
  reputation: row.reputation,
  matchedKind: kindOf(ITEM_KINDS, row.matched_kind),
  matchedOn: row.matched_on,
  count: row.count,
  createdAt: row.created_at.getTime(),
  lastAt: row.last_at.getTime(),
  withdrawnAt: row.withdrawn_at?.getTime() ?? null,
  state: kindOf(ALERT_STATES, row.state),
  assignee: row.assignee,
  note: row.note,
  unread: row.unread,
})

/** Which alerts an analyst has read. */
export function kyselyAlertReads(db: Kysely<Tables>): AlertReads {
  return {
    async of({ customerId, userId }) {
      const row = await db
        .selectFrom('casework_alert_reads')
        .select(['read_until', 'read_ids'])
        .where('customer_id', '=', customerId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return { readUntil: row?.read_until?.getTime() ?? null, read: row?.read_ids ?? [] }
    },

    store: (owner, { readUntil, read }, now) =>
      refusable<'stored', 'no member'>(db, async (tx) => {
        await holdMember(tx, owner)
        const state = {
          read_until: readUntil === null ? null : new Date(readUntil),
          read_ids: sql<string[]>`${read}::uuid[]`,
          updated_at: new Date(now),
        }
        await tx
          .insertInto('casework_alert_reads')
          .values({ customer_id: owner.customerId, user_id: owner.userId, ...state })
          .onConflict((known) => known.columns(['customer_id', 'user_id']).doUpdateSet(state))
          .execute()
        return 'stored'
      }),
  }
}
