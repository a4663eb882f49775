import ipaddr from 'ipaddr.js'
import { type Normalised, type Refusal, refuse } from '../refusal.ts'
import { formatIpv4, parseIpv4, unroutableIpv4 } from './ipv4.ts'

const NOT_AN_IP = refuse('must be an IPv4 or IPv6 address')

const reserved = (kind: string): Refusal => refuse(`must be publicly routable: this address is ${kind}`)

/** What an IPv6 range of ipaddr.js is called here; a range that is not listed is accepted. */
const UNROUTABLE_IPV6: Readonly<Record<string, string>> = {
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  loopback: 'loopback',
  linkLocal: 'link-local',
  multicast: 'multicast',
  unspecified: 'unspecified',
}

/** An IPv6 address; null when it is none. Zone ids name an interface of one machine, so they are none here. */
export function parseIpv6(text: string): ipaddr.IPv6 | null {
  if (text.length < 2 || text.length > 45 || !text.includes(':') || text.includes('%')) return null
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null
}

/** The number of the IPv4 address inside an IPv4-mapped one (::ffff:0:0/96), or -1. */
export function embeddedIpv4(address: ipaddr.IPv6): number {
  if (!address.isIPv4MappedAddress()) return -1
  return (address.parts[6] as number) * 65_536 + (address.parts[7] as number)
}

function ipv4(address: number, text: string | null): Normalised {
  const kind = unroutableIpv4(address)
  return kind === null ? (text ?? formatIpv4(address)) : reserved(kind)
}

/** Dotted IPv4, or IPv6 as RFC 5952 writes it; an IPv4-mapped IPv6 address is the IPv4 address (decisions 3.2). */
export function ip(raw: string): Normalised {
  const short = parseIpv4(raw)
  if (short >= 0) return ipv4(short, raw)
  const long = parseIpv6(raw)
  if (long === null) return NOT_AN_IP
  const embedded = embeddedIpv4(long)
  if (embedded >= 0) return ipv4(embedded, null)
  const kind = UNROUTABLE_IPV6[long.range()]
  return kind === undefined ? long.toRFC5952String() : reserved(kind)
}
