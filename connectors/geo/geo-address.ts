import ipaddr from 'ipaddr.js'

/** Four 32-bit words, most significant first. */
export type Words = readonly [number, number, number, number]

/** The words of an IPv6 address; undefined when it is none. */
export function ipv6Words(text: string): Words | undefined {
  if (!ipaddr.IPv6.isValid(text)) return undefined
  const parts = ipaddr.IPv6.parse(text).parts
  const word = (i: number) => (parts[i]! * 65_536 + parts[i + 1]!) >>> 0
  return [word(0), word(2), word(4), word(6)]
}

/** The embedded IPv4 number of `::ffff:a.b.c.d`; -1 for any other address. */
export const mappedIpv4 = ([a, b, c, d]: Words): number => (a === 0 && b === 0 && c === 0xffff ? d : -1)
