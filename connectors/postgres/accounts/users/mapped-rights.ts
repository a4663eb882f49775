/** Roles and groups that a mapping gives a user, beside those that were given by hand (ADR 229). */

import type { Transaction } from 'kysely'
import type { MappedRights } from '../../../../schemas/accounts/sign-on/mapping.ts'
import type { Tables } from '../../tables/tables.ts'

/** What the claims give now, in place of what they gave before. */
export async function mapRights(
  tx: Transaction<Tables>,
  userId: string,
  { roles, groups }: MappedRights,
): Promise<void> {
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
