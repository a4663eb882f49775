/**
 * Which keys may be there, in memory: a Bloom filter over digests. Most of what a sensor asks is not listed, and is answered
 * without a look at the disk, which takes ten times as long.
 */
export type KnownKeys = {
  add(key: Uint8Array): void
  /** false: it is not there. true: it may be, and for one of a hundred it is not. */
  may(key: Uint8Array): boolean
}

/** Bits of an item: with four of them set for each, one of a hundred others is taken for known. */
const BITS = 10
/** Fewer would be full at once. */
const LEAST = 1 << 16

/**
 * @param items that it is to hold. Nothing is ever taken out: as items come and go it fills up, and is made anew by who holds it
 */
export function knownKeys(items: number): KnownKeys {
  const size = Math.max(LEAST, items * BITS)
  const words = new Uint32Array(Math.ceil(size / 32))

  /** The place of one of the four numbers of a digest, which are as random as any. */
  const at = (key: Uint8Array, i: number): number =>
    ((key[i]! | (key[i + 1]! << 8) | (key[i + 2]! << 16) | (key[i + 3]! << 24)) >>> 0) % size

  return {
    add(key) {
      for (let i = 0; i < 16; i += 4) {
        const bit = at(key, i)
        words[bit >>> 5]! |= 1 << (bit & 31)
      }
    },
    may(key) {
      for (let i = 0; i < 16; i += 4) {
        const bit = at(key, i)
        if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
      }
      return true
    },
  }
}
