/** Who stands behind an address, for counting. */

import ipaddr from 'ipaddr.js'

/** A subscriber has a whole /64 of IPv6: counting single addresses would count nothing. Other texts stay as they are. */
export function addressBlock(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.replace(/%.*$/, '')}/64`).toString()}/64`
}
