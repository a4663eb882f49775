/** Identity checks: a user asks, an administrator decides. There is no provider that looks at documents. */

import type { IdentityCheck, IdentityChecks } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import {
  CHECK_MS,
  type CheckStatus,
  checkRefusal,
  MAX_CHECKS,
  shownStatus,
} from '../../../../schemas/accounts/identity/identity-check.ts'
import { ApiError } from '../../../http/errors.ts'

export type ShownCheck = ReturnType<typeof showCheck>

export type IdentityCheckService = {
  /** What is known of the caller. */
  own(user: Identity): Promise<ShownCheck>
  /**
   * Opens a check for the caller; one that is open stays and costs nothing. Throws 404 without an account, 409 when it
   * has passed or the user has requested as many as allowed.
   */
  begin(user: Identity): Promise<ShownCheck>
  /** The others are for administrators and throw 404 for an unknown user. */
  of(userId: string): Promise<ShownCheck>
  /** Decides, whether a check is open or not. */
  decide(userId: string, status: 'passed' | 'failed'): Promise<ShownCheck>
  /** Deletes the check and its attempts. */
  reset(userId: string): Promise<ShownCheck>
  /** Takes a passed check back. Throws 409 for one that has not passed. */
  revoke(userId: string): Promise<ShownCheck>
}

type Ports = { checks: IdentityChecks; hasUser: (id: string) => Promise<boolean>; now: () => number }

export function identityCheckService({ checks, hasUser, now }: Ports): IdentityCheckService {
  const change = async (userId: string, next: (check: IdentityCheck) => IdentityCheck | null) => {
    const check = await checks.change(userId, now(), next)
    if (check === null) throw noSuchUser()
    return showCheck(check, now())
  }

  const settled = (check: IdentityCheck, status: CheckStatus): IdentityCheck => ({
    status,
    attempts: check.attempts.map((one, i) => (i === check.attempts.length - 1 ? { ...one, status } : one)),
    expiresAt: null,
  })

  return {
    own: async ({ userId }) => showCheck(await checks.of(userId), now()),

    begin: ({ userId }) =>
      change(userId, (check) => {
        const status = shownStatus(check.status, check.expiresAt, now())
        const refused = checkRefusal(status, check.attempts.length)
        if (refused === 'passed') throw new ApiError('conflict', { message: 'the identity is already verified' })
        if (refused === 'used up')
          throw new ApiError('conflict', {
            message: `all ${MAX_CHECKS} attempts are used up; an administrator can reset them`,
          })
        if (status === 'pending') return null
        const attempt = { createdAt: now(), status: 'pending' as const }
        return { status: 'pending', attempts: [...check.attempts, attempt], expiresAt: now() + CHECK_MS }
      }),

    async of(userId) {
      if (!(await hasUser(userId))) throw noSuchUser()
      return showCheck(await checks.of(userId), now())
    },

    decide: (userId, status) => change(userId, (check) => settled(check, status)),

    reset: (userId) => change(userId, () => ({ status: 'none', attempts: [], expiresAt: null })),

    revoke: (userId) =>
      change(userId, (check) => {
        if (check.status !== 'passed') throw new ApiError('conflict', { message: 'the identity is not verified' })
        return settled(check, 'revoked')
      }),
  }
}

const noSuchUser = () => new ApiError('not_found', { message: 'no such user', param: 'id' })

const showCheck = ({ status, attempts, expiresAt }: IdentityCheck, now: number) => ({
  status: shownStatus(status, expiresAt, now),
  attempts: attempts.length,
  maxAttempts: MAX_CHECKS,
  expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  attemptsLog: attempts.map(({ createdAt, ...attempt }) => ({
    ...attempt,
    createdAt: new Date(createdAt).toISOString(),
  })),
})
