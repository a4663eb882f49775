import { isIpv4 } from '../addresses/format-network.ts'
import { ADDRESS_TYPES, blockable, type Words } from '../addresses/network.ts'
import { type NetworkSet, networkSet } from '../addresses/network-set.ts'
import type { FeedFormat, FeedItem } from '../format.ts'
import { held } from '../writer.ts'
import { array, int32, map, mapOf, pointer, string, uint16, uint32, uint64 } from './encode.ts'
import { IS_ITEM, type Tree, tree } from './tree.ts'

/** Bytes of a block. A block that is full is not copied when more comes, as one growing buffer would be. */
const BLOCK_BYTES = 1 << 20

type Blocks = {
  /** Where the bytes begin, counted over all. */
  append: (bytes: Buffer) => number
  size: () => number
  /** All bytes in order, a block at a time. */
  read: () => Iterable<Buffer>
}

/** Bytes that grow. */
function blocks(): Blocks {
  const full: Buffer[] = []
  let size = 0
  return {
    append: (bytes) => {
      const at = size
      for (let from = 0; from < bytes.length; ) {
        const used = size % BLOCK_BYTES
        if (used === 0) full.push(Buffer.allocUnsafe(BLOCK_BYTES))
        const copied = bytes.copy(full.at(-1)!, used, from)
        from += copied
        size += copied
      }
      return at
    },
    size: () => size,
    *read() {
      for (const [at, block] of full.entries()) yield block.subarray(0, size - at * BLOCK_BYTES)
    },
  }
}

/** Characters of sets of tags that are remembered, to be written once. What comes later is written each time. */
const REMEMBERED_TAGS = 2 ** 24

const REMEMBERED_SCORES = 64

const KEYS = ['id', 'reputation', 'accuracy', 'tags'] as const
const START = mapOf(KEYS.length)

type Records = {
  /** Adds what the database says of an item; returns where, in bytes of the data section. */
  add: (item: FeedItem) => number
  data: Blocks
}

/** The data section: keys, and tags that come again, stand once and are pointed to. Some 95 bytes an item. */
function records(): Records {
  const data = blocks()
  const keys = KEYS.map((key) => pointer(data.append(string(key))))
  const known = new Map<string, Buffer>()
  const scores = new Map<string, Buffer>()
  let remembered = 0

  const tagsOf = (tags: readonly string[]): Buffer => {
    const name = JSON.stringify(tags)
    const before = known.get(name)
    if (before !== undefined) return before
    const bytes = array(tags.map(string))
    remembered += name.length
    if (remembered > REMEMBERED_TAGS) return bytes
    const stands = pointer(data.append(bytes))
    known.set(name, stands)
    return stands
  }

  /** Both numbers with their keys: there are 28 pairs of them. */
  const scoreOf = (reputation: number, accuracy: number): Buffer => {
    const name = `${reputation} ${accuracy}`
    const bytes = scores.get(name) ?? Buffer.concat([keys[1]!, int32(reputation), keys[2]!, uint32(accuracy)])
    if (scores.size < REMEMBERED_SCORES) scores.set(name, bytes)
    return bytes
  }

  return {
    add: ({ entityId, reputation, accuracy, tags }) =>
      data.append(
        Buffer.concat([START, keys[0]!, string(entityId), scoreOf(reputation, accuracy), keys[3]!, tagsOf(tags)]),
      ),
    data,
  }
}

const RECORD_BYTES = 4
/** Nodes of a piece of the document. */
const PIECE_NODES = 8192
/** Between the tree and the data; pointers of the tree count them. */
const SEPARATOR_BYTES = 16
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')

/** What the database says of itself. */
type Facts = { name: string; description: string /** Unix seconds. */; builtAt: number }

/**
 * A MaxMind DB of version 2.0 with records of 32 bits, of addresses of both families: IPv4 stands in ::/96.
 * @param offsets where the data of each item begins
 */
function* document(tree: Tree, offsets: readonly number[], data: Blocks, facts: Facts): Generator<Buffer> {
  const nodes = tree.size()
  const recordOf = (node: number, bit: number): number => {
    const record = tree.record(node, bit)
    if (record === 0) return nodes
    return record < IS_ITEM ? record - 1 : nodes + SEPARATOR_BYTES + offsets[record - IS_ITEM]!
  }
  for (let from = 0; from < nodes; from += PIECE_NODES) {
    const to = Math.min(from + PIECE_NODES, nodes)
    const piece = new DataView(new ArrayBuffer(2 * RECORD_BYTES * (to - from)))
    for (let node = from; node < to; node++) {
      const at = 2 * RECORD_BYTES * (node - from)
      piece.setUint32(at, recordOf(node, 0))
      piece.setUint32(at + RECORD_BYTES, recordOf(node, 1))
    }
    yield Buffer.from(piece.buffer)
  }
  yield Buffer.alloc(SEPARATOR_BYTES)
  yield* data.read()
  yield MARKER
  yield metadata(nodes, facts)
}

const metadata = (nodes: number, { name, description, builtAt }: Facts): Buffer => {
  const pairs: [string, Buffer][] = [
    ['binary_format_major_version', uint16(2)],
    ['binary_format_minor_version', uint16(0)],
    ['build_epoch', uint64(builtAt)],
    ['database_type', string(name)],
    ['description', map([string('en'), string(description)])],
    ['ip_version', uint16(6)],
    ['languages', array([])],
    ['node_count', uint32(nodes)],
    ['record_size', uint16(8 * RECORD_BYTES)],
  ]
  return map(pairs.flatMap(([key, value]) => [string(key), value]))
}

/** Bytes of the data section: some 2.8 million items. */
const DATA_BYTES = 2 ** 28
/** Nodes of the tree, 256 MB: 3 million addresses of IPv4, 300,000 of IPv6 that have little in common. */
const MOST_NODES = 2 ** 25
const LENGTHS = 129

/** Places of a set, the widest networks first, so that narrower ones win; equally wide ones as in the feed. */
function widestFirst(set: NetworkSet): Uint32Array {
  const starts = new Uint32Array(LENGTHS + 1)
  for (let at = 0; at < set.size(); at++) starts[set.bits(at) + 1]!++
  for (let bits = 0; bits < LENGTHS; bits++) starts[bits + 1]! += starts[bits]!
  const order = new Uint32Array(set.size())
  for (let at = 0; at < set.size(); at++) {
    const place = starts[set.bits(at)]!++
    order[place] = at
  }
  return order
}

/** Where the database has an address: IPv4 stands in ::/96, where no IPv6 network is listed. */
const inTree = (words: Words): Words => (isIpv4(words) ? [0, 0, 0, words[3]] : words)

/**
 * A MaxMind DB with the record `{id, reputation, accuracy, tags}`; the narrowest network wins (decisions 11.6). Holds
 * the whole list, 800 MB at most: what has no room any more is skipped.
 */
export const mmdb: FeedFormat = {
  name: 'mmdb',
  mediaType: 'application/vnd.maxmind.maxmind-db',
  extension: 'mmdb',
  readBy: 'maxminddb',
  types: ADDRESS_TYPES,
  write: held(ADDRESS_TYPES, ({ name }) => {
    const set = networkSet()
    const { add, data } = records()
    const offsets: number[] = []
    let last = 0
    let noRoom = 0
    return {
      take: (item) => {
        const network = blockable(item)
        if (network === null || data.size() >= DATA_BYTES) return false
        // Of an address and a network of this one address, the first is the worse one.
        if (!set.add(network)) return true
        offsets.push(add(item))
        last = Math.max(last, item.lastSeen)
        return true
      },
      *pieces() {
        const search = tree(MOST_NODES)
        for (const at of widestFirst(set)) if (!search.add(inTree(set.words(at)), set.bits(at), at)) noRoom++
        const facts = { name: 'Harrier-Feed', description: name, builtAt: Math.floor(last / 1000) }
        yield* document(search, offsets, data, facts)
      },
      leftOut: () => noRoom,
    }
  }),
}
