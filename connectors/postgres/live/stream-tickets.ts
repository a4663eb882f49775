/** Tickets of the socket as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, type Selectable, sql } from 'kysely'
import type { TicketCaller } from '../../../schemas/accounts/ticket-caller.ts'
import { KEY_COLUMNS, keyCredential, sessionCredential, usersWithRights } from '../accounts/users/user-rows.ts'
import { dropRows } from '../core/drop-rows.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { LiveTables } from '../tables/live-tables.ts'
import { FOREIGN_KEY_VIOLATION } from '../tables/refused.ts'
import type { LiveTickets } from './port.ts'

const SWEPT_AT_ONCE = 5_000

export function kyselyLiveTickets(db: Kysely<Tables>): LiveTickets {
  const users = usersWithRights(db)

  return {
    async issue({ ticketHash, caller, expiresAt }) {
      const { userId = null, id = null } = 'userId' in caller ? caller : {}
      const row = { caller_kind: caller.kind, user_id: userId, credential_id: id }
      try {
        const values = { ticket_hash: ticketHash, ...row, expires_at: new Date(expiresAt) }
        await db.insertInto('live_tickets').values(values).execute()
        return true
      } catch (error) {
        if ((error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION) return false
        throw error
      }
    },

    async redeem(ticketHash, now) {
      // Whoever deletes the row has redeemed the ticket; one that has ended goes as well.
      const row = await db
        .deleteFrom('live_tickets')
        .where('ticket_hash', '=', ticketHash)
        .returning(['caller_kind', 'user_id', 'credential_id', 'expires_at'])
        .executeTakeFirst()
      if (row === undefined || row.expires_at.getTime() <= now) return null
      const caller = callerOf(row)
      return caller && { caller, expiresAt: row.expires_at.getTime() }
    },

    async credential(caller) {
      if (caller.kind === 'session') {
        const row = await users
          .innerJoin('sessions as by', 'by.user_id', 'users.id')
          .select(['by.id', 'by.token_hash', 'by.expires_at', 'by.verified'])
          .where('by.id', '=', caller.id)
          .where('users.id', '=', caller.userId)
          .executeTakeFirst()
        return row === undefined ? null : sessionCredential(row, row.token_hash)
      }
      if (caller.kind !== 'key pair') return null
      const row = await users
        .innerJoin('key_pairs', 'key_pairs.user_id', 'users.id')
        .select(KEY_COLUMNS)
        .where('key_pairs.id', '=', caller.id)
        .where('users.id', '=', caller.userId)
        .executeTakeFirst()
      return row === undefined ? null : keyCredential(row)
    },

    sweep: (before) => {
      const where = sql`expires_at < ${new Date(before)}`
      return dropRows(db, { from: 'live_tickets', key: ['ticket_hash'], where, limit: SWEPT_AT_ONCE })
    },
  }
}

type CallerRow = Pick<Selectable<LiveTables['live_tickets']>, 'caller_kind' | 'user_id' | 'credential_id'>

/** null: of a kind that a newer version issued. */
function callerOf({ caller_kind: kind, user_id: userId, credential_id: id }: CallerRow): TicketCaller | null {
  if (kind === 'administrator' || kind === 'anonymous') return { kind }
  if (kind !== 'session' && kind !== 'key pair') return null
  return userId === null || id === null ? null : { kind, userId, id }
}
