import { BUILT_IN, type ScoringRules } from './rules.ts'
import { type ScoredClaim, score } from './score.ts'
import { isLive, trustOf, type Weights, weigh } from './weights.ts'

/** What one claim adds to a score. */
export type Contribution<C> = {
  claim: C
  /** By the rules, else that of the claim. */
  trust: number
  /** Trust times freshness; 0 of a sighting, which claims nothing. */
  weight: number
  /** Of the sum of all weights, 0..1. */
  share: number
  /**
   * These add up to what `fade` is multiplied with: share times reputation; of a median, what the claims that say the
   * same as it have of it by their weights, and 0 of the others, which only hold it in its place.
   */
  contribution: number
  live: boolean
}

export type Evidence<C> = {
  /** Before any floor: the rounded product of `fade` and the sum of the contributions. */
  reputation: number
  accuracy: number
  best: number
  worst: number
  fade: number
  /** By weight, greatest first; then by reputation and time, independent of the source. */
  claims: Contribution<C>[]
}

/** A score taken apart into the claims that it follows from: the very weights that `score` adds up. */
export function evidence<C extends ScoredClaim>(
  type: string,
  claims: readonly C[],
  now: number,
  rules: ScoringRules = BUILT_IN,
): Evidence<C> {
  const weights = weigh(type, claims, now, rules)
  const median = rules.formula === 2 ? weightOfMedian(weights) : null
  const stated = weights.claims.map((weighed): Contribution<C> => {
    const share = weights.total > 0 ? weighed.weight / weights.total : 0
    const { claim, trust, weight, reputation } = weighed
    // A quotient of weights is never more than 1, however near to nothing age has brought both.
    const part = median === null ? share : reputation === weights.mean && median > 0 ? weight / median : 0
    const contribution = part * reputation
    return { claim, trust, weight, share, contribution, live: isLive(weighed) }
  })
  const sightings = claims
    .filter((claim) => claim.reputation === null)
    .map(
      (claim): Contribution<C> => ({
        claim,
        trust: trustOf(claim, rules),
        weight: 0,
        share: 0,
        contribution: 0,
        live: false,
      }),
    )
  return {
    ...score(type, claims, now, rules),
    fade: weights.fade,
    claims: [...stated, ...sightings].sort(byWeight),
  }
}

/** The weight of the claims that say what the median is. */
function weightOfMedian({ claims, mean }: Weights<ScoredClaim>): number {
  let weight = 0
  for (const c of claims) if (c.reputation === mean) weight += c.weight
  return weight
}

const byWeight = (a: Contribution<ScoredClaim>, b: Contribution<ScoredClaim>): number =>
  b.weight - a.weight || (b.claim.reputation ?? 9) - (a.claim.reputation ?? 9) || b.claim.at - a.claim.at
