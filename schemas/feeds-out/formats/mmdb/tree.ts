import { maskOf, type Words } from '../addresses/network.ts'

/**
 * The search tree of a MaxMind DB: a node for each bit that decides, with a record for 0 and one for 1. A record is 0
 * (nothing), the number of a node plus one, or the place of an item with the highest bit set. 8 bytes a node.
 */
const IS_ITEM = 0x80000000
const FIRST_NODES = 4096

export type Tree = {
  /**
   * Leads a network to an item. Wider networks must come first. False when there is no room for its nodes; then the
   * tree is as before.
   */
  add: (words: Words, bits: number, item: number) => boolean
  /** Nodes, the first of which is the root. */
  size: () => number
  /** The record of a node for 0 or 1. */
  record: (node: number, bit: number) => { node: number } | { item: number } | null
}

/** A tree with its root, of at most `mostNodes` nodes. */
export function tree(mostNodes: number): Tree {
  let records = new Uint32Array(2 * FIRST_NODES)
  let size = 1

  /** Makes the record lead to a new node, both sides of which lead to where the record led. */
  const split = (at: number): number => {
    if (2 * size === records.length) {
      const more = new Uint32Array(2 * records.length)
      more.set(records)
      records = more
    }
    const before = records[at]!
    records[2 * size] = before
    records[2 * size + 1] = before
    records[at] = size + 1
    size++
    return size - 1
  }

  return {
    add: (words, bits, item) => {
      let at = bitOf(words, 0)
      // The nodes that are there already; below them each bit needs a new one.
      let depth = 1
      while (depth < bits && records[at] !== 0 && records[at]! < IS_ITEM) {
        at = 2 * (records[at]! - 1) + bitOf(words, depth)
        depth++
      }
      if (size + bits - depth > mostNodes) return false
      for (; depth < bits; depth++) at = 2 * split(at) + bitOf(words, depth)
      records[at] = (item | IS_ITEM) >>> 0
      return true
    },
    size: () => size,
    record: (node, bit) => {
      const record = records[2 * node + bit]!
      if (record === 0) return null
      return record >= IS_ITEM ? { item: record - IS_ITEM } : { node: record - 1 }
    },
  }
}

/** A bit of an address, the first one being 0. */
const bitOf = (words: Words, at: number): 0 | 1 =>
  (words[at >>> 5]! & maskOf((at & 31) + 1, 0) & ~maskOf(at & 31, 0)) === 0 ? 0 : 1
