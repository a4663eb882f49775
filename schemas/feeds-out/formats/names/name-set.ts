const BLOCK_BYTES = 1 << 20
/** The first block grows up to that: most lists are small. */
const FIRST_BYTES = 1 << 14
const FIRST_ROOM = 1024
const FULL = 0.6
const DOT = 46
/** Longest name of the DNS in its text: a name never needs more than a rest of a block and a new one. */
const LONGEST = 253

/**
 * Names in the order in which they came, each once. Takes the name, 5 bytes for its place and 7 to 14 for the look-up:
 * 400 MB for 10 million names of 22 characters; while the look-up grows, 200 MB more.
 */
export type NameSet = {
  /**
   * Adds a name; false when it is there.
   * @throws RangeError for one that is longer than 253 characters
   */
  add: (name: string) => boolean
  size: () => number
  /** The name at a place of 0 to `size() - 1`. */
  name: (at: number) => string
  /** Whether a name of the set is above this one: `example.com` above `a.b.example.com`. */
  isCovered: (at: number) => boolean
}

/** An empty set of names in ASCII. */
export function nameSet(): NameSet {
  const blocks: Buffer[] = [Buffer.allocUnsafe(FIRST_BYTES)]
  let used = 0
  let places = new Uint32Array(FIRST_ROOM)
  let lengths = new Uint8Array(FIRST_ROOM)
  /** Places plus one, by the hash of their names; 0 is free. */
  let table = new Uint32Array(2 * FIRST_ROOM)
  let size = 0

  /** Where the bytes of a block from `from` to `to` stand in the table as a name, or where they belong. */
  const slotOf = (block: Buffer, from: number, to: number, hash: number): number => {
    const last = table.length - 1
    let slot = finished(hash) & last
    for (;;) {
      const at = table[slot]! - 1
      if (at < 0) return slot
      const [start, length] = [places[at]!, lengths[at]!]
      const other = blocks[Math.floor(start / BLOCK_BYTES)]!
      const begin = start % BLOCK_BYTES
      if (length === to - from && block.compare(other, begin, begin + length, from, to) === 0) return slot
      slot = (slot + 1) & last
    }
  }

  const grow = (): void => {
    if (size === lengths.length) {
      const [more, longer] = [new Uint32Array(2 * places.length), new Uint8Array(2 * lengths.length)]
      more.set(places)
      longer.set(lengths)
      places = more
      lengths = longer
    }
    if (size < FULL * table.length) return
    table = new Uint32Array(2 * table.length)
    for (let at = 0; at < size; at++) {
      const { block, from, to } = bytesOf(at)
      table[slotOf(block, from, to, hashOf(block, from, to))] = at + 1
    }
  }

  /** For the longest name, in the last block. */
  const makeRoom = (): void => {
    const last = blocks.at(-1)!
    if (used + LONGEST <= last.length) return
    const whole = last.length === BLOCK_BYTES
    const block = Buffer.allocUnsafe(whole ? BLOCK_BYTES : 2 * last.length)
    if (whole) used = 0
    else last.copy(block, 0, 0, used)
    blocks[whole ? blocks.length : blocks.length - 1] = block
  }

  const bytesOf = (at: number): { block: Buffer; from: number; to: number } => {
    const from = places[at]! % BLOCK_BYTES
    return { block: blocks[Math.floor(places[at]! / BLOCK_BYTES)]!, from, to: from + lengths[at]! }
  }

  return {
    add: (name) => {
      if (name.length > LONGEST) throw new RangeError(`a name has at most ${LONGEST} characters`)
      grow()
      makeRoom()
      const block = blocks.at(-1)!
      const to = used + block.write(name, used, 'latin1')
      const slot = slotOf(block, used, to, hashOf(block, used, to))
      if (table[slot] !== 0) return false
      places[size] = (blocks.length - 1) * BLOCK_BYTES + used
      lengths[size] = to - used
      used = to
      size++
      table[slot] = size
      return true
    },
    size: () => size,
    name: (at) => {
      const { block, from, to } = bytesOf(at)
      return block.toString('latin1', from, to)
    },
    isCovered: (at) => {
      const { block, from, to } = bytesOf(at)
      let hash = SEED
      for (let byte = to - 1; byte > from; byte--) {
        if (block[byte] === DOT && table[slotOf(block, byte + 1, to, hash)] !== 0) return true
        hash = mixed(hash, block[byte]!)
      }
      return false
    },
  }
}

const SEED = 0x811c9dc5
const mixed = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)
/** The low bits, which choose the slot, learn of all others. */
const finished = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ (hash >>> 13)

/** FNV-1a from the last byte to the first: the hashes of all names above come on the way. */
function hashOf(block: Buffer, from: number, to: number): number {
  let hash = SEED
  for (let byte = to - 1; byte >= from; byte--) hash = mixed(hash, block[byte]!)
  return hash
}
