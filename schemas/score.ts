import { halfLifeDays } from './entities/half-life.ts'

/** What one source claims about one entity, as far as the score needs it (decisions 4). */
export type ScoredClaim = {
  source: string
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

/** A claim is live while twice its freshness is at least this (decisions 4). */
const LIVE = 0.125
const TRUSTED_ALONE = 0.8
const DAY_MS = 86_400_000
const AGREEMENT = 0.75

type Weighed = { source: string; reputation: number; trust: number; freshness: number; weight: number }

/**
 * Reputation and accuracy of an entity from the claims about it, as of `now` (unix milliseconds), by the formula of
 * decisions 4: a mean weighted by trust and freshness that holds for one half-life and fades over the next three.
 * Pure, and independent of the order of the claims. The well-known floor is `floored`.
 */
export function score(type: string, claims: readonly ScoredClaim[], now: number): Score {
  const weighed = weigh(claims, halfLifeDays(type) * DAY_MS, now)
  if (weighed.length === 0) return { reputation: 0, accuracy: 0, best: 0, worst: 0 }
  let sum = 0
  let weight = 0
  let freshest = 0
  for (const c of weighed) {
    sum += c.weight * c.reputation
    weight += c.weight
    if (c.freshness > freshest) freshest = c.freshness
  }
  // So old that every weight has become 0: nothing is known any more.
  const mean = weight > 0 ? sum / weight : 0
  const reputation = roundHalfAway(Math.min(1, 2 * freshest) * mean)
  const live = weighed.filter((c) => 2 * c.freshness >= LIVE)
  return {
    reputation,
    accuracy: accuracy(live, reputation, weight),
    best: live.length === 0 ? 0 : Math.max(...live.map((c) => c.reputation)),
    worst: live.length === 0 ? 0 : Math.min(...live.map((c) => c.reputation)),
  }
}

/** A well-known entity is never evaluated with a negative reputation (specification 4.3, decisions 3.6). */
export const floored = (reputation: number, wellKnown: boolean): number =>
  wellKnown && reputation < 0 ? 0 : reputation

function weigh(claims: readonly ScoredClaim[], halfLife: number, now: number): Weighed[] {
  const weighed: Weighed[] = []
  for (const { source, reputation, trust, at } of claims) {
    if (reputation === null) continue
    const freshness = 2 ** (-Math.max(0, now - at) / halfLife)
    weighed.push({ source, reputation, trust, freshness, weight: trust * freshness })
  }
  // Adding floats in one fixed order makes the sum the same for every order of the claims.
  return weighed.length > 2 ? weighed.sort((a, b) => a.weight - b.weight || a.reputation - b.reputation) : weighed
}

function accuracy(live: readonly Weighed[], reputation: number, weight: number): number {
  const agreeing = live.filter((c) => Math.sign(c.reputation) === Math.sign(reputation))
  const sources = new Set(agreeing.map((c) => c.source)).size
  if (sources >= 3) {
    const agreed = agreeing.reduce((sum, c) => sum + c.weight, 0)
    return agreed >= AGREEMENT * weight * (1 - 1e-12) ? 3 : 2
  }
  if (sources === 2) return 2
  return sources === 1 ? (agreeing.some((c) => c.trust >= TRUSTED_ALONE) ? 2 : 1) : 0
}

/** Halves away from zero; the grain of 1e-9 keeps an exact half a half after float arithmetic. */
function roundHalfAway(x: number): number {
  const grained = Math.round(Math.abs(x) * 1e9) / 1e9
  const rounded = Math.floor(grained + 0.5)
  return x < 0 ? 0 - rounded : rounded
}
