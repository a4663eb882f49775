/** Whether the identity of a user has been checked, and the result. */

import type { CheckStatus } from '../../../../../schemas/accounts/identity/identity-check.ts'

export type CheckAttempt = {
  /** Unix milliseconds. */
  createdAt: number
  status: CheckStatus
}

export type IdentityCheck = {
  status: CheckStatus
  /** Oldest first. */
  attempts: CheckAttempt[]
  /** When an open check ends by itself; Unix milliseconds, else null. */
  expiresAt: number | null
}

export interface IdentityChecks {
  /** A user that was never checked has a check of status `none`. */
  of(userId: string): Promise<IdentityCheck>
  /** Those of the users who passed. */
  passed(userIds: readonly string[]): Promise<Set<string>>
  /**
   * Replaces the check by what `next` makes of it, while nobody else changes it; null, or the same check, keeps it and
   * writes nothing. Resolves to the check afterwards; null: no such user.
   */
  change(
    userId: string,
    now: number,
    next: (check: IdentityCheck) => IdentityCheck | null,
  ): Promise<IdentityCheck | null>
}
