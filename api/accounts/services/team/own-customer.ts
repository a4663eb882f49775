/** The customer of a caller, read at each request: a membership that has just ended gives no access. */

import type { Customer, Team } from '../../../../connectors/postgres/accounts/team/port.ts'
import { actsIn, type Identity } from '../../../../schemas/accounts/accounts.ts'
import type { MemberRole } from '../../../../schemas/accounts/team.ts'
import { ApiError } from '../../../http/errors.ts'

export type Member = { customerId: string; userId: string; role: MemberRole }

/** Who came, as far as it decides in which customer. */
type Comer = Pick<Identity, 'userId' | 'bounds'>

/** The membership that a caller uses: a key that was narrowed without the group of its customer has none (decisions 16.1). */
export const membershipOf =
  <M extends { customerId: string }>(memberships: { membership(userId: string): Promise<M | null> }) =>
  async (caller: Comer): Promise<M | null> => {
    const membership = await memberships.membership(caller.userId)
    return membership !== null && actsIn(caller, membership.customerId) ? membership : null
  }

/** Throws 403 for a caller who belongs to no customer. */
export function memberOf(team: Pick<Team, 'membership'>) {
  const own = membershipOf(team)
  return async (caller: Comer): Promise<Member> => {
    const membership = await own(caller)
    if (membership === null) throw noMember()
    return { ...membership, userId: caller.userId }
  }
}

export const noMember = () => new ApiError('forbidden', { message: 'a membership of a customer is required' })

/** The customer of the caller. Throws 404 for a caller without one. */
export function customerIdOf(team: Pick<Team, 'membership'>) {
  const own = membershipOf(team)
  return async (caller: Comer): Promise<string> => {
    const membership = await own(caller)
    if (membership === null) throw noCustomer()
    return membership.customerId
  }
}

export const noCustomer = () => new ApiError('not_found', { message: 'the caller is not a member of a customer' })

/** Throws 404 for none: it was deleted meanwhile. */
export function requireCustomer(customer: Customer | null): Customer {
  if (customer === null) throw new ApiError('not_found', { message: 'no such customer' })
  return customer
}
