import type { FeedFormat } from '../format.ts'
import { streamed } from '../writer.ts'
import { listName } from './list-name.ts'
import { ADDRESS_TYPES, blockable } from './network.ts'

const PATHS = { 4: '/ip firewall address-list', 6: '/ipv6 firewall address-list' } as const

/**
 * A script for `/import` of RouterOS: empties the address list of the feed, then adds each network. An entry that
 * RouterOS refuses (an address that another rule has added meanwhile) must not end the import: `on-error`.
 */
export const mikrotik: FeedFormat = {
  name: 'mikrotik',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'rsc',
  readBy: null,
  types: ADDRESS_TYPES,
  write: streamed(ADDRESS_TYPES, (facts) => {
    const name = listName(facts)
    const empties = Object.values(PATHS).map((path) => `:do { ${path} remove [find list="${name}"] } on-error={}\n`)
    return {
      begin: empties.join(''),
      say: (item) => {
        const network = blockable(item)
        if (network === null) return null
        return `:do { ${PATHS[network.family]} add list="${name}" address=${item.value} } on-error={}\n`
      },
    }
  }),
}
