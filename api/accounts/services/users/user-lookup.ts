/**
 * Finding a user by address or id. Strangers cannot find out which users exist (ADR 276): a caller finds itself, members
 * of its own customer who have accepted, and, as `auth_admin`, everybody. Everything else is one and the same 404.
 */

import type { Team } from '../../../../connectors/postgres/accounts/team/port.ts'
import type { Accounts, Emails, User } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { ApiError } from '../../../http/errors.ts'
import { noEarlier, ROWS_FLOOR_MS } from '../floor.ts'
import { membershipOf } from '../team/own-customer.ts'

export type UserLookup = {
  /** The user who has verified the address. Takes as long for an address that nobody has. */
  idByEmail(by: Identity, address: string): Promise<string>
  byId(by: Identity, id: string): Promise<User>
}

type Ports = {
  accounts: Pick<Accounts, 'user'>
  emails: Pick<Emails, 'ownerOf'>
  team: Pick<Team, 'membership'>
  now: () => number
  pause: (ms: number) => Promise<void>
}

export function userLookup({ accounts, emails, team, ...clock }: Ports): UserLookup {
  const mayFind = async (by: Identity, id: string): Promise<boolean> => {
    if (id === by.userId || by.roles.includes('auth_admin')) return true
    const [own, other] = await Promise.all([membershipOf(team)(by), team.membership(id)])
    return own !== null && own.customerId === other?.customerId
  }

  return {
    idByEmail: (by, address) =>
      noEarlier(clock, ROWS_FLOOR_MS, async () => {
        const id = await emails.ownerOf(address)
        if (id === null || !(await mayFind(by, id))) throw noSuchUser('email')
        return id
      }),
    async byId(by, id) {
      const user = (await mayFind(by, id)) ? await accounts.user(id) : null
      if (user === null) throw noSuchUser('id')
      return user
    },
  }
}

const noSuchUser = (param: string) => new ApiError('not_found', { message: 'no such user', param })
