/** Subscriptions and their outbox over a database that a test has open. */

import { randomUUID } from 'node:crypto'
import { kyselyAccounts } from '../../connectors/accounts/kysely/accounts.ts'
import type { AccountsDatabase } from '../../connectors/accounts/kysely/tables.ts'
import { appendEvents } from '../../connectors/outbox/append.ts'
import { kyselyOutbox } from '../../connectors/outbox/kysely.ts'
import { kyselyLedger } from '../../connectors/payments/kysely.ts'
import type { Cause } from '../../connectors/payments/port.ts'
import { kyselyTeam } from '../../connectors/team/kysely/team.ts'
import { decoder, encoder } from '../../schemas/codec.ts'
import { type LifecycleEvent, lifecycleRecord } from '../../schemas/lifecycle.ts'
import { records } from '../../schemas/records.ts'
import { newUser } from './accounts.ts'
import { newCustomer } from './team.ts'

const INSTANCES: Record<string, number> = { Free: 1, Pro: 5, Enterprise: -1 }

type Stored = ReturnType<typeof lifecycleRecord>

const encode = encoder<Stored>(records.lifecycle, 1)
const decode = decoder<Stored>(records.lifecycle, () => records.lifecycle)

/** The event as a consumer reads it. */
export function eventIn(bytes: Buffer | null): LifecycleEvent {
  const decoded = decode(bytes ?? Buffer.alloc(0))
  if (!decoded.ok) throw new Error(decoded.reason)
  const { id, type, time, actor, subject, data } = decoded.record
  return { id, type, time, actor: { ...actor }, subject: { ...subject }, data: JSON.parse(data) } as LifecycleEvent
}

export function billingOver(db: AccountsDatabase['db']) {
  const append = appendEvents((event) => encode(lifecycleRecord(event)))
  return {
    append,
    outbox: kyselyOutbox(db),
    ledger: kyselyLedger({ db, append, maxInstances: (tier) => INSTANCES[tier]! }),
  }
}

export const cause = (given: Partial<Cause> = {}): Cause => ({
  id: randomUUID(),
  actor: { userID: randomUUID(), kind: 'admin' },
  now: 1_800_000_000_000,
  ...given,
})

/** A customer with its owner, both new. */
export async function customerIn(db: AccountsDatabase['db']): Promise<{ id: string; ownerId: string }> {
  const accounts = kyselyAccounts(db)
  const owner = newUser()
  const id = randomUUID()
  await accounts.createUser(owner)
  await kyselyTeam(db).createCustomer(newCustomer(owner.id, { id }))
  return { id, ownerId: owner.id }
}
