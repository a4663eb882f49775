/**
 * Changes of memberships. Each locks its customer first and then what belongs to it, so that changes of one customer
 * happen one after the other, on whichever process (docs/adr/0083).
 */

import type { Transaction } from 'kysely'
import { type MemberRole, type TeamFacts, type TeamRefusal, teamRefusal } from '../../../schemas/accounts/team.ts'
import type { Tables } from '../tables/tables.ts'
import { liveMemberships, lockCustomer } from './live.ts'
import type { Appointment, ChangeRequest } from './port.ts'
import { roleOf } from './rows.ts'
import { endInvitationsBy, endInvitationsOf } from './waiting.ts'

type Tx = Transaction<Tables>

/** Decides on the facts under the lock and applies. Must run in a READ COMMITTED transaction of its own. */
export async function change(tx: Tx, request: ChangeRequest): Promise<TeamRefusal | null> {
  const customerId = await lockedCustomerOf(tx, request.caller)
  const refused = teamRefusal(request.change, await factsOf(tx, customerId, request))
  if (refused !== null || customerId === null) return refused
  const { caller, target, membershipId } = request
  const role = (userId: string, to: MemberRole) =>
    tx
      .updateTable('memberships')
      .set({ role: to })
      .where('customer_id', '=', customerId)
      .where('user_id', '=', userId)
      .execute()
  switch (request.change.kind) {
    case 'add':
      return join(tx, { customerId, userId: target, role: request.change.role, membershipId })
    case 'set':
      await role(target, request.change.role)
      if (request.change.role === 'user') await endInvitationsBy(tx, customerId, target)
      return null
    case 'transfer':
      await role(target, 'owner')
      await role(caller, 'admin')
      return null
    case 'remove':
    case 'leave':
      await end(tx, customerId, target)
      return null
  }
}

/** Ends a membership with the invitations that would outlive it: those that it sent, and those that bring it back. */
async function end(tx: Tx, customerId: string, userId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('customer_id', '=', customerId).where('user_id', '=', userId).execute()
  await endInvitationsBy(tx, customerId, userId)
  await endInvitationsOf(tx, customerId, userId)
}

/** As `Team.appoint`. Must run in a READ COMMITTED transaction of its own. */
export async function appoint(tx: Tx, appointment: Appointment) {
  return (await lockCustomer(tx, appointment.customerId)) ? join(tx, appointment) : 'no_customer'
}

/** As `Team.dismiss`. Must run in a READ COMMITTED transaction of its own. */
export async function dismiss(tx: Tx, customerId: string, userId: string) {
  if (!(await lockCustomer(tx, customerId))) return 'no_customer'
  const { target, owners } = await factsOf(tx, customerId, { caller: userId, target: userId })
  if (target === null) return 'not_a_member'
  if (target === 'owner' && owners <= 1) return 'last_owner'
  await end(tx, customerId, userId)
  return null
}

/** A membership of any other customer is a conflict: the first customer keeps the user. */
export async function join(
  tx: Tx,
  { membershipId, customerId, userId, role, acceptedAt = null }: Appointment & { acceptedAt?: number | null },
) {
  const user = await tx.selectFrom('users').select('id').where('id', '=', userId).forKeyShare().executeTakeFirst()
  if (user === undefined) return 'unknown_user'
  const made = await tx
    .insertInto('memberships')
    .values({
      id: membershipId,
      customer_id: customerId,
      user_id: userId,
      role,
      accepted_at: acceptedAt === null ? null : new Date(acceptedAt),
    })
    .onConflict((on) => on.column('user_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made === undefined ? 'already_member' : null
}

export async function lockedCustomerOf(tx: Tx, userId: string): Promise<string | null> {
  const query = liveMemberships(tx).select('customer_id').where('user_id', '=', userId)
  const row = await query.executeTakeFirst()
  return row !== undefined && (await lockCustomer(tx, row.customer_id)) ? row.customer_id : null
}

/** Checked under the lock: a caller who was removed while it waited is not a member any more. */
export async function factsOf(
  tx: Tx,
  customerId: string | null,
  { caller, target }: Pick<ChangeRequest, 'caller' | 'target'>,
): Promise<TeamFacts> {
  const own = caller === target
  if (customerId === null) return { caller: null, target: null, own, owners: 0 }
  const here = liveMemberships(tx).where('customer_id', '=', customerId)
  const rows = await here.select(['user_id', 'role']).where('user_id', 'in', [caller, target]).execute()
  const { owners } = await here
    .select((select) => select.fn.countAll<number>().as('owners'))
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  const roleHere = (userId: string): MemberRole | null => {
    const row = rows.find((one) => one.user_id === userId)
    return row === undefined ? null : roleOf(row.role)
  }
  return { caller: roleHere(caller), target: roleHere(target), own, owners }
}
