/** The end of a user account. */

import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** How often a user may change customers under our hands before the deletion gives up. */
const TRIES = 5

/**
 * Deletes the user with keys, sessions and membership; a customer whose last owner it was ends with it (specification
 * 6): nobody could act for it. False: no such user. The customer is locked before the user, as every change of
 * memberships does.
 */
export async function deleteUser(db: Kysely<Tables>, id: string): Promise<boolean> {
  for (let tried = 0; tried < TRIES; tried++) {
    const done = await db
      .transaction()
      .setIsolationLevel('read committed')
      .execute((tx) => deleted(tx, id))
    if (done !== 'moved') return done
  }
  throw new Error(`user ${id} kept changing customers while it was being deleted`)
}

async function deleted(tx: Transaction<Tables>, id: string): Promise<boolean | 'moved'> {
  const membership = () =>
    tx.selectFrom('memberships').select('customer_id').where('user_id', '=', id).executeTakeFirst()
  const customerId = (await membership())?.customer_id
  if (customerId !== undefined) {
    await tx.selectFrom('customers').select('id').where('id', '=', customerId).forUpdate().execute()
  }
  // Joining takes a share of this lock, so the membership is settled from here on.
  const user = await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (user === undefined) return false
  if ((await membership())?.customer_id !== customerId) return 'moved'
  await tx.deleteFrom('users').where('id', '=', id).execute()
  if (customerId !== undefined) await deleteUnowned(tx, customerId)
  return true
}

const deleteUnowned = (tx: Transaction<Tables>, customerId: string) =>
  tx
    .deleteFrom('customers')
    .where('id', '=', customerId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships').select('id').where('customer_id', '=', customerId).where('role', '=', 'owner'),
        ),
      ),
    )
    .execute()
