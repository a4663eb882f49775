import ipaddr from 'ipaddr.js'
import { type Normalised, refuse } from '../refusal.ts'
import { ip } from './ip.ts'
import { formatIpv4, parseIpv4 } from './ipv4.ts'
import { embeddedIpv4, parseIpv6 } from './ipv6.ts'

const NOT_A_CIDR = refuse('must be a network in CIDR notation, such as 203.0.113.0/24')
const PREFIX = /^(?:0|[1-9]\d{0,2})$/

const network4 = (address: number, bits: number): string =>
  // Shifting by 32 is shifting by 0 in JavaScript, so /0 is its own case.
  formatIpv4(bits === 0 ? 0 : (address & (-1 << (32 - bits))) >>> 0)

/**
 * `network/bits` with the host bits cleared, of any network: private ones and /0 too. A network of IPv4-mapped addresses
 * is the IPv4 network.
 */
export function anyNetwork(raw: string): Normalised {
  const slash = raw.indexOf('/')
  const length = raw.slice(slash + 1)
  if (slash < 2 || !PREFIX.test(length)) return NOT_A_CIDR
  const bits = Number(length)
  const address = raw.slice(0, slash)

  const short = parseIpv4(address)
  if (short >= 0) return bits > 32 ? NOT_A_CIDR : `${network4(short, bits)}/${bits}`

  const long = parseIpv6(address)
  if (long === null || bits > 128) return NOT_A_CIDR
  const embedded = embeddedIpv4(long)
  if (embedded >= 0 && bits >= 96) return `${network4(embedded, bits - 96)}/${bits - 96}`
  return `${parseIpv6(ipaddr.IPv6.networkAddressFromCIDR(`${long}/${bits}`).toString())}/${bits}`
}

/** As `anyNetwork`; the network address must pass the rule for addresses (decisions 3.2). */
export function cidr(raw: string): Normalised {
  const network = anyNetwork(raw)
  if (typeof network !== 'string') return network
  const refused = ip(network.slice(0, network.indexOf('/')))
  return typeof refused === 'string' ? network : refused
}
