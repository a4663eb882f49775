/** Identity check of a user: its states and the transitions between them. Pure. */

/** `revoked`: passed once, and taken back. */
export const CHECK_STATES = ['none', 'pending', 'passed', 'failed', 'revoked'] as const
export type CheckStatus = (typeof CHECK_STATES)[number]

/** Status that a user sees: an open check without a decision in time has expired. */
export const SHOWN_STATES = [...CHECK_STATES, 'expired'] as const
export type ShownStatus = (typeof SHOWN_STATES)[number]

/** Checks that a user may ask for before an administrator has to reset them. */
export const MAX_CHECKS = 3
/** How long an open check waits for its decision. */
export const CHECK_MS = 7 * 24 * 60 * 60 * 1000

/** A state that a newer version stored must not pass for one that we know. Throws. */
export function checkStatus(text: string): CheckStatus {
  const status = CHECK_STATES.find((known) => known === text)
  if (status === undefined) throw new RangeError(`unknown state of an identity check: ${text}`)
  return status
}

/** `now` and `expiresAt` in Unix milliseconds. */
export const shownStatus = (status: CheckStatus, expiresAt: number | null, now: number): ShownStatus =>
  status === 'pending' && expiresAt !== null && expiresAt <= now ? 'expired' : status

/** Why a user may not ask for a check; null: it may, or one is open already. */
export function checkRefusal(shown: ShownStatus, attempts: number): 'passed' | 'used up' | null {
  if (shown === 'passed') return 'passed'
  return shown !== 'pending' && attempts >= MAX_CHECKS ? 'used up' : null
}
