/** Slots of 8 bytes: 64 Ki of them take 512 KiB. */
const FIRST_SLOTS = 1 << 16
/** Up to here a look ends after two or three slots. */
const FULL = 0.7
const WORDS = 2

/**
 * A set of 64-bit marks in one table: 10 million of them take 128 MiB. Marks are halves of digests, so they are spread as
 * they come. Nothing is ever taken out: a mark that is not needed any more costs one look at the store where it is met.
 */
export function markSet() {
  let words = new Uint32Array(FIRST_SLOTS * WORDS)
  let mask = FIRST_SLOTS - 1
  let size = 0
  /** The mark 0 looks like an empty slot. */
  let hasZero = false

  /** The slot of the mark, or the empty one where it belongs. */
  function slotOf(table: Uint32Array, within: number, high: number, low: number): number {
    let slot = low & within
    for (;;) {
      const at = slot * WORDS
      const [h, l] = [table[at]!, table[at + 1]!]
      if ((h === high && l === low) || (h === 0 && l === 0)) return at
      slot = (slot + 1) & within
    }
  }

  function grow(): void {
    const larger = new Uint32Array(words.length * 2)
    const within = (mask << 1) | 1
    for (let at = 0; at < words.length; at += WORDS) {
      const [high, low] = [words[at]!, words[at + 1]!]
      if (high === 0 && low === 0) continue
      const to = slotOf(larger, within, high, low)
      larger[to] = high
      larger[to + 1] = low
    }
    words = larger
    mask = within
  }

  return {
    /** Halves of the mark: unsigned numbers of 32 bits. */
    add(high: number, low: number): void {
      if (high === 0 && low === 0) {
        if (!hasZero) size++
        hasZero = true
        return
      }
      const at = slotOf(words, mask, high, low)
      if (words[at] !== 0 || words[at + 1] !== 0) return
      words[at] = high
      words[at + 1] = low
      size++
      if (size > (mask + 1) * FULL) grow()
    },
    has(high: number, low: number): boolean {
      if (high === 0 && low === 0) return hasZero
      const at = slotOf(words, mask, high, low)
      return words[at] !== 0 || words[at + 1] !== 0
    },
    size: (): number => size,
    bytes: (): number => words.byteLength,
  }
}
