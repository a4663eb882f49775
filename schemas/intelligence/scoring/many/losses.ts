import { lostAfter } from '../fading.ts'
import { AGREED, type Score, TRUSTED_ALONE } from '../score.ts'
import { trustOf } from '../weights.ts'
import type { Lane } from './lane.ts'
import type { Tally } from './tally.ts'

const NEVER = Number.POSITIVE_INFINITY

/** Time of the last sighting of all live claims; the weights of all and of those that agree, and how far they may be off. */
type Known = { newest: number; total: number; agreed: number; off: number }

/**
 * When claims stop being live and that shows in accuracy, best or worst (unix milliseconds; Infinity: never), as
 * `nextChange` tells it; null: too close to tell from sums.
 */
export function lostOf(tally: Tally, { reputation, accuracy, best, worst }: Score, known: Known): number | null {
  // The last claim of all leaves nothing behind it, which is shown as 0.
  const extreme = (shown: number): number => {
    const at = lastOf(tally.lanes[Math.sign(shown) + 1]!, shown)
    return shown !== 0 || at < known.newest ? at : NEVER
  }
  const agreed = lessAccurate(tally, Math.sign(reputation), accuracy, known)
  if (agreed === null) return null
  const first = Math.min(extreme(best), extreme(worst), agreed)
  return first === NEVER ? NEVER : lostAfter(first, tally.halfLife)
}

/** The last sighting of the claims with this reputation, the lowest or the highest in the lane; there is one. */
function lastOf({ blocks }: Lane, reputation: number): number {
  const block = blocks.findLast(({ low, high }) => low === reputation || high === reputation)
  return block?.claims.findLast((claim) => claim.reputation === reputation)?.at ?? NEVER
}

/** The last sighting of the claims without which the accuracy is another; null: too close to tell. */
function lessAccurate({ lanes, rules }: Tally, sign: number, accuracy: number, known: Known): number | null {
  if (accuracy === 0) return NEVER
  const lane = lanes[sign + 1]!
  const last = lane.last(0)!
  if (accuracy === 3) {
    const weighed = tooLight(lane, known)
    return weighed === null ? null : Math.min(lane.last(2)!.at, weighed)
  }
  // The last one is as good as two when it is trusted.
  const alone = trustOf(last, rules) >= TRUSTED_ALONE
  return alone ? last.at : (lane.last(1)?.at ?? last.at)
}

/** The earliest time at and before which claims carry so much that what is left after them is less than enough. */
function tooLight({ blocks }: Lane, { total, agreed, off }: Known): number | null {
  const enough = AGREED * total
  let left = agreed
  for (const { claims, weights, weight } of blocks) {
    if (left - weight >= enough + off) {
      left -= weight
      continue
    }
    for (let i = 0; i < claims.length; i++) {
      left -= weights[i]!
      if (left < enough + off) return left < enough - off ? claims[i]!.at : null
    }
  }
  return null
}
