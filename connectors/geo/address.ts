import ipaddr from 'ipaddr.js'

/** Four 32-bit words, most significant first. */
export type Words = readonly [number, number, number, number]

/** Unsigned 32 bits of a dotted IPv4 address; -1 when it is none. On the hot path: no regular expression, no array. */
export function ipv4Number(text: string): number {
  let value = 0
  let octet = 0
  let digits = 0
  let dots = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 46) {
      if (digits === 0 || ++dots > 3) return -1
      value = value * 256 + octet
      octet = digits = 0
      continue
    }
    octet = octet * 10 + code - 48
    if (code < 48 || code > 57 || ++digits > 3 || octet > 255) return -1
  }
  return dots === 3 && digits > 0 ? value * 256 + octet : -1
}

/** The words of an IPv6 address; undefined when it is none. */
export function ipv6Words(text: string): Words | undefined {
  if (!ipaddr.IPv6.isValid(text)) return undefined
  const parts = ipaddr.IPv6.parse(text).parts
  const word = (i: number) => (parts[i]! * 65_536 + parts[i + 1]!) >>> 0
  return [word(0), word(2), word(4), word(6)]
}

/** The embedded IPv4 number of `::ffff:a.b.c.d`; -1 for any other address. */
export const mappedIpv4 = ([a, b, c, d]: Words): number => (a === 0 && b === 0 && c === 0xffff ? d : -1)

/** `a.b.c.d` of an unsigned 32-bit number. */
export const dotted = (n: number): string => `${n >>> 24}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`
