import { isIpv4 } from '../addresses/format-network.ts'
import { ADDRESS_TYPES, blockable, type Words } from '../addresses/network.ts'
import { type NetworkSet, networkSet } from '../addresses/network-set.ts'
import type { FeedFormat } from '../format.ts'
import { held } from '../writer.ts'
import { document } from './document.ts'
import { records } from './records.ts'
import { tree } from './tree.ts'

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
