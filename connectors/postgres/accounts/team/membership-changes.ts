/**
 * Changes of memberships. Each locks its customer first and then what belongs to it, so that changes of one customer
 * happen one after the other, on whichever process (docs/contribute/adr/0083).
 */

import type { Transaction } from 'kysely'
import { type MemberRole, type TeamFacts, type TeamRefusal, teamRefusal } from '../../../../schemas/accounts/team.ts'
import { detail } from '../../../../schemas/audit/details.ts'
import { aboutFound } from '../../core/port.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { acceptedMemberships, listedMemberships, lockCustomer } from './memberships.ts'
import type { Appointment, ChangeRequest, Consent } from './port.ts'
import { roleOf } from './team-rows.ts'
import { endInvitationsBy, endInvitationsOf } from './waiting-invitations.ts'

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
      // Who has the role already is not changed, and so not told to the audit log (decisions 16.2).
      .where('role', '<>', to)
      .execute()
  switch (request.change.kind) {
    case 'add':
      return inviteById(tx, { customerId, userId: target, role: request.change.role, membershipId })
    case 'set':
      aboutRole(request.change.role)
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

/** Which role a member gets, for the record of it (ADR 261). */
export const aboutRole = (role: MemberRole): void => aboutFound({ details: detail('roles', [role]) })

/** Ends a membership with the invitations that would outlive it: those that it sent, and those that bring it back. */
async function end(tx: Tx, customerId: string, userId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('customer_id', '=', customerId).where('user_id', '=', userId).execute()
  await endInvitationsBy(tx, customerId, userId)
  await endInvitationsOf(tx, customerId, userId)
}

/** As `Team.appoint`. Must run in a READ COMMITTED transaction of its own. */
export async function appoint(tx: Tx, appointment: Appointment) {
  if (!(await lockCustomer(tx, appointment.customerId))) return 'no_customer'
  aboutRole(appointment.role)
  return join(tx, { ...appointment, acceptedAt: Date.now() })
}

/** As `Team.dismiss`. Must run in a READ COMMITTED transaction of its own. */
export async function dismiss(tx: Tx, customerId: string, userId: string) {
  if (!(await lockCustomer(tx, customerId))) return 'no_customer'
  const { target, invited, owners } = await factsOf(tx, customerId, { caller: userId, target: userId })
  if (target === null) return 'not_a_member'
  if (target === 'owner' && !invited && owners <= 1) return 'last_owner'
  await end(tx, customerId, userId)
  return null
}

/** Invitations by id that wait for one user. */
export const MOST_WAITING = 100

/**
 * A membership that the user has not accepted, by its id: an invitation, also for a member of another customer. Whether
 * it is one is not told. Of more than a user can have, the oldest gives way: strangers cannot keep others from inviting.
 */
async function inviteById(tx: Tx, { membershipId, customerId, userId, role }: Appointment) {
  const user = await tx.selectFrom('users').select('id').where('id', '=', userId).forKeyShare().executeTakeFirst()
  if (user === undefined) return 'unknown_user'
  aboutRole(role)
  const made = await tx
    .insertInto('memberships')
    .values({ id: membershipId, customer_id: customerId, user_id: userId, role, accepted_at: null })
    .onConflict((on) => on.columns(['user_id', 'customer_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) return 'already_member'
  const waiting = tx
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .where('accepted_at', 'is', null)
  await tx.deleteFrom('memberships').where('id', 'in', waiting.orderBy('id', 'desc').offset(MOST_WAITING)).execute()
  return null
}

/**
 * The accepted membership of a user, in place of all that waits for it. A membership of any other customer is a conflict:
 * the first customer keeps the user. The customer must be locked; the user is, so that of two customers one gets it.
 */
export async function join(
  tx: Tx,
  { membershipId, customerId, userId, role, acceptedAt }: Appointment & { acceptedAt: number },
) {
  const user = await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().executeTakeFirst()
  if (user === undefined) return 'unknown_user'
  const there = acceptedMemberships(tx).select('id').where('user_id', '=', userId)
  if ((await there.executeTakeFirst()) !== undefined) return 'already_member'
  await endWaiting(tx, userId)
  await tx
    .insertInto('memberships')
    .values({ id: membershipId, customer_id: customerId, user_id: userId, role, accepted_at: new Date(acceptedAt) })
    .execute()
  return null
}

/** Accepting one ends the other invitations by id; those by mail are over when they are taken. */
export async function endWaiting(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('user_id', '=', userId).where('accepted_at', 'is', null).execute()
}

export async function lockedCustomerOf(tx: Tx, userId: string): Promise<string | null> {
  const query = acceptedMemberships(tx).select('customer_id').where('user_id', '=', userId)
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
  if (customerId === null) return { caller: null, target: null, invited: false, own, owners: 0 }
  const listed = listedMemberships(tx).where('customer_id', '=', customerId)
  const query = listed.select(['user_id', 'role', 'accepted_at']).where('user_id', 'in', [caller, target])
  const rows = await query.execute()
  const { owners } = await acceptedMemberships(tx)
    .where('customer_id', '=', customerId)
    .select((select) => select.fn.countAll<number>().as('owners'))
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  const [ofCaller, ofTarget] = [caller, target].map((userId) => rows.find((one) => one.user_id === userId))
  const roleHere = (row: typeof ofCaller): MemberRole | null => (row === undefined ? null : roleOf(row.role))
  return {
    // Who has not said yes may change nothing.
    caller: ofCaller?.accepted_at == null ? null : roleHere(ofCaller),
    target: roleHere(ofTarget),
    invited: ofTarget !== undefined && ofTarget.accepted_at === null,
    own,
    owners,
  }
}

/** As `Team.accept` (decisions 2.3). Must run in a READ COMMITTED transaction of its own. */
export async function accept(tx: Tx, userId: string, customerId: string | null, now: number): Promise<Consent> {
  const has = acceptedMemberships(tx).select('customer_id').where('user_id', '=', userId)
  const own = await has.executeTakeFirst()
  if (own !== undefined && (customerId ?? own.customer_id) === own.customer_id) return null
  const which = await onlyOne(tx, userId, customerId)
  if (typeof which === 'string') return which
  // In the order of every change of members: the customer, then the user.
  if (!(await lockCustomer(tx, which.customer_id))) return 'no membership'
  const there = await waitingOf(tx, userId).where('customer_id', '=', which.customer_id).executeTakeFirst()
  if (there === undefined) return 'no membership'
  const { id: membershipId, role } = there
  const joining = { membershipId, customerId: which.customer_id, userId, role: roleOf(role), acceptedAt: now }
  const refused = await join(tx, joining)
  if (refused !== null) return refused === 'already_member' ? refused : 'no membership'
  await endInvitationsOf(tx, which.customer_id, userId)
  return null
}

/** As `Team.decline`. Must run in a READ COMMITTED transaction of its own. */
export async function decline(tx: Tx, userId: string, customerId: string | null): Promise<Consent> {
  const which = await onlyOne(tx, userId, customerId)
  if (typeof which === 'string') return which
  await tx.deleteFrom('memberships').where('id', '=', which.id).where('accepted_at', 'is', null).execute()
  await endInvitationsOf(tx, which.customer_id, userId)
  return null
}

const waitingOf = (tx: Tx, userId: string) =>
  listedMemberships(tx)
    .select(['memberships.id', 'customer_id', 'role'])
    .where('user_id', '=', userId)
    .where('accepted_at', 'is', null)

/** The one that is named, or the only one that waits. */
async function onlyOne(tx: Tx, userId: string, customerId: string | null) {
  const all = waitingOf(tx, userId).$if(customerId !== null, (query) => query.where('customer_id', '=', customerId!))
  const [first, second] = await all.limit(2).execute()
  if (first === undefined) return 'no membership' as const
  return second === undefined ? first : ('several' as const)
}
