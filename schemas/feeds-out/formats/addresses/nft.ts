import type { FeedFormat } from '../format.ts'
import { held } from '../writer.ts'
import { formatNetwork, isIpv4 } from './format-network.ts'
import { listName } from './list-name.ts'
import { ADDRESS_TYPES, blockable } from './network.ts'
import { type NetworkSet, networkSet } from './network-set.ts'

/** Elements of a command. One command for each would make `nft` compare every element with all before it. */
const ELEMENTS = 100_000

const FAMILIES = [
  { suffix: '4', type: 'ipv4_addr', ipv4: true },
  { suffix: '6', type: 'ipv6_addr', ipv4: false },
]

/** Networks of one family in the order of the feed. Sets of intervals refuse overlaps: what is covered is left out. */
function* elements(set: NetworkSet, ipv4: boolean): Generator<string> {
  for (let at = 0; at < set.size(); at++) {
    const words = set.words(at)
    if (isIpv4(words) === ipv4 && !set.isCovered(at)) yield formatNetwork(words, set.bits(at))
  }
}

function* commands(set: NetworkSet, name: string, ipv4: boolean): Generator<string> {
  let inCommand = 0
  for (const element of elements(set, ipv4)) {
    yield inCommand === 0 ? `add element inet harrier ${name} {\n  ${element}` : `,\n  ${element}`
    inCommand++
    if (inCommand < ELEMENTS) continue
    yield '\n}\n'
    inCommand = 0
  }
  if (inCommand > 0) yield '\n}\n'
}

/**
 * A file for `nft -f`: two sets of the table `inet harrier`, emptied and filled in one transaction. Rules name
 * `harrier-<first half of the id>-4` and `-6`. Holds the networks (`NetworkSet`).
 */
export const nft: FeedFormat = {
  name: 'nft',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'nft',
  readBy: 'nft',
  types: ADDRESS_TYPES,
  write: held(ADDRESS_TYPES, (facts) => {
    const set = networkSet()
    return {
      take: (item) => {
        const network = blockable(item)
        if (network !== null) set.add(network)
        return network !== null
      },
      *pieces() {
        yield 'add table inet harrier\n'
        for (const { suffix, type, ipv4 } of FAMILIES) {
          const name = `${listName(facts)}-${suffix}`
          yield `add set inet harrier ${name} { type ${type}; flags interval; }\nflush set inet harrier ${name}\n`
          yield* commands(set, name, ipv4)
        }
      },
    }
  }),
}
