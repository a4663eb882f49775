/** Units of the limit for the lines of one request, taken portion by portion (decisions 15.1). */

import type { TakenUnits } from '../../../http/limits/up-to.ts'
import type { LinePlaces } from './line-places.ts'

export type LineUnits = {
  /**
   * Takes a unit for each line after `free`, which has its own. Returns the last line that has one; lines behind it have
   * none.
   */
  take(places: LinePlaces, free: number): Promise<number>
}

/** The request has taken one unit by itself. `now` in unix milliseconds. */
export function lineUnits(takeUpTo: (units: number) => Promise<TakenUnits>, now: () => number): LineUnits {
  let ready = 1
  // Once there are none, the next window is waited for: asking for each portion would only cost.
  let againAt = 0
  return {
    async take({ places, count }, free) {
      let first = 0
      while (first < count && places[first * 3]! <= free) first++
      const wanted = count - first
      if (wanted > ready && now() >= againAt) {
        const { taken, againMs } = await takeUpTo(wanted - ready)
        if (againMs > 0) againAt = now() + againMs
        ready += taken
      }
      const served = Math.min(wanted, ready)
      ready -= served
      if (served === wanted) return Number.MAX_SAFE_INTEGER
      const last = first + served - 1
      return last < 0 ? 0 : places[last * 3]!
    },
  }
}
