import type { Blocks } from './blocks.ts'
import { array, map, string, uint16, uint32, uint64 } from './encode.ts'
import { IS_ITEM, type Tree } from './tree.ts'

const RECORD_BYTES = 4
/** Nodes of a piece of the document. */
const PIECE_NODES = 8192
/** Between the tree and the data; pointers of the tree count them. */
const SEPARATOR_BYTES = 16
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')

/** What the database says of itself. */
export type Facts = { name: string; description: string /** Unix seconds. */; builtAt: number }

/**
 * A MaxMind DB of version 2.0 with records of 32 bits, of addresses of both families: IPv4 stands in ::/96.
 * @param offsets where the data of each item begins
 */
export function* document(tree: Tree, offsets: readonly number[], data: Blocks, facts: Facts): Generator<Buffer> {
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
