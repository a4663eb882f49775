/** Accounts and teams in one database in memory, and customers with people in every role. */

import { randomUUIDv7 } from 'node:crypto'
import type { NewCustomer, Team } from '../../../connectors/postgres/accounts/team/port.ts'
import { forgettingTeam, kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import { cachedAccounts, credentialCache } from '../../../connectors/postgres/accounts/users/credential-cache.ts'
import type { Accounts } from '../../../connectors/postgres/accounts/users/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { forgettingOffboarding, kyselyOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import type { CustomerOffboarding, UserOffboarding } from '../../../connectors/postgres/lifecycle/port.ts'
import { append } from '../lifecycle/events.ts'
import { memoryDatabase } from './database/memory-database.ts'
import { type Person, person } from './people.ts'

export type People = AccountsDatabase & {
  accounts: Accounts
  team: Team
  offboarding: UserOffboarding & CustomerOffboarding
}

/** As the platform wires them. */
export function peopleOf({ db, work, close }: AccountsDatabase): People {
  const cache = credentialCache(Date.now)
  const accounts = cachedAccounts({ ...kyselyAccounts(db, append), close }, Date.now, cache)
  const ends = kyselyOffboarding(db, { append, maxInstances: () => 1 })
  const offboarding = forgettingOffboarding(ends, cache.forget)
  return { db, work, close, accounts, team: forgettingTeam(kyselyTeam(db), cache.change), offboarding }
}

export const embeddedPeople = async (): Promise<People> => peopleOf(await memoryDatabase())

export const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }

export const newCustomer = (ownerId: string, given: Partial<NewCustomer> = {}): NewCustomer => ({
  id: randomUUIDv7(),
  name: 'Acme',
  email: 'billing@example.com',
  billingAddress: ADDRESS,
  tier: 'Free',
  createdAt: 1_700_000_000_000,
  ownerId,
  membershipId: randomUUIDv7(),
  ...given,
})

/** A customer with one owner, two admins and two users. */
export type Crew = Record<'owner' | 'admin' | 'admin2' | 'user' | 'user2', Person> & { customerId: string }

export async function crew({ accounts, team }: Pick<People, 'accounts' | 'team'>): Promise<Crew> {
  const owner = await person(accounts)
  const customer = newCustomer(owner.id)
  await team.createCustomer(customer)
  const joined = async (role: 'admin' | 'user') => {
    const member = await person(accounts)
    await team.appoint({ customerId: customer.id, userId: member.id, role, membershipId: randomUUIDv7() })
    return member
  }
  return {
    customerId: customer.id,
    owner,
    admin: await joined('admin'),
    admin2: await joined('admin'),
    user: await joined('user'),
    user2: await joined('user'),
  }
}
