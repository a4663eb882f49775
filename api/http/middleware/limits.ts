/** Enforces the limits that routes declare: the refusal, and the headers of limited answers (decisions 6.3; ADR 277). */

import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Counter, LimitState, Limits } from '../../../connectors/postgres/accounts/plan/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { decide, remainingOf } from '../../../schemas/accounts/tiers/decide.ts'
import { entryOf, type LimitKeys, UNLIMITED } from '../../../schemas/accounts/tiers/tiers.ts'
import { OPEN, spanOf } from '../../../schemas/accounts/tiers/windows.ts'
import { ApiError } from '../errors.ts'
import type { Allowance, Allowances } from '../limits/allowance.ts'

// Taking units of the limits of a feature that has one or several windows (specification 8.2).

/** Where one window stands. `end` in Unix milliseconds. */
type Position = { limit: number; remaining: number; end: number }

type Consumption = {
  /** Why it was refused; null: admitted. Nothing is consumed by what was refused. */
  refused: 'disabled' | 'exhausted' | null
  /** The window that refused, else the one with the least left; null when no key is limited. */
  position: Position | null
  /** Undoes an admitted consumption. */
  giveBack(): void
}

/** Rejects when the store cannot say: without a count nothing is admitted (ADR 277). `at` in Unix milliseconds. */
export async function consume(
  limits: Limits,
  allowance: Allowance,
  { service, features }: LimitKeys,
  units: number,
  at: number,
): Promise<Consumption> {
  const admitted: Counter[] = []
  let tightest: Position | null = null
  const giveBack = (): void => {
    for (const counter of admitted.splice(0)) limits.giveBack(counter, units)
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
    let state: LimitState
    try {
      state = await limits.take(counter, limit, units)
    } catch (error) {
      giveBack()
      throw error
    }
    const position = { limit, remaining: remainingOf(limit, state.used), end }
    if (!state.admitted) {
      giveBack()
      return { refused: 'exhausted', position, giveBack }
    }
    admitted.push(counter)
    if (tightest === null || position.remaining < tightest.remaining) tightest = position
  }
  return { refused: null, position: tightest, giveBack }
}

export type Charge = {
  /** null: the handler may run. */
  refusal: ApiError | null
  headers: Record<string, string>
  /** For a request that is refused further in (400, 401, 403, 406, 415): the units go back; the headers say so. */
  giveBack(): Record<string, string>
}

/** null: the caller is not limited here. Default: one unit. */
export type Enforce = (limited: LimitKeys, user: Identity | null, ip: string, units?: number) => Promise<Charge | null>

type Ports = { limits: Limits; allowances: Allowances; now: () => number; metrics: Metrics['instruments'] }

/** So many units of every declared key, all or none. */
export function enforcement({ limits, allowances, now, metrics }: Ports): Enforce {
  return async (limited, user, ip, units = 1) => {
    const allowance = await allowances.of(user, ip)
    if (allowance.subject === null) return null
    const at = now()
    const { refused, position, giveBack } = await consume(limits, allowance, limited, units, at)
    if (position === null) return null
    const headers = headersOf(position, at)
    if (refused !== null) {
      metrics.harrier_rate_limited_total.inc({ service: limited.service, feature: limited.features[0] })
      headers['retry-after'] = headers['ratelimit-reset']!
      const code = refused === 'disabled' ? 'feature_disabled' : 'rate_limited'
      return { refusal: new ApiError(code), headers, giveBack: () => headers }
    }
    return {
      refusal: null,
      headers,
      giveBack() {
        giveBack()
        return headersOf({ ...position, remaining: Math.min(position.limit, position.remaining + units) }, at)
      },
    }
  }
}

const headersOf = ({ limit, remaining, end }: Position, at: number): Record<string, string> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(Math.max(1, Math.ceil((end - at) / 1000))),
})

/** What a caller did wrong consumes nothing, nor a list that is not there yet; a search that found nothing, or a fault of ours, does. */
export const costsNothing = (thrown: unknown): boolean =>
  thrown instanceof ApiError &&
  ([400, 401, 403, 406, 415].includes(thrown.status) || thrown.code === 'building') &&
  thrown.code !== 'query_too_expensive'
