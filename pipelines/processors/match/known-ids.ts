/** Bits of 64 MiB: 56 million ids with one false answer in a hundred. */
const BITS_LOG2 = 29
const HASHES = 7

/**
 * Which ids of events may have been there before: a Bloom filter. It never denies one that was added; what it affirms is
 * looked up in the store. With more ids than it is made for it affirms more, and costs more look-ups.
 */
export function knownIds(bitsLog2 = BITS_LOG2) {
  const words = new Uint32Array(2 ** (bitsLog2 - 5))
  const mask = 2 ** bitsLog2 - 1
  let size = 0

  const bitOf = (a: number, b: number, n: number): number => ((a + Math.imul(b, n)) >>> 0) & mask

  /** Halves of a digest: two numbers that are independent of each other. */
  function add(a: number, b: number): void {
    for (let n = 0; n < HASHES; n++) {
      const bit = bitOf(a, b | 1, n)
      words[bit >>> 5]! |= 1 << (bit & 31)
    }
    size++
  }

  function mayHave(a: number, b: number): boolean {
    for (let n = 0; n < HASHES; n++) {
      const bit = bitOf(a, b | 1, n)
      if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
    }
    return true
  }

  return {
    /** Whether the digest that begins there may have been added. */
    mayHave: (bytes: Buffer, at: number): boolean => mayHave(bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)),
    /** Digests of 16 bytes each, one after another. */
    addAll(bytes: Buffer): void {
      for (let at = 0; at + 16 <= bytes.length; at += 16) add(bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4))
    },
    size: (): number => size,
  }
}

export type KnownIds = ReturnType<typeof knownIds>
