import { halfLifeDays } from '../entities/half-life.ts'
import { BUILT_IN, type ScoringRules } from './rules.ts'
import { accuracyOf, GRAINS, type ScoredClaim, scoreOfWeights, TRUSTED_ALONE } from './score.ts'
import { addTo, sum } from './sums.ts'
import { DAY_MS, isLive, LIVE, type Weighed, type Weights, weigh } from './weights.ts'

/**
 * The next moment (unix milliseconds, after `now`) at which `score` of these claims gives another reputation, accuracy,
 * best or worst by the passing of time alone; null: never again. `now` lies at or after the last sighting of every
 * claim, as the time of a row does.
 *
 * All claims of an entity share one half-life, so their weights keep their proportions and the mean stays what it is.
 * Time changes two things: how much of the mean holds, and which claims are live. Both are known in closed form.
 */
export function nextChange(
  type: string,
  claims: readonly ScoredClaim[],
  now: number,
  rules: ScoringRules = BUILT_IN,
): number | null {
  const weights = weigh(type, claims, now, rules)
  return nextChangeOf(weights, scoreOfWeights(weights).reputation, halfLifeDays(type, rules), now)
}

/** The same of claims that are weighed already, and give this reputation; their half-life is in days. */
export function nextChangeOf(
  weights: Weights<ScoredClaim>,
  reputation: number,
  halfLifeOf: number,
  now: number,
): number | null {
  if (weights.claims.length === 0) return null
  const halfLife = halfLifeOf * DAY_MS
  let freshest = 0
  for (const { claim } of weights.claims) if (claim.at > freshest) freshest = claim.at
  const faded = fadedAt(freshest, Math.abs(weights.mean), Math.abs(reputation), halfLife)
  const lost = lostAt(weights.claims.filter(isLive), Math.sign(reputation), weights.total, halfLife)
  return earlierOf(faded, lost, now)
}

/** The earlier of two moments, of which Infinity is never, and later than `now`; null: never. */
export function earlierOf(faded: number, lost: number, now: number): number | null {
  const next = Math.min(faded, lost)
  return next === Number.POSITIVE_INFINITY ? null : Math.max(next, now + 1)
}

/**
 * When `fade * mean` is first rounded to less than this: below the half under it, by half a grain. The mean and the
 * reputation are given without their signs, times in milliseconds.
 */
export function fadedAt(freshest: number, mean: number, reputation: number, halfLife: number): number {
  if (reputation === 0) return Number.POSITIVE_INFINITY
  const least = reputation - 0.5 - 0.5 / GRAINS
  return firstAfter(freshest + halfLife * (1 + Math.log2(mean / least)))
}

/** When a claim of this last sighting stops being live. */
export const lostAfter = (at: number, halfLife: number): number => firstAfter(at + halfLife * Math.log2(2 / LIVE))

/** When a claim stops being live and that shows in accuracy, best or worst. */
function lostAt(live: Weighed<ScoredClaim>[], sign: number, total: number, halfLife: number): number {
  if (live.length > 1) live.sort((a, b) => a.claim.at - b.claim.at)
  const shown = shownOfLast(live, sign, total)
  for (let i = 0; i < live.length; i++) {
    const { at } = live[i]!.claim
    // Claims of the same moment go together.
    if (at !== live[i + 1]?.claim.at && shown[i + 1] !== shown[0]) return lostAfter(at, halfLife)
  }
  return Number.POSITIVE_INFINITY
}

/** Accuracy, best and worst, as one number, of the claims from the i-th on. */
function shownOfLast(live: readonly Weighed<ScoredClaim>[], sign: number, total: number): number[] {
  const shown = new Array<number>(live.length + 1)
  const sources = new Set<string>()
  const agreed = sum()
  let [trusted, best, worst] = [false, 0, 0]
  shown[live.length] = shownAs(0, 0, 0)
  for (let i = live.length - 1; i >= 0; i--) {
    const { claim, reputation, trust, weight } = live[i]!
    const first = i === live.length - 1
    best = first ? reputation : Math.max(best, reputation)
    worst = first ? reputation : Math.min(worst, reputation)
    if (Math.sign(reputation) === sign) {
      sources.add(claim.source)
      addTo(agreed, weight)
      trusted ||= trust >= TRUSTED_ALONE
    }
    shown[i] = shownAs(accuracyOf({ sources: sources.size, agreed: agreed.high, weight: total, trusted }), best, worst)
  }
  return shown
}

const shownAs = (accuracy: number, best: number, worst: number): number =>
  accuracy * 100 + (best + 3) * 10 + (worst + 3)

const firstAfter = (time: number): number => Math.floor(time) + 1
