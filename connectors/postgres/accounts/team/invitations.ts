/** Invitations by mail: made within bounds, taken once by a user who reads the address that they went to (ADR 276). */

import { sql, type Transaction } from 'kysely'
import { type MemberRole, teamRefusal } from '../../../../schemas/accounts/team.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { aboutRole, factsOf, join, lockedCustomerOf } from './membership-changes.ts'
import { listedMemberships, lockCustomer } from './memberships.ts'
import type { Invitation, InvitationBounds, InvitationMail, TakenInvitation, Team } from './port.ts'
import { roleOf } from './team-rows.ts'
import { endInvitationsOf, endInvitationsTo } from './waiting-invitations.ts'

type Tx = Transaction<Tables>

/** As `Team.invite`. Must run in a READ COMMITTED transaction of its own. */
export async function invite(tx: Tx, given: Invitation, bounds: InvitationBounds): ReturnType<Team['invite']> {
  const customerId = await lockedCustomerOf(tx, given.caller)
  const refused = await inviteRefusal(tx, customerId, given.caller, given.role)
  if (customerId === null) return { refused: refused ?? 'no_customer' }
  if (refused !== null) return { refused }
  // Several customers may write to one address at the same moment.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`invitations to ${given.email}`}, 0))`.execute(tx)
  const recent = tx.selectFrom('invitations').select('id').where('created_at', '>', new Date(bounds.since))
  const ofCustomer = recent.where('customer_id', '=', customerId).limit(bounds.perCustomer)
  if ((await ofCustomer.execute()).length >= bounds.perCustomer) return { refused: 'too many' }
  const mails = await recent
    .where('email', '=', given.email)
    .where('mailed', '=', true)
    .limit(bounds.perEmail)
    .execute()
  aboutRole(given.role)
  const mail = await replace(tx, customerId, given, mails.length < bounds.perEmail)
  const row = {
    token_hash: given.tokenHash,
    customer_id: customerId,
    email: given.email,
    role: given.role,
    invited_by: given.caller,
    created_at: new Date(given.createdAt),
    expires_at: new Date(given.expiresAt),
    mailed: mail !== 'none',
    ended_at: null,
  }
  await tx.insertInto('invitations').values(row).execute()
  return { mail }
}

/** Of the invitations of a customer to one address, the last one alone is good. */
async function replace(tx: Tx, customerId: string, given: Invitation, mails: boolean): Promise<InvitationMail> {
  if (!mails) {
    // No other link comes: the one that is there gives what is offered now.
    await tx
      .updateTable('invitations')
      .set({ role: given.role, invited_by: given.caller })
      .where('customer_id', '=', customerId)
      .where('email', '=', given.email)
      .where('ended_at', 'is', null)
      .execute()
    return 'none'
  }
  const waiting = await tx
    .selectFrom('invitations')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('email', '=', given.email)
    .where('mailed', '=', true)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(given.createdAt))
    .executeTakeFirst()
  await endInvitationsTo(tx, customerId, given.email)
  return waiting === undefined ? 'first' : 'again'
}

/** As `Team.takeInvitation`. Must run in a READ COMMITTED transaction of its own. */
export async function takeInvitation(tx: Tx, taken: TakenInvitation) {
  const { tokenHash, userId, membershipId, now } = taken
  const there = tx.selectFrom('invitations').selectAll().where('token_hash', '=', tokenHash)
  const query = there.where('expires_at', '>', new Date(now)).where('mailed', '=', true).where('ended_at', 'is', null)
  const before = await query.executeTakeFirst()
  if (before === undefined || !(await lockCustomer(tx, before.customer_id))) return 'no invitation'
  // Asked again under the lock: it may have been taken, or taken back, meanwhile.
  const found = await query.executeTakeFirst()
  if (found === undefined) return 'no invitation'
  const addresses = await tx
    .selectFrom('emails')
    .select('address')
    .where('user_id', '=', userId)
    .where('verified', '=', true)
    .execute()
  if (!addresses.some(({ address }) => address.toLowerCase() === found.email)) return 'no invitation'
  // Who was removed, or is no admin any more, would come back by an invitation to another of its addresses.
  const offered = roleOf(found.role)
  if ((await inviteRefusal(tx, found.customer_id, found.invited_by, offered)) !== null) return 'no invitation'
  const here = await listedMemberships(tx)
    .select(['role', 'accepted_at'])
    .where('customer_id', '=', found.customer_id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // Who was invited by its id meanwhile accepts with its link, too, and keeps its role.
  const role = here === undefined ? offered : roleOf(here.role)
  const isMember = here !== undefined && here.accepted_at !== null
  const joining = { customerId: found.customer_id, userId, role, membershipId, acceptedAt: now }
  const refused = isMember ? null : await join(tx, joining)
  // It stays for who is refused: who leaves its own customer first takes it afterwards.
  if (refused === null) await endInvitationsOf(tx, found.customer_id, userId)
  return refused
}

/** Why a user may not invite to a customer now; null: the user may. */
async function inviteRefusal(tx: Tx, customerId: string | null, inviter: string, role: MemberRole) {
  const facts = await factsOf(tx, customerId, { caller: inviter, target: inviter })
  return teamRefusal({ kind: 'add', role }, { ...facts, own: false, target: null })
}
