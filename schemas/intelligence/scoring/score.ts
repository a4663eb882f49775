import type { SourceKind } from '../observations/observation.ts'
import { BUILT_IN, type ScoringRules } from './rules.ts'
import { sumBy } from './sums.ts'
import { isLive, type Weighed, type Weights, weigh } from './weights.ts'

/** What one source claims about one entity, as far as the score needs it (decisions 4). */
export type ScoredClaim = {
  source: string
  /** Rules may trust a kind of source; a claim without one is not of any. */
  kind?: SourceKind
  /** -3..3; null: the source has only sighted the entity and claims nothing. */
  reputation: number | null
  /** 0 < trust <= 1. */
  trust: number
  /** Unix milliseconds of the last sighting by this source. */
  at: number
}

export type Score = {
  /** -3..3, before any floor. */
  reputation: number
  /** 0..3. */
  accuracy: number
  /** Best and worst live claim; 0 without one. */
  best: number
  worst: number
}

export const TRUSTED_ALONE = 0.8
/** Share of the weight that has to agree, but for what float arithmetic loses. */
export const AGREED = 0.75 * (1 - 1e-12)

/**
 * Reputation and accuracy of an entity from the claims about it, as of `now` (unix milliseconds), by the formula of
 * decisions 4: a mean weighted by trust and freshness that holds for one half-life and fades over the next three; or the
 * median, by the rules. Pure, and independent of the order of the claims. The well-known floor is `floored`.
 */
export const score = (
  type: string,
  claims: readonly ScoredClaim[],
  now: number,
  rules: ScoringRules = BUILT_IN,
): Score => scoreOfWeights(weigh(type, claims, now, rules))

/** The same of claims that are weighed already. */
export function scoreOfWeights(weights: Weights<ScoredClaim>): Score {
  if (weights.claims.length === 0) return { reputation: 0, accuracy: 0, best: 0, worst: 0 }
  const reputation = roundHalfAway(weights.fade * weights.mean)
  const live = weights.claims.filter(isLive)
  return {
    reputation,
    accuracy: accuracy(live, reputation, weights.total),
    best: live.length === 0 ? 0 : Math.max(...live.map((c) => c.reputation)),
    worst: live.length === 0 ? 0 : Math.min(...live.map((c) => c.reputation)),
  }
}

/**
 * An entity that is well known, or that a mark covers, is never evaluated with a negative reputation
 * (specification 4.3, decisions 3.6, ADR 270).
 */
export const applyFloor = (reputation: number, marked: boolean): number => (marked && reputation < 0 ? 0 : reputation)

function accuracy(live: readonly Weighed<ScoredClaim>[], reputation: number, weight: number): number {
  const agreeing = live.filter((c) => Math.sign(c.reputation) === Math.sign(reputation))
  return accuracyOf({
    sources: new Set(agreeing.map((c) => c.claim.source)).size,
    agreed: sumBy(agreeing, (c) => c.weight),
    weight,
    trusted: agreeing.some((c) => c.trust >= TRUSTED_ALONE),
  })
}

/** Of the live claims with the sign of the reputation: sources, weight (of the weight of all), whether one is trusted. */
type Agreement = { sources: number; agreed: number; weight: number; trusted: boolean }

export function accuracyOf({ sources, agreed, weight, trusted }: Agreement): number {
  if (sources >= 3) return agreed >= AGREED * weight ? 3 : 2
  if (sources === 2) return 2
  return sources === 1 ? (trusted ? 2 : 1) : 0
}

/** How finely a reputation is rounded first, so that an exact half stays one after float arithmetic. */
export const GRAINS = 1e9

/** Halves away from zero. */
export function roundHalfAway(x: number): number {
  const grained = Math.round(Math.abs(x) * GRAINS) / GRAINS
  const rounded = Math.floor(grained + 0.5)
  return x < 0 ? 0 - rounded : rounded
}
