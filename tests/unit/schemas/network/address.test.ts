import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../../schemas/network/address.ts'
import { HOSTILE_ADDRESSES, NO_ADDRESSES } from '../../../builders/network/hostile.ts'

const PUBLIC = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '192.0.1.0'],
  ...[
    '198.17.255.255',
    '198.20.0.0',
    '168.63.129.15',
    '168.63.129.17',
    '223.255.255.255',
    '203.0.112.255',
    '203.0.114.0',
  ],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2001:200::1', '2003::1', '2a00:1450:4001::1', '3ffe::1'],
  ...['::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8'],
]

for (const address of PUBLIC) test(`${address} is public`, () => expect(isPublicAddress(address)).toBe(true))

for (const address of HOSTILE_ADDRESSES)
  test(`${address} is not public`, () => expect(isPublicAddress(address)).toBe(false))

test('what is no address is not public', () => {
  expect(NO_ADDRESSES.filter(isPublicAddress)).toEqual([])
})

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
const hex = (n: number): string => n.toString(16)

test('an IPv4 address is judged the same wherever it stands: alone, mapped or behind NAT64', () => {
  fc.assert(
    fc.property(octets, ([a, b, c, d]) => {
      const dotted = `${a}.${b}.${c}.${d}`
      const last = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
      const want = isPublicAddress(dotted)
      for (const other of [`::ffff:${dotted}`, `::ffff:${last}`, `64:ff9b::${dotted}`, `64:FF9B::${last}`])
        expect([other, isPublicAddress(other)]).toEqual([other, want])
      expect(isPublicAddress(`2002:${last}::1`)).toBe(false)
      expect(isPublicAddress(`::${dotted}`)).toBe(false)
    }),
  )
})

/** The special-purpose registries of IPv4, as numbers instead of a library's ranges. */
const SPECIAL: [number, number][] = [
  ...(
    [
      [0, 8],
      [10, 8],
      [127, 8],
      [224, 4],
      [240, 4],
    ] as [number, number][]
  ).map(([first, bits]): [number, number] => [first * 2 ** 24, bits]),
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0a80000, 16],
  [0x64400000, 10],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xc01fc400, 24],
  [0xc034c100, 24],
  [0xc0af3000, 24],
  [0xa83f8110, 32],
]

test('of IPv4, exactly what no registry calls special is public, up to the edges of its ranges', () => {
  const edges = SPECIAL.flatMap(([from, bits]) => [
    from - 1,
    from,
    from + 2 ** (32 - bits) - 1,
    from + 2 ** (32 - bits),
  ])
  const near = fc.constantFrom(...edges.filter((n) => n >= 0 && n < 2 ** 32))
  fc.assert(
    fc.property(fc.oneof(near, fc.nat(2 ** 32 - 1)), (n) => {
      const dotted = [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.')
      const special = SPECIAL.some(([from, bits]) => n >= from && n < from + 2 ** (32 - bits))
      expect([dotted, isPublicAddress(dotted)]).toEqual([dotted, !special])
    }),
    { numRuns: 2000 },
  )
})

test('an IPv6 address outside of what has been given out is never public, in any spelling the same is said', () => {
  fc.assert(
    fc.property(groups, (parts) => {
      const address = new ipaddr.IPv6(parts)
      const long = parts.map((part) => hex(part).padStart(4, '0')).join(':')
      const said = isPublicAddress(long)
      if ((parts[0]! & 0xe000) !== 0x2000 && parts[0] !== 0 && parts[0] !== 0x64) expect(said).toBe(false)
      expect(isPublicAddress(address.toString())).toBe(said)
      expect(isPublicAddress(long.toUpperCase())).toBe(said)
      expect(isPublicAddress(`${long}%eth0`)).toBe(false)
    }),
  )
})

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void isPublicAddress(text)))
})
