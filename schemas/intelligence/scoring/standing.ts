import { halfLifeDays } from '../entities/half-life.ts'
import { earlierOf, fadedAt } from './fading.ts'
import { BUILT_IN, type ScoringRules } from './rules.ts'
import { type ScoredClaim, score, scoreOfWeights } from './score.ts'
import { DAY_MS, isLive, type Weights, weigh } from './weights.ts'

/** Where the sources of an entity stand, as far as their claims are live (decisions 4, ADR 269). */
export type Standing = {
  /** Distinct sources, also those that only saw the entity and those whose claims have expired. */
  sources: number
  /** Of them, those with a live claim below 0, above 0 and of exactly 0. */
  bad: number
  good: number
  neutral: number
  /** Those whose claims have all expired. */
  expired: number
  /** Unix milliseconds of the newest report of the sources that agree with the reputation, else of any; null: none. */
  newest: number | null
  /** When the claims give another reputation by fading alone, and which one; null: never. */
  next: { at: number; reputation: number } | null
}

/**
 * Of these claims, as of `now` (unix milliseconds), which lies at or after the last sighting of each of them. `next` has
 * the moment at which the scoring job writes the other reputation: it is the formula that the job uses.
 */
export function standingOf(
  type: string,
  claims: readonly ScoredClaim[],
  now: number,
  rules: ScoringRules = BUILT_IN,
): Standing {
  const weights = weigh(type, claims, now, rules)
  const { reputation } = scoreOfWeights(weights)
  const said = new Map<number, Set<string>>([-1, 0, 1].map((sign) => [sign, new Set()]))
  const agreeing: number[] = []
  for (const weighed of weights.claims) {
    if (!isLive(weighed)) continue
    const sign = Math.sign(weighed.reputation)
    said.get(sign)!.add(weighed.claim.source)
    if (sign === Math.sign(reputation)) agreeing.push(weighed.claim.at)
  }
  const live = new Set([...said.values()].flatMap((sources) => [...sources]))
  const stated = new Set(weights.claims.map(({ claim }) => claim.source))
  const times = agreeing.length > 0 ? agreeing : claims.map(({ at }) => at)
  return {
    sources: new Set(claims.map(({ source }) => source)).size,
    bad: said.get(-1)!.size,
    good: said.get(1)!.size,
    neutral: said.get(0)!.size,
    expired: [...stated].filter((source) => !live.has(source)).length,
    newest: times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b)),
    next: nextReputation(type, weights, { reputation, now, rules }),
  }
}

/** When fading alone gives another reputation than this one, and which; null: never. */
function nextReputation(type: string, { claims, mean }: Weights<ScoredClaim>, of: Asked): Standing['next'] {
  if (claims.length === 0) return null
  const freshest = claims.reduce((latest, { claim }) => Math.max(latest, claim.at), 0)
  const faded = fadedAt(freshest, Math.abs(mean), Math.abs(of.reputation), halfLifeDays(type, of.rules) * DAY_MS)
  const at = earlierOf(faded, Number.POSITIVE_INFINITY, of.now)
  const then = claims.map(({ claim }) => claim)
  return at === null ? null : { at, reputation: score(type, then, at, of.rules).reputation }
}

type Asked = { reputation: number; now: number; rules: ScoringRules }
