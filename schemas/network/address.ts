/** Addresses that this program may connect to when a user or a report names them. */

import ipaddr from 'ipaddr.js'
import { parseIpv4 } from '../intelligence/entities/datatypes/ipv4.ts'
import { parseIpv6 } from '../intelligence/entities/datatypes/ipv6.ts'

/** Public by their range, and yet answered by the machine's own cloud. */
const METADATA = new Set(['168.63.129.16'])

/** Addresses that the IANA has given out: everything else of IPv6 is special or not in use. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Protocol assignments and documentation, whether or not a smaller range of them has a name in the library. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range))

/** 64:ff9b::/96, how a network without IPv4 reaches it. The local one, 64:ff9b:1::/48, may lead anywhere. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether `text` is an address of the public internet (decisions 7). Anything else is not: private, loopback,
 * link-local, shared, multicast, reserved, documentation, benchmarking, metadata, an address with a zone, no address at
 * all. An IPv6 address that stands for an IPv4 one (mapped, NAT64) is judged as that; 6to4, Teredo and IPv4-compatible
 * ones, which nothing needs any more, are refused, whichever address is inside.
 */
export function isPublicAddress(text: string): boolean {
  // Our own readings first: the library takes octal and shortened forms, and `::8.8.8.8` for a mapped address.
  if (parseIpv4(text) >= 0) return isPublicIpv4(ipaddr.IPv4.parse(text))
  const canonical = parseIpv6(text)
  return canonical !== null && isPublicIpv6(ipaddr.IPv6.parse(canonical))
}

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !METADATA.has(address.toString())

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address())
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return (
    address.range() === 'unicast' &&
    address.match(GLOBAL_UNICAST) &&
    !SPECIAL_IPV6.some((range) => address.match(range))
  )
}
