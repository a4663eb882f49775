import { isRestricted, type Marking } from '../../../../connectors/feeds/parse/marking.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { canonicalAudience, PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import { ApiError } from '../../../http/errors.ts'
import { audienceOf } from '../../../intelligence/services/report/submitter.ts'

/**
 * Who may read what an object says: the default audience of whoever posts it, without everybody where its marking is above
 * GREEN (decisions 15.2). null: nobody is left. Throws 403 when the poster has no default audience: an envelope names none.
 */
export function audiences(user: Identity): (marking: Marking | undefined) => string[] | null {
  if (user.ownGroups.length === 0)
    throw new ApiError('forbidden', { message: 'the caller belongs to no group that could read the report' })
  const usual = audienceOf(user, undefined)
  const own = user.ownGroups.filter((group) => group !== PUBLIC)
  const narrowed = usual.includes(PUBLIC) ? (own.length === 0 ? null : canonicalAudience(own)) : usual
  return (marking) => (isRestricted(marking) ? narrowed : usual)
}
