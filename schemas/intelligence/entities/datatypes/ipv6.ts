import { isIPv6 } from 'node:net'

/**
 * The RFC 5952 text of an IPv6 address; null when it is none. Zone ids name an interface of one machine, so an address
 * with one is none here. `URL` writes the same text as ipaddr.js and takes a quarter of the time.
 */
export function parseIpv6(text: string): string | null {
  if (text.length > 45 || text.includes('%') || !isIPv6(text)) return null
  return (URL.parse(`http://[${text}]`) as URL).hostname.slice(1, -1)
}

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** The number of the IPv4 address inside an IPv4-mapped one (::ffff:0:0/96), or -1. Takes RFC 5952 text. */
export function embeddedIpv4(canonical: string): number {
  const match = MAPPED.exec(canonical)
  return match === null
    ? -1
    : Number.parseInt(match[1] as string, 16) * 65_536 + Number.parseInt(match[2] as string, 16)
}

/** Why the address names nothing on the public internet; null when it may. Takes RFC 5952 text. */
export function unroutableIpv6(canonical: string): string | null {
  if (canonical === '::') return 'unspecified'
  if (canonical === '::1') return 'loopback'
  // An address that begins with "::" has a first group of 0, which is in none of the ranges.
  const first = Number.parseInt(canonical, 16)
  if (first >= 0xff00) return 'multicast'
  if (first >= 0xfec0) return 'private' // site-local, the deprecated predecessor of unique local
  if (first >= 0xfe80) return 'link-local'
  return first >= 0xfc00 && first <= 0xfdff ? 'private' : null
}
