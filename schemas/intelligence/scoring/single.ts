import { earlierOf, fadedAt, lostAfter } from './fading.ts'
import type { ScoringRules } from './rules.ts'
import { accuracyOf, roundHalfAway, type Score, type ScoredClaim, TRUSTED_ALONE } from './score.ts'
import { DAY_MS, isLive, trustOf } from './weights.ts'

/** A score, and when it is next another by the passing of time alone (unix milliseconds); null: never. */
export type SingleScore = Score & { next: number | null }

const NOTHING: SingleScore = { reputation: 0, accuracy: 0, best: 0, worst: 0, next: null }

/**
 * What `scoreOfWeights` and `nextChangeOf` give for one claim, to the last bit, without the lists that they make of
 * several: most entities have one (decisions 4, ADR 265). Not for rules with formula 2.
 * @param halfLifeOf of the type of the entity, in days
 */
export function scoreOfOne(claim: ScoredClaim, halfLifeOf: number, now: number, rules: ScoringRules): SingleScore {
  if (claim.reputation === null) return NOTHING
  const halfLife = halfLifeOf * DAY_MS
  const freshness = 2 ** (-Math.max(0, now - claim.at) / halfLife)
  const trust = trustOf(claim, rules)
  const weight = trust * freshness
  // So old that the weight has become 0: nothing is known any more.
  const mean = weight <= 0 ? 0 : (weight * claim.reputation) / weight
  const reputation = roundHalfAway(Math.min(1, 2 * freshness) * mean)
  const live = isLive({ freshness })
  const agrees = live && Math.sign(claim.reputation) === Math.sign(reputation)
  const trusted = agrees && trust >= TRUSTED_ALONE
  const accuracy = accuracyOf({ sources: agrees ? 1 : 0, agreed: weight, weight, trusted })
  const shown = live && (accuracy !== 0 || claim.reputation !== 0)
  const lost = shown ? lostAfter(claim.at, halfLife) : Number.POSITIVE_INFINITY
  const faded = fadedAt(claim.at, Math.abs(mean), Math.abs(reputation), halfLife)
  const said = live ? claim.reputation : 0
  return { reputation, accuracy, best: said, worst: said, next: earlierOf(faded, lost, now) }
}
