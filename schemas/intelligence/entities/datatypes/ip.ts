import { type Normalised, type Refusal, refuse } from '../refusal.ts'
import { formatIpv4, parseIpv4, unroutableIpv4 } from './ipv4.ts'
import { embeddedIpv4, parseIpv6, unroutableIpv6 } from './ipv6.ts'

const NOT_AN_IP = refuse('must be an IPv4 or IPv6 address')

const notRoutable = (kind: string): Refusal => refuse(`must be a publicly routable address; this address is ${kind}`)

function ipv4(address: number, text: string): Normalised {
  const kind = unroutableIpv4(address)
  return kind === null ? text : notRoutable(kind)
}

/** Dotted IPv4, or IPv6 as RFC 5952 writes it; an IPv4-mapped IPv6 address is the IPv4 address (decisions 3.2). */
export function ip(raw: string): Normalised {
  const short = parseIpv4(raw)
  if (short >= 0) return ipv4(short, raw)
  const long = parseIpv6(raw)
  if (long === null) return NOT_AN_IP
  const embedded = embeddedIpv4(long)
  if (embedded >= 0) return ipv4(embedded, formatIpv4(embedded))
  const kind = unroutableIpv6(long)
  return kind === null ? long : notRoutable(kind)
}
