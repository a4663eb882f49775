import { halfLifeDays } from '../entities/half-life.ts'
import type { SourceKind } from '../observations/observation.ts'
import { BUILT_IN, type ScoringRules } from './rules.ts'
import { addTo, type Sum, sum, sumBy } from './sums.ts'

/** What of a claim decides how much it counts (decisions 4). */
type Weighable = {
  source: string
  kind?: SourceKind
  /** -3..3; null: a sighting, which counts for nothing. */
  reputation: number | null
  trust: number
  /** Unix milliseconds of the last sighting by its source. */
  at: number
}

/** A stated claim and what it counts: `freshness` is 1 when new and halves with every half-life. */
export type Weighed<C> = {
  claim: C
  reputation: number
  /** Of the rules, else of the claim. */
  trust: number
  freshness: number
  weight: number
}

export type Weights<C> = {
  claims: Weighed<C>[]
  /** Sum of the weights. */
  total: number
  /** Of the reputations, by weight: -3..3; 0 when nothing has any weight left. The median with formula 2. */
  mean: number
  /** How much of the mean holds, 0..1: all for one half-life of the freshest claim, then less. */
  fade: number
}

/**
 * Up to so many claims are added plainly, as ever; more of them precisely, since what plain additions lose grows with
 * their number, until a sum that is kept while claims come and go could not be compared with it (ADR 269).
 */
export const PLAIN = 64
/** A claim is live while twice its freshness is at least this (decisions 4). */
export const LIVE = 0.125
/** Half of the weight, but for what float arithmetic loses. */
export const HALF = 0.5 * (1 - 1e-12)
export const DAY_MS = 86_400_000

export const isLive = ({ freshness }: { freshness: number }): boolean => 2 * freshness >= LIVE

/** What a source is trusted with under rules: its own entry, else that of its kind, else what the claim carries. */
export function trustOf({ source, kind, trust }: Weighable, { trust: by }: ScoringRules): number {
  if (by === BUILT_IN.trust) return trust
  if (Object.hasOwn(by, source)) return by[source]!
  const ofKind = `kind:${kind}`
  return Object.hasOwn(by, ofKind) ? by[ofKind]! : trust
}

/** Weighs what is claimed about an entity of this type as of `now` (unix milliseconds), by the formula of decisions 4. */
export function weigh<C extends Weighable>(
  type: string,
  claims: readonly C[],
  now: number,
  rules: ScoringRules = BUILT_IN,
): Weights<C> {
  const halfLife = halfLifeDays(type, rules) * DAY_MS
  const weighed: Weighed<C>[] = []
  for (const claim of claims) {
    if (claim.reputation === null) continue
    const freshness = 2 ** (-Math.max(0, now - claim.at) / halfLife)
    const trust = trustOf(claim, rules)
    weighed.push({ claim, reputation: claim.reputation, trust, freshness, weight: trust * freshness })
  }
  // Adding floats in one fixed order makes the sum the same for every order of the claims.
  if (weighed.length > 2) weighed.sort((a, b) => a.weight - b.weight || a.reputation - b.reputation)
  let told = 0
  let total = 0
  let freshest = 0
  for (const c of weighed) {
    told += c.weight * c.reputation
    total += c.weight
    if (c.freshness > freshest) freshest = c.freshness
  }
  if (weighed.length > PLAIN) {
    told = sumBy(weighed, (c) => c.weight * c.reputation)
    total = sumBy(weighed, (c) => c.weight)
  }
  const fade = Math.min(1, 2 * freshest)
  // So old that every weight has become 0: nothing is known any more.
  if (total <= 0) return { claims: weighed, total, mean: 0, fade }
  return { claims: weighed, total, mean: rules.formula === 2 ? median(weighed, total) : told / total, fade }
}

/**
 * The reputation that has at most half of the weight on either side. Where a half stands on each side of a gap, all in
 * between would do: the one nearest to 0 is taken.
 */
function median(weighed: readonly Weighed<unknown>[], total: number): number {
  const weights = Array.from({ length: 7 }, sum)
  for (const { reputation, weight } of weighed) addTo(weights[reputation + 3]!, weight)
  return medianOf(weights, HALF * total)
}

/**
 * The same of the weights by reputation + 3, where this much on a side is enough.
 */
export function medianOf(weights: readonly Sum[], enough: number): number {
  let below = 0
  let above = 0
  let low = -3
  let high = 3
  while (below + weights[low + 3]!.high < enough && low < 3) below += weights[low++ + 3]!.high
  while (above + weights[high + 3]!.high < enough && high > -3) above += weights[high-- + 3]!.high
  return low > 0 ? low : Math.min(high, 0)
}
