/** Taking units of the limits of a feature that has one or several windows (specification 8.2). */

import type { Counter, Limits } from '../../../connectors/postgres/accounts/plan/port.ts'
import { decide, remainingOf } from '../../../schemas/accounts/tiers/decide.ts'
import { entryOf, type LimitKeys, UNLIMITED } from '../../../schemas/accounts/tiers/tiers.ts'
import { OPEN, spanOf } from '../../../schemas/accounts/tiers/windows.ts'
import type { Allowance } from './allowance.ts'

/** Where one window stands. `end` in Unix milliseconds. */
export type Position = { limit: number; remaining: number; end: number }

export type Consumption = {
  /** Why it was refused; null: admitted. Nothing is consumed by what was refused. */
  refused: 'disabled' | 'exhausted' | null
  /** The window that refused, else the one with the least left; null when no key is limited. */
  position: Position | null
  /** Undoes an admitted consumption. */
  giveBack(): void
}

type Admitted = { counter: Counter; position: Position }

/** Rejects when the store cannot say: without a count nothing is admitted (ADR 0086). `at` in Unix milliseconds. */
export async function consume(
  limits: Limits,
  allowance: Allowance,
  { service, features }: LimitKeys,
  units: number,
  at: number,
): Promise<Consumption> {
  const admitted: Admitted[] = []
  const giveBack = (): void => {
    for (const { counter } of admitted.splice(0)) limits.giveBack(counter, units)
  }
  for (const featureKey of features) {
    const entry = entryOf(allowance.tier.limits, service, featureKey)
    if (entry === undefined || entry.value === UNLIMITED || allowance.subject === null) continue
    const { value: limit, window } = entry
    if (window === OPEN) throw new Error(`${service}.${featureKey} is not a limit of requests`)
    const { start, end } = spanOf(window, at)
    if (decide(limit, 0) === 'disabled') {
      giveBack()
      return { refused: 'disabled', position: { limit, remaining: 0, end }, giveBack }
    }
    const counter = { subject: allowance.subject, service, featureKey, window, start, end }
    const { admitted: fits, used } = await limits.take(counter, limit, units).catch((error) => {
      giveBack()
      throw error
    })
    const position = { limit, remaining: remainingOf(limit, used), end }
    if (!fits) {
      giveBack()
      return { refused: 'exhausted', position, giveBack }
    }
    admitted.push({ counter, position })
  }
  const tightest = admitted.reduce<Position | null>(
    (least, { position }) => (least === null || position.remaining < least.remaining ? position : least),
    null,
  )
  return { refused: null, position: tightest, giveBack }
}
