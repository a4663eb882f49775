import { MAPPED_BITS, type Words } from '../addresses/network.ts'

/**
 * The search tree of a MaxMind DB: a node for each bit that decides, with a record for 0 and one for 1. A record is 0
 * (nothing), the number of a node plus one, or the place of an item with the highest bit set. 8 bytes a node.
 */
export const IS_ITEM = 0x80000000
const FIRST_NODES = 4096

export type Tree = {
  /**
   * Leads a network to an item. Wider networks must come first. False when there is no room for its nodes; then the
   * tree is as before.
   */
  add: (words: Words, bits: number, item: number) => boolean
  /** Nodes, the first of which is the root. */
  size: () => number
  /** The record of a node for 0 or 1, as it is kept. */
  record: (node: number, bit: number) => number
}

/** A tree with its root, of at most `mostNodes` nodes. */
export function tree(mostNodes: number): Tree {
  let records = new Uint32Array(2 * FIRST_NODES)
  let size = 1
  /** The node of ::/96, where IPv4 stands; 0: there is none yet. Nearly all addresses are below it. */
  let ipv4 = 0

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
      const isIpv4 = bits > MAPPED_BITS && words[0] === 0 && words[1] === 0 && words[2] === 0
      let depth = isIpv4 && ipv4 !== 0 ? MAPPED_BITS : 0
      let at = 2 * (depth === 0 ? 0 : ipv4) + bitOf(words, depth)
      // The nodes that are there already; below them each bit needs a new one.
      for (depth++; depth < bits && records[at] !== 0 && records[at]! < IS_ITEM; depth++)
        at = 2 * (records[at]! - 1) + bitOf(words, depth)
      if (size + bits - depth > mostNodes) return false
      for (; depth < bits; depth++) {
        const node = split(at)
        if (isIpv4 && depth === MAPPED_BITS) ipv4 = node
        at = 2 * node + bitOf(words, depth)
      }
      records[at] = (item | IS_ITEM) >>> 0
      return true
    },
    size: () => size,
    record: (node, bit) => records[2 * node + bit]!,
  }
}

/** A bit of an address, the first one being 0. */
const bitOf = (words: Words, at: number): number => (words[at >>> 5]! >>> (31 - (at & 31))) & 1
