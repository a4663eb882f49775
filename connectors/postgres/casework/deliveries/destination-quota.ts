/** How many destinations one user may have: they are counted, so there is no counter to keep (ADR 216). */

import type { Kysely } from 'kysely'
import { entryOf, type Tiers, tierOf, UNLIMITED } from '../../../../schemas/accounts/tiers/tiers.ts'
import { MAX_DESTINATIONS } from '../../../../schemas/casework/deliveries/destination.ts'
import type { Owner } from '../../../../schemas/casework/owner.ts'
import { holdMember, Refused } from '../../accounts/plan/member-quotas.ts'
import { countDestinations } from '../../accounts/plan/quota-store.ts'
import type { Tables } from '../../tables/tables.ts'

/** Holds the member and room for one more, until the transaction ends. Throws Refused: `no member`, `full`. */
export async function takeDestination(tx: Kysely<Tables>, tiers: Tiers, owner: Owner): Promise<void> {
  await holdMember(tx, owner)
  // One after the other: of two at once, the second counts the first.
  const user = tx.selectFrom('users').select('id').where('id', '=', owner.userId).forNoKeyUpdate()
  if ((await user.executeTakeFirst()) === undefined) throw new Refused('no member')
  const { tier } = await tx
    .selectFrom('customers')
    .select('tier')
    .where('id', '=', owner.customerId)
    .executeTakeFirstOrThrow()
  const { service, featureKey } = MAX_DESTINATIONS
  const cap = entryOf(tierOf(tiers, tier).tier.quotas, service, featureKey)?.value ?? 0
  if (cap !== UNLIMITED && (await countDestinations(tx, owner)) >= cap) throw new Refused('full')
}
