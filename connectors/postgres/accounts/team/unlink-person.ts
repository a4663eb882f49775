/** A person at the issuer and its user part (ADR 229). */

import type { Transaction } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import { mapRights } from '../users/mapped-rights.ts'
import { lockMembership, mapMembership } from './mapped-membership.ts'

/**
 * The user is nobody's at the issuer from now on, and what a mapping gave it goes. False: it was nobody's before. Of a READ
 * COMMITTED transaction. Throws Moved where the membership changes in the same moment.
 */
export async function unlink(tx: Transaction<Tables>, userId: string): Promise<boolean> {
  const customers = await lockMembership(tx, userId, null)
  const gone = await tx.deleteFrom('sign_on_identities').where('user_id', '=', userId).returning('subject').execute()
  if (gone.length === 0) return false
  await mapRights(tx, userId, { roles: [], groups: [], membership: null })
  await mapMembership(tx, null, { userId, membershipId: '', now: 0, customers })
  return true
}
