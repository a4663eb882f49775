/** Whether a caller may still report while its body comes (decisions 15.1; ADR 221). */

import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { ApiError } from '../../../http/errors.ts'
import { authorise } from '../../../http/middleware/identity.ts'

/** How often it is asked, in milliseconds. */
const LOOK_MS = 5_000

/**
 * Looks again who the caller is, at most every few seconds. Lines are read as the caller was at the beginning, so the
 * check throws 401 or 403 also when a group that it had then is gone.
 * @param whoNow who the caller is by now; throws when its credentials do not hold any more
 * @param at when the caller was looked up last, by the clock of `performance`
 */
export function callerCheck(user: Identity, whoNow: () => Promise<Identity | null>, at: number): () => Promise<void> {
  let lookedAt = at
  return async () => {
    if (performance.now() - lookedAt < LOOK_MS) return
    lookedAt = performance.now()
    const now = await whoNow()
    authorise({ access: 'reporter', scope: 'ingest', whole: null }, now)
    if (!user.groups.every((group) => now!.groups.includes(group)))
      throw new ApiError('forbidden', { message: 'a group of the caller is gone; send the body again' })
  }
}
