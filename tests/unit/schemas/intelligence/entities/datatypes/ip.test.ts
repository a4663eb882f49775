import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { cidr } from '../../../../../../schemas/intelligence/entities/datatypes/cidr.ts'
import { ip } from '../../../../../../schemas/intelligence/entities/datatypes/ip.ts'
import { formatIpv4, parseIpv4 } from '../../../../../../schemas/intelligence/entities/datatypes/ipv4.ts'

/** What ipaddr.js calls the ranges that are refused. */
const REFUSED: Readonly<Record<string, string>> = {
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  private: 'private',
  loopback: 'loopback',
  linkLocal: 'link-local',
  multicast: 'multicast',
  unspecified: 'unspecified',
}

const expected = (address: ipaddr.IPv4 | ipaddr.IPv6) => {
  const kind = REFUSED[address.range()]
  return kind === undefined
    ? address.toString()
    : { reason: `must be a publicly routable address; this address is ${kind}` }
}

/** Every first group at its edges, and any address. */
const edges = [
  'fbff',
  'fc00',
  'fdff',
  'fe00',
  'fe7f',
  'fe80',
  'febf',
  'fec0',
  'feff',
  'ff00',
  'ffff',
  'fc',
  'fe8',
  '0',
  '1',
]
const addresses6 = fc.oneof(
  fc.ipV6(),
  fc.constantFrom(...edges).map((first) => `${first}:1::2`),
)

test('property: IPv6 is judged and written as ipaddr.js does it', () => {
  fc.assert(
    fc.property(addresses6, (text) => {
      // The dotted form of the last 32 bits has rows of its own: ipaddr.js takes ::8.8.8.8 for an IPv4-mapped address.
      fc.pre(!text.includes('.'))
      const address = ipaddr.IPv6.parse(text)
      expect(ip(text)).toEqual(expected(address.isIPv4MappedAddress() ? address.toIPv4Address() : address))
    }),
    { numRuns: 5_000 },
  )
})

test('property: IPv4 is judged as ipaddr.js does it, 0.0.0.0/8 apart', () => {
  const octet = fc.oneof(fc.nat(255), fc.constantFrom(10, 127, 169, 172, 192, 224, 239, 240, 254, 168, 16, 31))
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
      fc.pre(octets[0] !== 0)
      const text = octets.join('.')
      expect(formatIpv4(parseIpv4(text))).toBe(text)
      expect(ip(text)).toEqual(expected(ipaddr.IPv4.parse(text)))
    }),
    { numRuns: 5_000 },
  )
})

test('property: an IPv4-mapped address is its IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (text) => {
      expect(ip(`::ffff:${text}`)).toEqual(ip(text))
    }),
  )
})

test('property: the network of a network is itself, and holds the address it was made from', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), (text, bits) => {
      const network = cidr(`${text}/${bits}`)
      if (typeof network !== 'string') return
      expect(cidr(network)).toBe(network)
      const [base, length] = ipaddr.IPv4.parseCIDR(network)
      expect(ipaddr.IPv4.parse(text).match(base, length)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
