/** How the entities of a partition are divided, so that those of one part fit into memory at once. */

/** Which part of a partition, and in how many it is divided. */
export type Slice = { partition: number; slice: number; slices: number }

/** Characters at the end of a key that decide: a digest is random enough anywhere. */
const DIGITS = 8

/**
 * A number of 32 bits that follows from the entity a record is keyed by, without decoding it; null when the key is that
 * of no entity, whose record no job applies.
 */
export function keyNumber(key: Uint8Array | null): number | null {
  if (key === null || key.length < DIGITS) return null
  let number = 0
  for (let i = key.length - DIGITS; i < key.length; i++) {
    const digit = digitOf(key[i]!)
    if (digit < 0) return null
    number = number * 16 + digit
  }
  return number
}

const digitOf = (code: number): number =>
  code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1

/** Whether a record of this key belongs to the slice. A record that belongs to no slice is not used at all. */
export function isOf({ slice, slices }: Slice, key: Uint8Array | null): boolean {
  const number = keyNumber(key)
  return number !== null && number % slices === slice
}

const KEPT = 65_536

/**
 * About how many different keys there were, in bounded memory: keys whose number ends in enough zero bits are kept, one
 * bit more whenever there are too many. Off by less than two percent in nearly every case.
 */
export function distinctKeys(kept = KEPT) {
  let seen = new Set<number>()
  let step = 1
  return {
    add(key: Uint8Array | null): void {
      const number = keyNumber(key)
      if (number === null || number % step !== 0) return
      seen.add(number)
      while (seen.size > kept) {
        step *= 2
        const next = step
        seen = new Set([...seen].filter((n) => n % next === 0))
      }
    },
    estimate: (): number => seen.size * step,
  }
}

/** How many slices give each at most `most` entities, with room for what an estimate may be off by. */
export const slicesFor = (entities: number, most: number): number => Math.max(1, Math.ceil((entities * 1.05) / most))
