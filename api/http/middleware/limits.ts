/** Enforces the limits that routes declare: the refusal, and the headers of limited answers (decisions 6.3; ADR 87). */

import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { Limits } from '../../../connectors/postgres/accounts/plan/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { LimitKeys } from '../../../schemas/accounts/tiers/tiers.ts'
import { ApiError } from '../errors.ts'
import type { Allowances } from '../limits/allowance.ts'
import { consume, type Position } from '../limits/consumption.ts'

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
