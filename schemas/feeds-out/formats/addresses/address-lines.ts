import type { FeedFormat } from '../format.ts'
import { streamed } from '../writer.ts'
import { listName } from './list-name.ts'
import { ADDRESS_TYPES, blockable } from './network.ts'

/** A writer of one address or network a line, as IPv4 in dots or as IPv6 of RFC 5952, with `/bits` after networks. */
const addressLines = () =>
  streamed(ADDRESS_TYPES, () => ({ say: (item) => (blockable(item) === null ? null : `${item.value}\n`) }))

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

/** A file of a pf table (pfctl, OpenBSD, FreeBSD): one address or network a line. Tables hold nested networks. */
export const pf: FeedFormat = {
  name: 'pf',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: ADDRESS_TYPES,
  write: addressLines(),
}

/** FortiGate external resource of type address: one address or network a line. */
export const fortinetIp: FeedFormat = {
  name: 'fortinet-ip',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: ADDRESS_TYPES,
  write: addressLines(),
}

/** Palo Alto external dynamic list of type IP: one address or network a line. */
export const paloIp: FeedFormat = {
  name: 'palo-ip',
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  readBy: null,
  types: ADDRESS_TYPES,
  write: addressLines(),
}
