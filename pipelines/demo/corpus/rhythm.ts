import type { Dice } from './dice.ts'

const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** Sunday first: people report on working days. */
const DAYS = [0.55, 1, 1.1, 1.1, 1.05, 0.9, 0.5]
/** UTC hours around the middle of the afternoon, the quietest a quarter of the busiest. */
const hourWeight = (hour: number): number => 0.25 + 0.375 * (1 + Math.cos(((hour - 14) / 12) * Math.PI))

/** Moments of a window, in integer unix milliseconds, more of them when people work. */
export type Rhythm = {
  from: number
  to: number
  /** A moment of [since, until], as far as the window holds it. */
  moment(dice: Dice, since: number, until: number): number
}

export function rhythm(from: number, to: number): Rhythm {
  const hours = Math.ceil((to - from) / HOUR)
  /** How much happens before each hour of the window. */
  const before = new Float64Array(hours + 1)
  for (let i = 0; i < hours; i++) {
    const date = new Date(from + i * HOUR)
    const grown = 0.8 + (0.4 * i) / hours
    before[i + 1] = before[i]! + grown * DAYS[date.getUTCDay()]! * hourWeight(date.getUTCHours())
  }

  function amount(time: number): number {
    const at = Math.min(Math.max(time, from), to) - from
    const hour = Math.min(Math.floor(at / HOUR), hours - 1)
    return before[hour]! + (before[hour + 1]! - before[hour]!) * (at / HOUR - hour)
  }

  function timeOf(wanted: number): number {
    let low = 0
    let high = hours - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (before[middle]! <= wanted) low = middle
      else high = middle - 1
    }
    const share = (wanted - before[low]!) / (before[low + 1]! - before[low]!)
    return Math.min(to, Math.floor(from + (low + share) * HOUR))
  }

  return {
    from,
    to,
    moment(dice, since, until) {
      const least = amount(since)
      return timeOf(least + dice.next() * (amount(until) - least))
    },
  }
}
