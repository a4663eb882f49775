/** What single sign-on gives a user and takes away (ADR 276). What was given by hand is never touched. */

import type { Transaction } from 'kysely'
import type { MappedMembership, MappedRights } from '../../../../schemas/accounts/sign-on/mapping.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { join } from '../team/membership-changes.ts'
import { acceptedMemberships, lockCustomer } from '../team/memberships.ts'

type Tx = Transaction<Tables>

/** A membership changed under our hands: the transaction has to begin again. */
export class Moved extends Error {}

/**
 * Locks the customers that a change of the mapped membership may concern, in one order, and then the user: as every change
 * of memberships does. Resolves to those that exist. A change of the membership from then on waits.
 */
export async function lockMembership(tx: Tx, userId: string, wanted: string | null): Promise<ReadonlySet<string>> {
  const current = await customerOf(tx, userId)
  const ids = [...new Set([current, wanted].filter((id) => id !== null))].sort()
  const locked = new Set<string>()
  for (const id of ids) if (await lockCustomer(tx, id)) locked.add(id)
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const now = await customerOf(tx, userId)
  if (now !== null && !ids.includes(now)) throw new Moved()
  return locked
}

async function customerOf(tx: Tx, userId: string): Promise<string | null> {
  const row = acceptedMemberships(tx).select('customer_id').where('user_id', '=', userId)
  return (await row.executeTakeFirst())?.customer_id ?? null
}

type Given = { userId: string; membershipId: string; now: number; customers: ReadonlySet<string> }

/** Makes the mapped membership of a user what its claims say now, under the locks of `lockMembership`. */
export async function mapMembership(tx: Tx, wanted: MappedMembership | null, given: Given) {
  const current = await acceptedMemberships(tx)
    .leftJoin('mapped_memberships as mapped', 'mapped.membership_id', 'memberships.id')
    .select(['memberships.id', 'memberships.customer_id', 'memberships.role', 'mapped.role as mapped_role'])
    .where('memberships.user_id', '=', given.userId)
    .executeTakeFirst()
  // A role that somebody changed by hand, to owner too, makes the membership one by hand.
  const isMapped = current !== undefined && current.mapped_role === current.role
  if (current !== undefined && !isMapped) {
    await tx.deleteFrom('mapped_memberships').where('membership_id', '=', current.id).execute()
    return wanted === null || wanted.customerId === current.customer_id ? null : ('member of another customer' as const)
  }
  if (current !== undefined && current.customer_id === wanted?.customerId) {
    const { role } = wanted
    await tx.updateTable('memberships').set({ role }).where('id', '=', current.id).execute()
    await tx.updateTable('mapped_memberships').set({ role }).where('membership_id', '=', current.id).execute()
    return null
  }
  if (current !== undefined) await tx.deleteFrom('memberships').where('id', '=', current.id).execute()
  if (wanted === null) return null
  const { customerId, role } = wanted
  if (!given.customers.has(customerId)) return 'no such customer' as const
  const { userId, membershipId, now } = given
  await join(tx, { customerId, userId, role, membershipId, acceptedAt: now })
  await tx.insertInto('mapped_memberships').values({ membership_id: membershipId, role }).execute()
  return null
}

/** The roles and groups that the claims give now, in place of those that they gave before. */
export async function mapRights(tx: Tx, userId: string, { roles, groups }: MappedRights): Promise<void> {
  if (roles.length + groups.length === 0) {
    await tx.deleteFrom('mapped_rights').where('user_id', '=', userId).execute()
    return
  }
  await tx
    .insertInto('mapped_rights')
    .values({ user_id: userId, roles, groups })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ roles, groups }))
    .execute()
}

/**
 * The user is nobody's at the issuer from now on, and what a mapping gave it goes. False: it was nobody's before. Of a READ
 * COMMITTED transaction. Throws Moved where the membership changes in the same moment.
 */
export async function unlink(tx: Tx, userId: string): Promise<boolean> {
  const customers = await lockMembership(tx, userId, null)
  const gone = await tx.deleteFrom('sign_on_identities').where('user_id', '=', userId).returning('subject').execute()
  if (gone.length === 0) return false
  await mapRights(tx, userId, { roles: [], groups: [], membership: null })
  await mapMembership(tx, null, { userId, membershipId: '', now: 0, customers })
  return true
}
