import { type FeedFormat, MAX_ITEMS } from '../format.ts'
import { streamed } from '../writer.ts'
import { listName } from './list-name.ts'
import { ADDRESS_TYPES, blockable } from './network.ts'

const FAMILIES = [
  { suffix: '4', family: 'inet' },
  { suffix: '6', family: 'inet6' },
]

/** The set that rules name, and the one that is filled beside it. */
const setsOf = (name: string) =>
  FAMILIES.map(({ suffix, family }) => ({
    live: `${name}-${suffix}`,
    next: `${name}-${suffix}n`,
    options: `hash:net family ${family} maxelem ${MAX_ITEMS}`,
  }))

/**
 * Input of `ipset restore`: fills sets beside the live ones, then swaps them, so that no packet meets half a list, and
 * a file that is cut on its way changes nothing. Rules name `harrier-<first half of the id>-4` and `-6`.
 */
export const ipset: FeedFormat = {
  name: 'ipset',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'ipset',
  readBy: 'ipset',
  types: ADDRESS_TYPES,
  write: streamed(ADDRESS_TYPES, (facts) => {
    const name = listName(facts)
    const sets = setsOf(name)
    const begin = sets.map(
      ({ live, next, options }) =>
        `create ${live} ${options} -exist\ncreate ${next} ${options} -exist\nflush ${next}\n`,
    )
    return {
      begin: begin.join(''),
      say: (item) => {
        const network = blockable(item)
        // The same network may be listed as an address and as a network: -exist.
        return network === null ? null : `add ${name}-${network.family}n ${item.value} -exist\n`
      },
      end: () => sets.map(({ live, next }) => `swap ${next} ${live}\ndestroy ${next}\n`).join(''),
    }
  }),
}
