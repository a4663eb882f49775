import { earlierOf, fadedAt } from '../fading.ts'
import { AGREED, accuracyOf, roundHalfAway, type Score } from '../score.ts'
import { HALF, medianOf, PLAIN } from '../weights.ts'
import type { Lane } from './lane.ts'
import { lostOf } from './losses.ts'
import type { Tally } from './tally.ts'

/** What a score is, and when it is next another (unix milliseconds; null: never). */
export type TalliedScore = Score & { next: number | null }

/** What one operation on floats may be off by, of its result. */
const ROUNDING = 2 ** -53
/** A power of two is off by so much of the rounding of its exponent, and by the rounding of a few operations. */
const OF_EXPONENT = Math.LN2
const OPERATIONS = 48
/** Exponents below lead to weights that are nothing beside one that is live. */
const DEEPEST = 1_100
const NEVER = Number.NEGATIVE_INFINITY
/** Weights below are no longer as exact as others. */
const TINY = 1e-150

const NOTHING: TalliedScore = { reputation: 0, accuracy: 0, best: 0, worst: 0, next: null }

/**
 * What `score` and `nextChange` give for the claims of a tally, as of the time that it was advanced to, to the last
 * bit; null where the sums of the tally and those of `weigh` might be rounded to different answers: then ask `score`.
 * Both are off from the true sums by a known bound, and whatever both bounds allow must give one answer (ADR 269).
 */
export function scoreOfTally(tally: Tally, now: number): TalliedScore | null {
  const { rules, halfLife, lanes, live } = tally
  let newest = NEVER
  for (const lane of lanes) newest = Math.max(newest, lane.last(0)?.at ?? NEVER)
  // What no live claim holds up is rounded to 0: 3 times an eighth is less than a half.
  if (newest === NEVER) return NOTHING
  const sums = sumsOf(tally)
  const { total } = sums
  if (!(total >= TINY)) return null
  const off = offBy(tally, now)
  const middle = rules.formula === 2 ? medianWithin(tally, total, off) : meanWithin(sums, off)
  if (middle === null) return null
  const fade = Math.min(1, 2 * 2 ** (-Math.max(0, now - newest) / halfLife))
  const reputation = agreedOn(middle, (mean) => roundHalfAway(fade * mean))
  if (reputation === null) return null
  const lane = lanes[Math.sign(reputation) + 1]!
  const offLane = (off + 3 * ROUNDING * (2 * PLAIN + lane.blocks.length)) * total
  const agreed = weightOf(lane)
  if (Math.abs(agreed - AGREED * total) <= offLane && lane.size >= 3) return null
  const accuracy = accuracyOf({
    sources: lane.size,
    agreed,
    weight: total,
    trusted: tally.trusted[Math.sign(reputation) + 1]! > 0,
  })
  const best = live.findLastIndex((n) => n > 0) - 3
  const worst = live.findIndex((n) => n > 0) - 3
  const told = { reputation, accuracy, best, worst }
  const faded = agreedOn(middle, (mean) => fadedAt(newest, Math.abs(mean), Math.abs(reputation), halfLife))
  const lost = lostOf(tally, told, { newest, total, agreed, off: offLane })
  return faded === null || lost === null ? null : { ...told, next: earlierOf(faded, lost, now) }
}

/** The least and the most that a number may be. */
type Within = { low: number; high: number }

/** What both ends of a range give; null when they differ. `of` must be monotonic. */
function agreedOn({ low, high }: Within, of: (x: number) => number): number | null {
  const least = of(low)
  return least === of(high) ? least : null
}

/** Of any sum of weights and that of `weigh` together, in parts of it. */
function offBy({ base, halfLife, oldest, stated }: Tally, now: number): number {
  const exponents = Math.min(DEEPEST, (2 * (now - oldest) + (now - base)) / halfLife)
  const additions = stated > PLAIN ? 4 : stated
  return ROUNDING * (OF_EXPONENT * exponents + additions + OPERATIONS)
}

/** Of all weights, of each times what it says, and the same of all signs taken as one. */
type Sums = { total: number; told: number; either: number }

function sumsOf({ weights }: Tally): Sums {
  let [total, told, either] = [0, 0, 0]
  for (let i = 0; i < weights.length; i++) {
    const { high } = weights[i]!
    total += high
    told += high * (i - 3)
    either += high * Math.abs(i - 3)
  }
  return { total, told, either }
}

function meanWithin({ total, told, either }: Sums, off: number): Within {
  const mean = told / total
  const by = (off * either) / total + (off + 4 * ROUNDING) * Math.abs(mean)
  return { low: mean - by, high: mean + by }
}

function weightOf({ blocks }: Lane): number {
  let all = 0
  for (const { weight } of blocks) all += weight
  return all
}

function medianWithin({ weights }: Tally, total: number, off: number): Within | null {
  const least = medianOf(weights, (HALF - off * 2) * total)
  const most = medianOf(weights, (HALF + off * 2) * total)
  return least === most ? { low: least, high: least } : null
}
