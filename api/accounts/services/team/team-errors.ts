/** Why a change of members was refused -> status, code and parameter (specification 7.2, decisions 6.6; ADR 276). */

import type { Consent } from '../../../../connectors/postgres/accounts/team/port.ts'
import type { MemberChange, TeamRefusal } from '../../../../schemas/accounts/team.ts'
import { ApiError, type ErrorCode } from '../../../http/errors.ts'

/** The field that names the target: members are removed by path and added or changed by body, all as `userID`. */
const TARGET = 'userID'

const refusals: Record<TeamRefusal, { code: ErrorCode; message: string; param?: string }> = {
  no_customer: { code: 'not_found', message: 'the caller is not a member of a customer' },
  not_permitted: { code: 'forbidden', message: 'the role of the caller does not allow this' },
  may_not_grant: { code: 'forbidden', message: 'role: an admin may grant only the role user', param: 'role' },
  outranked: { code: 'forbidden', message: `${TARGET}: has a higher role than the caller`, param: TARGET },
  own_role: { code: 'invalid_parameter', message: `${TARGET}: the caller cannot change its own role`, param: TARGET },
  own_transfer: {
    code: 'invalid_parameter',
    message: 'newOwnerUserID: is already the owner (the caller)',
    param: 'newOwnerUserID',
  },
  owner_not_assignable: {
    code: 'invalid_parameter',
    message: 'role: owner cannot be assigned; transfer the ownership instead',
    param: 'role',
  },
  already_member: {
    code: 'invalid_parameter',
    message: `${TARGET}: is already a member or invited`,
    param: TARGET,
  },
  not_a_member: { code: 'not_found', message: `${TARGET}: is not a member`, param: TARGET },
  last_owner: { code: 'last_owner', message: 'the last owner of a customer cannot be removed or demoted' },
  unknown_user: { code: 'invalid_parameter', message: `${TARGET}: no such user`, param: TARGET },
}

/** Removing a user who is not a member is a 400; changing its role or transferring ownership to it is a 404. */
export function changeError(refusal: TeamRefusal, change: MemberChange): ApiError {
  const { code, ...details } = refusals[refusal]
  if (refusal !== 'not_a_member') return new ApiError(code, details)
  if (change.kind === 'remove') return new ApiError('invalid_parameter', details)
  if (change.kind !== 'transfer') return new ApiError(code, details)
  return new ApiError(code, { message: 'newOwnerUserID: is not a member', param: 'newOwnerUserID' })
}

/** Why a yes or a no to a membership that waits had no effect (decisions 2.3). */
export function consentError(refusal: Exclude<Consent, null>): ApiError {
  if (refusal === 'no membership')
    return new ApiError('not_found', { message: 'no membership of such a customer waits for the caller' })
  const message =
    refusal === 'several'
      ? 'customerID: several memberships wait for the caller; name one'
      : 'the caller is already a member of another customer'
  return new ApiError('invalid_parameter', { message, param: 'customerID' })
}

/** The administration names a customer by path; what is there already is a conflict. */
export function appointmentError(refusal: 'no_customer' | 'already_member' | 'unknown_user'): ApiError {
  if (refusal === 'no_customer') return new ApiError('not_found', { message: 'no such customer', param: 'id' })
  const { message, param } = refusals[refusal]
  return new ApiError(refusal === 'already_member' ? 'conflict' : 'not_found', { message, param: param ?? TARGET })
}
