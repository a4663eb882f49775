/** Subscriptions and their outbox over a database that a test has open. */

import { randomUUID } from 'node:crypto'
import { kyselyLedger } from '../../../connectors/postgres/accounts/plan/subscription-ledger.ts'
import { kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyOutbox } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { LifecycleEvent } from '../../../schemas/accounts/lifecycle.ts'
import { append, lifecycleIn } from '../lifecycle/events.ts'
import { newUser } from './accounts.ts'
import { newCustomer } from './team.ts'

const INSTANCES: Record<string, number> = { Free: 1, Pro: 5, Enterprise: -1 }

/** The event about a subscription as a consumer reads it. */
export function eventIn(bytes: Buffer | null): LifecycleEvent<'subscription.changed' | 'subscription.cancelled'> {
  const event = lifecycleIn(bytes)
  if (event.type === 'subscription.changed' || event.type === 'subscription.cancelled') return event
  throw new Error(`${event.type} is not about a subscription`)
}

export function billingOver(db: AccountsDatabase['db']) {
  return {
    append,
    outbox: kyselyOutbox(db),
    ledger: kyselyLedger({ db, append, maxInstances: (tier) => INSTANCES[tier]! }),
  }
}

/** A customer with its owner, both new. */
export async function customerIn(db: AccountsDatabase['db']): Promise<{ id: string; ownerId: string }> {
  const accounts = kyselyAccounts(db, append)
  const owner = newUser()
  const id = randomUUID()
  await accounts.createUser(owner)
  await kyselyTeam(db).createCustomer(newCustomer(owner.id, { id }))
  return { id, ownerId: owner.id }
}
