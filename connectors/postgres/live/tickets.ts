/** Tickets of the socket as SQL, the same on PostgreSQL and on the embedded one. */

import { type Kysely, type Selectable, sql } from 'kysely'
import type { TicketCaller } from '../../../schemas/accounts/ticket-caller.ts'
import { credential } from '../accounts/rows.ts'
import type { LiveTables } from '../tables/live.ts'
import { FOREIGN_KEY_VIOLATION } from '../tables/refused.ts'
import type { Tables } from '../tables/tables.ts'
import type { LiveTickets } from './port.ts'

const SWEPT_AT_ONCE = 5_000

export function kyselyLiveTickets(db: Kysely<Tables>): LiveTickets {
  const users = db
    .selectFrom('users')
    .leftJoin('memberships', 'memberships.user_id', 'users.id')
    .select(['users.id as user_id', 'users.roles', 'users.groups', 'users.disabled'])
    .select(['memberships.customer_id', 'memberships.accepted_at'])

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
      return row === undefined || row.expires_at.getTime() <= now ? null : callerOf(row)
    },

    async credential(caller) {
      if (caller.kind === 'session') {
        const row = await users
          .innerJoin('sessions as by', 'by.user_id', 'users.id')
          .select(['by.token_hash', 'by.expires_at', 'by.verified'])
          .where('by.id', '=', caller.id)
          .where('users.id', '=', caller.userId)
          .executeTakeFirst()
        return row === undefined ? null : credential(row, row.token_hash, { kind: 'session', id: caller.id })
      }
      if (caller.kind !== 'key pair') return null
      const row = await users
        .innerJoin('key_pairs as by', 'by.user_id', 'users.id')
        .select(['by.secret_hash', 'by.expires_at', 'by.verified'])
        .where('by.id', '=', caller.id)
        .where('users.id', '=', caller.userId)
        .executeTakeFirst()
      return row === undefined ? null : credential(row, row.secret_hash, { kind: 'key pair', id: caller.id })
    },

    async sweep(before) {
      const { rows } = await sql`
        DELETE FROM live_tickets WHERE ticket_hash IN (
          SELECT ticket_hash FROM live_tickets WHERE expires_at < ${new Date(before)}
          LIMIT ${sql.lit(SWEPT_AT_ONCE)} FOR UPDATE SKIP LOCKED
        ) RETURNING 1`.execute(db)
      return rows.length
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
