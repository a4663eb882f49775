import { halfLifeDays } from '../../entities/half-life.ts'
import type { ScoringRules } from '../rules.ts'
import { type ScoredClaim, TRUSTED_ALONE } from '../score.ts'
import { addTo, type Sum, sum } from '../sums.ts'
import { DAY_MS, isLive, trustOf } from '../weights.ts'
import { type Lane, lane } from './lane.ts'

/** Half-lives after which weights that count from `base` would become too large to be exact. */
const AWAY = 60
/** Claims put and taken away, after which what running sums have lost is no longer beyond all measure. */
const CHANGES = 2 ** 24
/** A sum from which nearly all was taken away again is as inexact as it was when it was great. */
const SHRUNK = 2 ** -20

/**
 * What many claims of one entity add up to, kept while claims come and go, so that a score does not cost in proportion
 * to their number. All of them share one half-life, so their weights keep their proportions: they count from `base`
 * instead of from now. Times are unix milliseconds.
 */
export type Tally = {
  readonly rules: ScoringRules
  readonly halfLife: number
  readonly base: number
  /** Nothing in it is earlier. */
  readonly oldest: number
  /** Claims that state something. */
  readonly stated: number
  /** By reputation + 3: weights of all that is stated, and how many of them are live. */
  readonly weights: readonly Sum[]
  readonly live: readonly number[]
  /** The live ones by sign + 1, and how many of them are enough alone. */
  readonly lanes: readonly Lane[]
  readonly trusted: readonly number[]
  /** Whether it still serves at this time: else another one is made of the claims. */
  serves(now: number): boolean
  /** Time passes; never back. */
  advance(now: number): void
  put(claim: ScoredClaim): void
  /** The very claim that was put. */
  remove(claim: ScoredClaim): void
}

/** The greatest age, in whole milliseconds, of a live claim. */
function liveAge(halfLife: number): number {
  const lives = (age: number): boolean => isLive({ freshness: 2 ** (-age / halfLife) })
  let age = Math.floor(4 * halfLife)
  while (!lives(age)) age--
  while (lives(age + 1)) age++
  return age
}

/** Of claims that were seen at or before `now`. */
export function tallyOf(type: string, claims: readonly ScoredClaim[], now: number, rules: ScoringRules): Tally {
  const halfLife = halfLifeDays(type, rules) * DAY_MS
  const lifetime = liveAge(halfLife)
  const weights = Array.from({ length: 7 }, sum)
  const counts = new Array<number>(7).fill(0)
  const live = new Array<number>(7).fill(0)
  const lanes = Array.from({ length: 3 }, lane)
  const trusted = [0, 0, 0]
  const base = now
  let [time, oldest, stated, changes, peak] = [now, now, 0, 0, 0]

  const weightOf = (claim: ScoredClaim): number => trustOf(claim, rules) * 2 ** ((claim.at - base) / halfLife)
  const isDead = ({ at }: ScoredClaim): boolean => at < time - lifetime

  function countLive(claim: ScoredClaim, reputation: number, n: 1 | -1): void {
    live[reputation + 3]! += n
    if (trustOf(claim, rules) >= TRUSTED_ALONE) trusted[Math.sign(reputation) + 1]! += n
  }

  function put(claim: ScoredClaim): void {
    const { reputation } = claim
    if (reputation === null) return
    const weight = weightOf(claim)
    changes++
    stated++
    counts[reputation + 3]!++
    addTo(weights[reputation + 3]!, weight)
    peak = Math.max(peak, weights[reputation + 3]!.high)
    oldest = Math.min(oldest, claim.at)
    if (isDead(claim)) return
    lanes[Math.sign(reputation) + 1]!.put(claim, weight)
    countLive(claim, reputation, 1)
  }

  // In the order of time, in which a lane takes them at its end.
  for (const claim of claims.toSorted((a, b) => a.at - b.at || (a.source < b.source ? -1 : 1))) put(claim)

  return {
    rules,
    halfLife,
    base,
    weights,
    live,
    lanes,
    trusted,
    get oldest() {
      return oldest
    },
    get stated() {
      return stated
    },
    serves: (now) =>
      now >= time &&
      now - base <= AWAY * halfLife &&
      changes <= CHANGES &&
      weights.reduce((all, { high }) => all + high, 0) >= SHRUNK * peak,
    advance(now) {
      time = now
      for (const of of lanes)
        for (let first = of.first(); first !== undefined && isDead(first); first = of.first()) {
          of.remove(first)
          countLive(first, first.reputation!, -1)
        }
    },
    put,
    remove(claim) {
      const { reputation } = claim
      if (reputation === null) return
      changes++
      stated--
      if (--counts[reputation + 3]! === 0) weights[reputation + 3] = sum()
      else addTo(weights[reputation + 3]!, -weightOf(claim))
      if (isDead(claim)) return
      lanes[Math.sign(reputation) + 1]!.remove(claim)
      countLive(claim, reputation, -1)
    },
  }
}
