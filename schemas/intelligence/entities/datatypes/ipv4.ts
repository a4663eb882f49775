/**
 * Dotted IPv4 to a number 0..2^32-1, or -1. Own code: it is the hot path of feed import, and libraries accept octal,
 * hexadecimal and shortened forms, which different readers take for different addresses.
 */
export function parseIpv4(text: string): number {
  if (text.length < 7 || text.length > 15) return -1
  let address = 0
  let octet = 0
  let digits = 0
  let dots = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 46) {
      if (digits === 0 || ++dots > 3) return -1
      address = address * 256 + octet
      octet = 0
      digits = 0
      continue
    }
    if (code < 48 || code > 57) return -1
    if (digits > 0 && octet === 0) return -1
    octet = octet * 10 + code - 48
    digits++
    if (octet > 255) return -1
  }
  return dots === 3 && digits > 0 ? address * 256 + octet : -1
}

export const formatIpv4 = (address: number): string =>
  `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`

/** Why the address names nothing on the public internet; null when it may. Documentation and shared ranges may. */
export function unroutableIpv4(address: number): string | null {
  const first = address >>> 24
  const second = (address >>> 16) & 255
  if (first === 10 || (first === 172 && second >= 16 && second <= 31) || (first === 192 && second === 168))
    return 'private'
  if (first === 127) return 'loopback'
  if (first === 169 && second === 254) return 'link-local'
  if (first >= 224 && first <= 239) return 'multicast'
  if (address === 0xffffffff) return 'the broadcast address'
  return address === 0 ? 'unspecified' : null
}
