import type { Observation, Retracted } from '../../../schemas/intelligence/observations/observation.ts'
import type { Claim, EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import type { ObserveResult, ObserveRules } from './observe-result.ts'
import { asItCounts, undescribedRow } from './rows/described.ts'
import { scoreColumns } from './rows/score-columns.ts'

/**
 * What a source said to this audience within a window does not count any more, as if it had not been said: its claim
 * becomes what it held before, and the row loses the tags and attributes that the record names, unless the row has changed
 * since they were looked up (ADR 270). The times of the row stay. A row without any claim left is retracted. The score is
 * as of the moment that it was of. A claim that was made anew since stays; what history says of the window is taken back
 * all the same. null when there is nothing to take.
 */
export function retract(
  states: EntityStates,
  o: Observation,
  audience: bigint,
  offset: number,
  { locate, scoring }: Pick<ObserveRules, 'locate' | 'scoring'>,
): ObserveResult | null {
  const before = states.find((row) => row.audience === audience)
  if (before === undefined || before.version > offset) return null
  const claim = before.claims.find((c) => c.source === o.source)
  const { from, to, described } = o.retracted!
  const claims = claim === undefined ? before.claims : claimsWithout(before.claims, claim, o)
  const left = undescribedRow(before, described, o, locate)
  // A window before anything that the source said to this audience is that of a record which takes descriptions alone.
  const takes = claim !== undefined && to >= claim.firstSeen
  const changes = claims !== before.claims || left !== before
  if (!changes && !takes) return null
  const row = { ...left, ...scoreColumns(before.type, claims, before.scoredAt, before, scoring), version: offset + 1 }
  const { entityId, source, observedAt: at } = o
  return {
    rows: changes ? [asItCounts(row)] : [],
    kept: null,
    ...(takes && { retraction: { entityId, audience, source, from, to, at, offset, trust: claim.trust } }),
  }
}

/** The same list when nothing of the claim stands in the window. */
function claimsWithout(claims: readonly Claim[], claim: Claim, o: Observation): readonly Claim[] {
  const left = without(claim, o)
  if (left === claim) return claims
  const others = claims.filter((c) => c !== claim)
  return left === null ? others : [...others, left]
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
