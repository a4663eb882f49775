import type { Observation, Retracted } from '../../../schemas/intelligence/observations/observation.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Claim, EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import type { ObserveResult } from './observe-result.ts'
import { scoreColumns } from './rows/score-columns.ts'

/**
 * What a source said to this audience within a window does not count any more, as if it had not been said: its claim
 * becomes what it held before. Tags, attributes and the times of the row stay, as history does: they are what was seen.
 * The score is as of the moment that it was of. A claim that was made anew since stays, and no row changes; what history
 * says of the window is taken back all the same. null when the source has no claim here.
 */
export function retract(
  states: EntityStates,
  o: Observation,
  audience: bigint,
  offset: number,
  rules?: ScoringRules,
): ObserveResult | null {
  const before = states.find((row) => row.audience === audience)
  const claim = before?.claims.find((c) => c.source === o.source)
  if (before === undefined || claim === undefined || before.version > offset) return null
  const left = without(claim, o)
  const others = before.claims.filter((c) => c !== claim)
  const claims = left === null ? others : [...others, left]
  const { from, to } = o.retracted!
  const row = { ...before, ...scoreColumns(before.type, claims, before.scoredAt, before, rules), version: offset + 1 }
  return {
    rows: left === claim ? [] : [row],
    kept: null,
    retraction: {
      entityId: o.entityId,
      audience,
      source: o.source,
      from,
      to,
      at: o.observedAt,
      offset,
      trust: claim.trust,
    },
  }
}

/** Whether anything of the claim stands in the window. */
export const touchesWindow = (claim: Claim, window: RetractionWindow): boolean => {
  const { stated, seen } = partsIn(claim, window)
  return stated || seen
}

type RetractionWindow = Pick<Retracted, 'from' | 'to'>

const partsIn = (claim: Claim, { from, to }: RetractionWindow): { stated: boolean; seen: boolean } => ({
  stated: claim.reputation !== null && claim.claimedAt >= from && claim.claimedAt <= to,
  seen: claim.at >= from && claim.at <= to,
})

/**
 * The claim without what stands in the window: itself when nothing does, null when nothing else is known of it. A claim
 * has a time of its statement and one of the last sighting; each of them is of the window or it is not.
 */
function without(claim: Claim, { retracted, ...o }: Observation): Claim | null {
  const { from, to, held } = retracted!
  const inside = (time: number): boolean => time >= from && time <= to
  const { stated, seen } = partsIn(claim, { from, to })
  if (!stated && !seen) return claim
  // The latest statement was before the window, and what is left was seen no later than the record says.
  const at = seen ? Math.max(held?.at ?? 0, stated || claim.reputation === null ? 0 : claim.claimedAt) : claim.at
  if (at === 0) return null
  // What is said next is kept, even if it is the same again: the record of it in history does not count any more.
  const kept = inside(claim.keptAt) ? { keptAt: 0, keptHash: 0n } : {}
  if (!stated) return { ...claim, ...kept, at }
  const again = held !== null && o.reputation !== null
  return {
    ...claim,
    ...kept,
    at,
    kind: o.sourceKind,
    trust: o.trust,
    reputation: again ? o.reputation : null,
    claimedAt: again ? held.claimedAt : 0,
  }
}
