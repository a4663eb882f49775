/** For whom a feed may be made (decisions-2 11.1). */

import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { isPublicAlone } from '../../../schemas/feeds-out/rights.ts'
import { ApiError, invalid } from '../../http/errors.ts'

/** Groups of the reader, sorted and distinct; default: all that the creator reads. Throws 403 for a group of others. */
export function groupsOf(user: Identity, given: readonly string[] = user.groups): string[] {
  const foreign = given.findIndex((group) => !user.groups.includes(group))
  if (foreign >= 0) {
    const param = `groups[${foreign}]`
    throw new ApiError('forbidden', { message: `${param}: is not a group of the caller`, param })
  }
  return [...new Set(given)].sort()
}

/** Throws 403 without the role `trusted`, 400 for another reader than the public. */
export function mayBeOpen(user: Identity, groups: readonly string[]): void {
  if (!user.roles.includes('trusted'))
    throw new ApiError('forbidden', { message: 'open: the role trusted is required', param: 'open' })
  if (!isPublicAlone(groups)) throw invalid('open', 'needs groups to be ["public"] and nothing else')
}
