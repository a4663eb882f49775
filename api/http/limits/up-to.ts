/** Units of a limit for work whose amount is only known on the way. */

import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { LimitKeys } from '../../../schemas/accounts/tiers/tiers.ts'
import type { Enforce } from '../middleware/limits.ts'

/** `againMs`: in how many milliseconds there may be more; 0 where as many as wished for were taken. */
export type TakenUnits = { taken: number; againMs: number }

type Caller = { user: Identity | null; ip: string }

/**
 * Takes as many units as there are, up to `most`. Others take and give back at the same time, so what a refusal says is left
 * is only a guess: it is halved until it fits.
 */
export async function takeUpTo(
  enforce: Enforce,
  limited: LimitKeys,
  { user, ip }: Caller,
  most: number,
): Promise<TakenUnits> {
  let againMs = 0
  for (let units = most; units > 0; ) {
    const charge = await enforce(limited, user, ip, units)
    if (charge === null || charge.refusal === null) return { taken: units, againMs }
    againMs = Number(charge.headers['ratelimit-reset']) * 1_000
    const left = Number(charge.headers['ratelimit-remaining'])
    units = left < units ? left : units >> 1
  }
  return { taken: 0, againMs }
}
