import { maskOf, type Network, type Words } from './network.ts'

const FIRST_ROOM = 1024
const FULL = 0.6

/**
 * Networks in the order in which they came, each once. Takes 17 bytes for each of them and 7 to 14 for the look-up;
 * while it grows, twice as much: 600 MB for 10 million networks.
 */
export type NetworkSet = {
  /** Adds a network; false when it is there. */
  add: (network: Network) => boolean
  size: () => number
  /** The network at a place of 0 to `size() - 1`. */
  words: (at: number) => Words
  bits: (at: number) => number
  /** Whether a wider network of the set contains the network at this place. */
  isCovered: (at: number) => boolean
}

/** An empty set. */
export function networkSet(): NetworkSet {
  let words = new Uint32Array(4 * FIRST_ROOM)
  let lengths = new Uint8Array(FIRST_ROOM)
  /** Places plus one, by the hash of their networks; 0 is free. */
  let table = new Uint32Array(2 * FIRST_ROOM)
  let size = 0
  /** Lengths of the prefixes that there are: lists have few. */
  const present = new Set<number>()

  /** Where a network stands in the table, or where it belongs. */
  const slotOf = (a: number, b: number, c: number, d: number, bits: number): number => {
    const last = table.length - 1
    let slot = hashOf(a, b, c, d, bits) & last
    for (;;) {
      const place = table[slot]! - 1
      if (place < 0) return slot
      const from = 4 * place
      const same = words[from] === a && words[from + 1] === b && words[from + 2] === c && words[from + 3] === d
      if (same && lengths[place] === bits) return slot
      slot = (slot + 1) & last
    }
  }

  const grow = (): void => {
    if (size === lengths.length) {
      const [more, longer] = [new Uint32Array(2 * words.length), new Uint8Array(2 * lengths.length)]
      more.set(words)
      longer.set(lengths)
      words = more
      lengths = longer
    }
    if (size < FULL * table.length) return
    table = new Uint32Array(2 * table.length)
    for (let place = 0; place < size; place++) {
      const from = 4 * place
      table[slotOf(words[from]!, words[from + 1]!, words[from + 2]!, words[from + 3]!, lengths[place]!)] = place + 1
    }
  }

  return {
    add: ({ words: given, bits }) => {
      grow()
      const slot = slotOf(...given, bits)
      if (table[slot] !== 0) return false
      words.set(given, 4 * size)
      lengths[size] = bits
      present.add(bits)
      size++
      table[slot] = size
      return true
    },
    size: () => size,
    words: (at) => [words[4 * at]!, words[4 * at + 1]!, words[4 * at + 2]!, words[4 * at + 3]!],
    bits: (at) => lengths[at]!,
    isCovered: (at) => {
      const from = 4 * at
      for (const bits of present) {
        if (bits >= lengths[at]!) continue
        const masked = (word: number): number => (words[from + word]! & maskOf(bits, word)) >>> 0
        if (table[slotOf(masked(0), masked(1), masked(2), masked(3), bits)] !== 0) return true
      }
      return false
    },
  }
}

/** Mixes all bits of the words into the low ones, which choose the slot. */
function hashOf(a: number, b: number, c: number, d: number, bits: number): number {
  let hash = bits
  for (let at = 0; at < 4; at++) {
    const word = at === 0 ? a : at === 1 ? b : at === 2 ? c : d
    hash = Math.imul(hash ^ word, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return Math.imul(hash, 0x85ebca6b) ^ (hash >>> 13)
}
