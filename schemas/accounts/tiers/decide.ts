import { UNLIMITED } from './tiers.ts'

export type Decision = 'allowed' | 'disabled' | 'exhausted'

/** Whether one more unit may be taken of a limit or quota of which `used` are taken (specification 2.9, 8.2). */
export function decide(limit: number, used: number): Decision {
  if (limit === 0) return 'disabled'
  return limit === UNLIMITED || used < limit ? 'allowed' : 'exhausted'
}

/** What is left; -1 of what is unlimited. */
export const remainingOf = (limit: number, used: number): number =>
  limit === UNLIMITED ? UNLIMITED : Math.max(0, limit - used)
