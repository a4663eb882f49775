/** The caller's own user record. */

import type { Team } from '../../../../connectors/postgres/accounts/team/port.ts'
import type { Accounts } from '../../../../connectors/postgres/accounts/users/port.ts'
import { type Identity, isNarrowedToGroups, type Role } from '../../../../schemas/accounts/accounts.ts'
import type { MemberRole } from '../../../../schemas/accounts/team.ts'
import { ApiError } from '../../../http/errors.ts'
import { membershipOf } from '../team/own-customer.ts'

export type Caller = {
  userID: string
  /** null: the administrator of the configuration, who has no account. */
  email: string | null
  fullName: string
  alias: string
  roles: Role[]
  /** All that the caller reads: assigned groups, that of its membership, and public. */
  groups: string[]
  /** Whether it is the administrator of the configuration. */
  administrator: boolean
  /** The customer whose membership it has accepted. */
  customer: { customerID: string; name: string; role: MemberRole } | null
  /** Memberships that wait for its yes, and give nothing until then. */
  invitations: { customerID: string; name: string; role: MemberRole }[]
  /** Whether it came with a session, rather than with a key pair. */
  session: boolean
}

/** Resolves to what the platform knows of the caller. Throws 401 when its account was deleted meanwhile. */
export function callers({ accounts, team }: { accounts: Pick<Accounts, 'user'>; team: Team }) {
  const own = membershipOf(team)
  async function customerOf(user: Identity): Promise<Caller['customer']> {
    const membership = await own(user)
    const customer = membership && (await team.customer(membership.customerId))
    // It may end between the two questions.
    return customer && { customerID: customer.id, name: customer.name, role: membership.role }
  }

  return async (user: Identity): Promise<Caller> => {
    const { userId, builtIn } = user
    const [account, customer, waiting] = await Promise.all([
      builtIn ? null : accounts.user(userId),
      customerOf(user),
      // A key that was narrowed to groups joins nothing.
      isNarrowedToGroups(user) ? [] : team.waiting(userId),
    ])
    if (account === null && !builtIn) throw new ApiError('unauthorized')
    return {
      userID: userId,
      email: account?.email ?? null,
      fullName: account?.fullName ?? '',
      alias: account?.alias ?? '',
      roles: [...user.roles],
      groups: [...user.groups],
      administrator: builtIn,
      customer,
      invitations: waiting.map(({ customerId, name, role }) => ({ customerID: customerId, name, role })),
      session: user.by?.kind === 'session',
    }
  }
}
