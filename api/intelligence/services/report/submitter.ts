/** The source that a submission is attributed to, and its audience (decisions 2.3, 4). */

import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { resolveVisibleBy } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Provenance } from '../../../../schemas/intelligence/observations/observation.ts'
import { ApiError } from '../../../http/errors.ts'

/** How much a submitter's word weighs (decisions 4). */
const TRUST = 0.6
const TRUST_OF_TRUSTED = 0.9

/** The source is the customer that the user has accepted, or the user without one, and never a key: keys are changed, sources are counted. */
export const submitterOf = (user: Identity): { userId: string; source: string; trust: number } => ({
  userId: user.userId,
  source: user.customerId ?? user.userId,
  trust: user.roles.includes('trusted') ? TRUST_OF_TRUSTED : TRUST,
})

/** Of an observation that the caller makes itself. */
export const provenance = (
  user: Identity,
  kind: 'report' | 'well_known',
  audience: string[],
  now: number,
): Provenance => ({
  ...submitterOf(user),
  sourceKind: user.customerId === null ? 'user' : 'customer',
  kind,
  audience,
  observedAt: now,
})

/** Who may read what the caller submits. Throws 400 for a list that is wrong, 403 for a foreign group. */
export function audienceOf(user: Identity, visibleBy: readonly string[] | null | undefined): string[] {
  const resolved = resolveVisibleBy(visibleBy, user.ownGroups, user.ownGroups)
  if (resolved.ok) return resolved.audience
  const { message, param } = resolved
  throw new ApiError(resolved.kind === 'foreign' ? 'forbidden' : 'invalid_parameter', { message, param })
}
