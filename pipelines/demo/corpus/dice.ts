import { seededRandom } from '../../../platform/random.ts'

/** Choices that follow from a seed, in the order in which they are asked for. */
export type Dice = {
  /** In [0, 1). */
  next(): number
  /** True with this probability. */
  chance(share: number): boolean
  /** An integer in [0, n). */
  below(n: number): number
  of<T>(list: readonly T[]): T
  /** Each with its weight; weights are above 0. */
  weighted<T>(list: readonly (readonly [T, number])[]): T
  /** The first is the likeliest; one that stands twice as far from the beginning is half as likely. */
  ranked<T>(list: readonly T[]): T
  /** Exponentially distributed, with this mean. */
  after(mean: number): number
  shuffled<T>(list: readonly T[]): T[]
}

export function dice(seed: number): Dice {
  const next = seededRandom(seed)
  const below = (n: number): number => Math.floor(next() * n)
  return {
    next,
    below,
    chance: (share) => next() < share,
    of: (list) => list[below(list.length)]!,
    weighted(list) {
      let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of list) {
        left -= weight
        if (left < 0) return value
      }
      return list.at(-1)![0]
    },
    ranked: (list) => list[Math.floor((list.length + 1) ** next()) - 1]!,
    after: (mean) => -Math.log(1 - next()) * mean,
    shuffled(list) {
      const mixed = [...list]
      for (let i = mixed.length - 1; i > 0; i--) {
        const j = below(i + 1)
        const held = mixed[i]!
        mixed[i] = mixed[j]!
        mixed[j] = held
      }
      return mixed
    },
  }
}
