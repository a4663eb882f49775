import type { History } from '../../../../connectors/history/port.ts'
import { type VerdictRow, verdictsUntil } from '../../../../connectors/history/sql/queries/verdicts-queries.ts'
import { keptTerms, verdictOf } from '../../../../schemas/intelligence/observations/verdict.ts'
import type { HeldVerdict } from '../../../../schemas/intelligence/state/entity-state.ts'
import { heldAt, latestVerdict } from '../../../../schemas/intelligence/state/verdict.ts'

/** Of one entity; the last ones are looked at. */
const MAX_VERDICTS = 10_000

/** A verdict by its record. `held` null: it was taken back. Unix milliseconds. */
export type GivenVerdict = {
  audience: bigint
  userId: string
  at: number
  reason: string
  held: HeldVerdict | null
}

/** Verdicts about an entity in these audiences up to a time, the last first. */
export const givenVerdicts =
  (history: Pick<History, 'query'>) =>
  async (
    entity: { entityId: string; type: string },
    audiences: readonly bigint[],
    until: number,
  ): Promise<GivenVerdict[]> => {
    if (audiences.length === 0) return []
    const rows = await history.query<VerdictRow>(verdictsUntil({ ...entity, until, audiences }, MAX_VERDICTS))
    return rows.map(givenOf)
  }

function givenOf({ audience, user_id: userId, at: time, reputation, attributes }: VerdictRow): GivenVerdict {
  const { reason, until } = keptTerms(attributes) ?? { reason: '', until: 0 }
  const at = Number(time)
  return {
    audience: BigInt(audience),
    userId,
    at,
    reason,
    held: reputation === null ? null : { reputation, at, until },
  }
}

/**
 * The verdict that decides at a moment (unix milliseconds): of each audience the last one given by then, while it holds,
 * and of several the latest. @param given the last first
 */
export function verdictAt(given: readonly GivenVerdict[], at: number): GivenVerdict | null {
  const last = new Map<bigint, GivenVerdict>()
  for (const one of given) if (one.at <= at && !last.has(one.audience)) last.set(one.audience, one)
  const holding = [...last.values()].filter(({ held }) => held !== null && heldAt(held, at) !== null)
  const latest = latestVerdict(holding.map(({ held }) => ({ verdict: held })))
  return holding.find(({ held }) => held === latest) ?? null
}

/** As callers see it. */
export const shownVerdict = ({ held, at, reason, userId }: GivenVerdict) => ({
  verdict: verdictOf(held!.reputation),
  reason,
  ...(held!.until === 0 ? {} : { until: iso(held!.until) }),
  at: iso(at),
  userID: userId,
})

const iso = (ms: number): string => new Date(ms).toISOString()
