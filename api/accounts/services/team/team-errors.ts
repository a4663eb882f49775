/** Why a change of members was refused -> status, code and parameter (specification 7.2, decisions 6.6). */

import type { MemberChange, TeamRefusal } from '../../../../schemas/accounts/team.ts'
import { ApiError, type ErrorCode } from '../../../http/errors.ts'

/** The field that names the target: members are removed by path and added or changed by body, all as `userID`. */
const TARGET = 'userID'

const refusals: Record<TeamRefusal, { code: ErrorCode; message: string; param?: string }> = {
  no_customer: { code: 'not_found', message: 'the caller belongs to no customer' },
  not_permitted: { code: 'forbidden', message: 'the caller has no role that allows it' },
  may_not_grant: { code: 'forbidden', message: 'role: an admin may grant user only', param: 'role' },
  outranked: { code: 'forbidden', message: `${TARGET}: has a higher role than the caller`, param: TARGET },
  own_role: { code: 'invalid_parameter', message: `${TARGET}: nobody changes their own role`, param: TARGET },
  own_transfer: {
    code: 'invalid_parameter',
    message: 'newOwnerUserID: is the caller',
    param: 'newOwnerUserID',
  },
  owner_not_assignable: {
    code: 'invalid_parameter',
    message: 'role: owner is not assigned but transferred',
    param: 'role',
  },
  already_member: {
    code: 'invalid_parameter',
    message: `${TARGET}: belongs to a customer already`,
    param: TARGET,
  },
  not_a_member: { code: 'not_found', message: `${TARGET}: is not a member`, param: TARGET },
  last_owner: { code: 'last_owner', message: 'a customer keeps its last owner' },
  unknown_user: { code: 'invalid_parameter', message: `${TARGET}: no such user`, param: TARGET },
}

/** Removing somebody who is no member is a 400, changing or making them owner a 404. */
export function changeError(refusal: TeamRefusal, change: MemberChange): ApiError {
  const { code, ...details } = refusals[refusal]
  if (refusal !== 'not_a_member') return new ApiError(code, details)
  if (change.kind === 'remove') return new ApiError('invalid_parameter', details)
  if (change.kind !== 'transfer') return new ApiError(code, details)
  return new ApiError(code, { message: 'newOwnerUserID: is not a member', param: 'newOwnerUserID' })
}

/** The administration names a customer by path; what is there already is a conflict. */
export function appointmentError(refusal: 'no_customer' | 'already_member' | 'unknown_user'): ApiError {
  if (refusal === 'no_customer') return new ApiError('not_found', { message: 'no such customer', param: 'id' })
  const { message, param } = refusals[refusal]
  return new ApiError(refusal === 'already_member' ? 'conflict' : 'not_found', { message, param: param ?? TARGET })
}
