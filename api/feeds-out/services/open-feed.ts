/** Which feeds everybody may read (decisions 11.1). */

import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { isPublicAlone } from '../../../schemas/feeds-out/rights.ts'
import { ApiError, invalid } from '../../http/errors.ts'

/** Throws 403 without the role `trusted`, 400 for another reader than the public. */
export function mayBeOpen(user: Identity, groups: readonly string[]): void {
  if (!user.roles.includes('trusted'))
    throw new ApiError('forbidden', { message: 'open: the role trusted is required', param: 'open' })
  if (!isPublicAlone(groups)) throw invalid('open', 'requires groups to be exactly ["public"]')
}
