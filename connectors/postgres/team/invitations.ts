/** Invitations by mail: made within bounds, taken once by a user who reads the address that they went to (ADR 171). */

import type { Transaction } from 'kysely'
import { type MemberRole, type TeamRefusal, teamRefusal } from '../../../schemas/accounts/team.ts'
import type { Tables } from '../tables/tables.ts'
import { factsOf, join, lockCustomer, lockedCustomerOf } from './changes.ts'
import type { Invitation, InvitationBounds, TakenInvitation } from './port.ts'
import { roleOf } from './rows.ts'

type Tx = Transaction<Tables>

/** As `Team.invite`. Must run in a READ COMMITTED transaction of its own. */
export async function invite(
  tx: Tx,
  given: Invitation,
  bounds: InvitationBounds,
): Promise<TeamRefusal | 'too many' | 'silent' | null> {
  const customerId = await lockedCustomerOf(tx, given.caller)
  const refused = await inviteRefusal(tx, customerId, given.caller, given.role)
  if (refused !== null || customerId === null) return refused
  const since = (by: 'customer_id' | 'email', value: string) =>
    tx
      .selectFrom('invitations')
      .select('token_hash')
      .where(by, '=', value)
      .where('created_at', '>', new Date(bounds.since))
  if ((await since('customer_id', customerId).limit(bounds.perCustomer).execute()).length >= bounds.perCustomer)
    return 'too many'
  if ((await since('email', given.email).limit(bounds.perEmail).execute()).length >= bounds.perEmail) return 'silent'
  const row = {
    token_hash: given.tokenHash,
    customer_id: customerId,
    email: given.email,
    role: given.role,
    invited_by: given.caller,
    created_at: new Date(given.createdAt),
    expires_at: new Date(given.expiresAt),
  }
  await tx.insertInto('invitations').values(row).execute()
  return null
}

/** As `Team.takeInvitation`. Must run in a READ COMMITTED transaction of its own. */
export async function takeInvitation(tx: Tx, taken: TakenInvitation) {
  const { tokenHash, userId, membershipId, now } = taken
  const there = tx.selectFrom('invitations').selectAll().where('token_hash', '=', tokenHash)
  const query = there.where('expires_at', '>', new Date(now))
  const before = await query.executeTakeFirst()
  if (before === undefined || !(await lockCustomer(tx, before.customer_id))) return 'no invitation'
  // Asked again under the lock: it may have been taken meanwhile.
  const found = await query.executeTakeFirst()
  if (found === undefined) return 'no invitation'
  const addresses = await tx
    .selectFrom('emails')
    .select('address')
    .where('user_id', '=', userId)
    .where('verified', '=', true)
    .execute()
  if (!addresses.some(({ address }) => address.toLowerCase() === found.email)) return 'no invitation'
  const role = roleOf(found.role)
  // Who was removed, or is no admin any more, would come back by an invitation to another of its addresses.
  if ((await inviteRefusal(tx, found.customer_id, found.invited_by, role)) !== null) return 'no invitation'
  const refused = await join(tx, { customerId: found.customer_id, userId, role, membershipId, acceptedAt: now })
  // It stays for who is refused: who leaves its own customer first takes it afterwards.
  if (refused === null) await tx.deleteFrom('invitations').where('token_hash', '=', tokenHash).execute()
  return refused
}

/** Why somebody may not invite to a customer, now; null: it may. */
async function inviteRefusal(tx: Tx, customerId: string | null, inviter: string, role: MemberRole) {
  const facts = await factsOf(tx, customerId, { caller: inviter, target: inviter })
  return teamRefusal({ kind: 'add', role }, { ...facts, own: false, target: null })
}
