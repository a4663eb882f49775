/** The customer of a caller, read at each request: a membership that has just ended gives no access. */

import type { Team } from '../../../../connectors/postgres/team/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import type { MemberRole } from '../../../../schemas/accounts/team.ts'
import { ApiError } from '../../../http/errors.ts'

export type Member = { customerId: string; userId: string; role: MemberRole }

/** Throws 403 for a caller who belongs to no customer. */
export const memberOf =
  (team: Pick<Team, 'membership'>) =>
  async ({ userId }: Identity): Promise<Member> => {
    const membership = await team.membership(userId)
    if (membership === null) throw noMember()
    return { ...membership, userId }
  }

export const noMember = () => new ApiError('forbidden', { message: 'a membership of a customer is required' })
