/** Quotas of what members make, in the transaction that makes it or ends it. */

import { type Kysely, sql } from 'kysely'
import type { Tiers } from '../../../../schemas/accounts/tiers/tiers.ts'
import type { Owner } from '../../../../schemas/casework/owner.ts'
import type { Tables } from '../../tables/all-tables.ts'
import { acceptedMemberships } from '../team/memberships.ts'
import type { Quota } from './port.ts'
import { kyselyQuotas } from './quota-store.ts'

/** Rolls back a transaction for a reason that is an answer. */
export class Refused<Reason extends string> extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason)
    this.name = 'Refused'
    this.reason = reason
  }
}

/**
 * The member stays one until the transaction ends: whoever changes memberships or ends the customer locks its row. So
 * clean-up after such an end finds everything that was made before. Throws Refused.
 */
export async function holdMember(tx: Kysely<Tables>, { customerId, userId }: Owner): Promise<void> {
  await holdCustomer(tx, customerId, 'share')
  const row = await acceptedMemberships(tx)
    .select('id')
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) throw new Refused('no member')
}

/** Holds the member and takes one of the quota. Throws Refused: `no member`, `full`. */
export async function takeAsMember(tx: Kysely<Tables>, tiers: Tiers, owner: Owner, quota: Quota): Promise<void> {
  await holdMember(tx, owner)
  const answer = await kyselyQuotas(tx, tiers).take(owner.customerId, quota, 1)
  if (answer === null) throw new Refused('no member')
  if (!answer.taken) throw new Refused('full')
}

/**
 * `share`: beside others that make or end one thing. `update`: alone, so that things can be counted and the counter set.
 * A customer that is gone is nothing to hold.
 */
export async function holdCustomer(tx: Kysely<Tables>, customerId: string, mode: 'share' | 'update'): Promise<void> {
  const lock = mode === 'share' ? sql`FOR SHARE` : sql`FOR UPDATE`
  await sql`SELECT id FROM customers WHERE id = ${customerId} ${lock}`.execute(tx)
}

/** Runs one such transaction; what was refused in it resolves to its reason. */
export async function refusable<T, Reason extends string>(
  db: Kysely<Tables>,
  work: (tx: Kysely<Tables>) => Promise<T>,
): Promise<T | Reason> {
  try {
    return await db.transaction().setIsolationLevel('read committed').execute(work)
  } catch (error) {
    if (error instanceof Refused) return error.reason as Reason
    throw error
  }
}
