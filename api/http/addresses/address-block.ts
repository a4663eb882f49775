/** Who stands behind an address, for counting. */

import ipaddr from 'ipaddr.js'

/** A subscriber has a whole /64 of IPv6: counting single addresses would count nothing. Other texts stay as they are. */
export function addressBlock(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.replace(/%.*$/, '')}/64`).toString()}/64`
}

/** Who may fill a room that all share: an address of IPv4, the /48 that a site has of IPv6. Other texts stay as they are. */
export const siteOf = (ip: string): string => (ipaddr.IPv6.isValid(ip) ? networkOf(ip) : ip)

/** The network around an address: a /24 of IPv4, the /48 that a site has of IPv6. Other texts stay as they are. */
export function networkOf(ip: string): string {
  if (ipaddr.IPv4.isValid(ip)) return `${ipaddr.IPv4.networkAddressFromCIDR(`${ip}/24`).toString()}/24`
  if (!ipaddr.IPv6.isValid(ip)) return ip
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.replace(/%.*$/, '')}/48`).toString()}/48`
}
