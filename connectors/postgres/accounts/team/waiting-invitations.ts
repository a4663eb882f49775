/** Invitations that wait: listed, taken back, and ended with what made them good (ADR 276). */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables/all-tables.ts'
import { lockCustomer } from './memberships.ts'
import type { Paging, WaitingInvitation } from './port.ts'
import { roleOf } from './team-rows.ts'

type Db = Kysely<Tables>

/** As `Team.invitations`. A deleted user has invited nobody. */
export async function waitingInvitations(db: Db, customerId: string, { page, limit }: Paging, now: number) {
  const newest = db
    .selectFrom('invitations')
    .distinctOn('email')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(now))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('users').select('users.id').whereRef('users.id', '=', 'invitations.invited_by')),
    )
    .orderBy('email')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .as('newest')
  const query = db.selectFrom(newest).selectAll().orderBy('created_at', 'desc').orderBy('id')
  const rows = await query
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { items } = await db
    .selectFrom(newest)
    .select((s) => s.fn.countAll<number>().as('items'))
    .executeTakeFirstOrThrow()
  const invitations = rows.map(
    (row): WaitingInvitation => ({
      id: row.id,
      email: row.email,
      role: roleOf(row.role),
      invitedBy: row.invited_by,
      createdAt: row.created_at.getTime(),
      expiresAt: row.expires_at.getTime(),
    }),
  )
  return { invitations, items }
}

/** As `Team.withdrawInvitation`. Must run in a READ COMMITTED transaction of its own: nobody takes it meanwhile. */
export async function withdrawInvitation(tx: Db, customerId: string, id: string, now: number): Promise<boolean> {
  if (!(await lockCustomer(tx, customerId))) return false
  const addressed = tx
    .selectFrom('invitations')
    .select('email')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(now))
  const ended = await ending(tx, customerId).where('email', 'in', addressed).returning('id').executeTakeFirst()
  return ended !== undefined
}

/** Ends what the customer has sent to an address. */
export async function endInvitationsTo(db: Db, customerId: string, email: string): Promise<void> {
  await ending(db, customerId).where('email', '=', email).execute()
}

/** Ends what the customer has sent to the addresses of a user: a link that is left would bring it back once it is gone. */
export async function endInvitationsOf(db: Db, customerId: string, userId: string): Promise<void> {
  await ending(db, customerId)
    .where('email', 'in', (from) =>
      from
        .selectFrom('emails')
        .select(sql<string>`lower(address)`.as('address'))
        .where('user_id', '=', userId)
        .where('verified', '=', true),
    )
    .execute()
}

/** Ends what a member has sent, who may not invite any more. */
export async function endInvitationsBy(db: Db, customerId: string, userId: string): Promise<void> {
  await ending(db, customerId).where('invited_by', '=', userId).execute()
}

const ending = (db: Db, customerId: string) =>
  db
    .updateTable('invitations')
    .set({ ended_at: sql<Date>`now()` })
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
