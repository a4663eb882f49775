import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isWithin,
  type Network,
  outermostNetworks,
  readNetwork,
} from '../../../../../schemas/intelligence/compare/compare-networks.ts'
import { rangeOf } from '../../../../../schemas/intelligence/propagation/range.ts'

/** Addresses as numbers of so many bits; a second way to say whether one is in a network. */
const bits4 = (text: string): bigint => text.split('.').reduce((n, part) => n * 256n + BigInt(part), 0n)
const address = fc
  .tuple(fc.constantFrom(8, 198), fc.constantFrom(0, 51), fc.nat(3), fc.nat(255))
  .map((p) => p.join('.'))
const prefix = fc.integer({ min: 0, max: 32 })

const read = (text: string): Network => {
  const network = readNetwork(text)
  if ('reason' in network) throw new Error(network.reason)
  return network
}

test('an address is within networks where its first bits are those of one of them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(address, prefix), { maxLength: 8 }), address, (given, one) => {
      const networks = outermostNetworks(given.map(([first, bits]) => read(`${first}/${bits}`)))
      const inside = given.some(
        ([first, bits]) => bits4(first) >> BigInt(32 - bits) === bits4(one) >> BigInt(32 - bits),
      )
      expect(isWithin(networks, rangeOf('ip', one)!)).toBe(inside)
    }),
    { numRuns: 1000 },
  )
})

test('a network is within networks that are as long or shorter and agree with it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(address, prefix), { maxLength: 8 }), address, prefix, (given, one, long) => {
      const networks = outermostNetworks(given.map(([first, bits]) => read(`${first}/${bits}`)))
      const agrees = (first: string, bits: number) =>
        bits <= long && bits4(first) >> BigInt(32 - bits) === bits4(one) >> BigInt(32 - bits)
      expect(isWithin(networks, read(`${one}/${long}`).range)).toBe(given.some(([first, bits]) => agrees(first, bits)))
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['198.51.100.7/24', '198.51.100.0/24'],
  ['10.255.0.1/0', '0.0.0.0/0'],
  [' 2001:DB8::1/64 ', '2001:db8::/64'],
  ['::1/0', '::/0'],
  ['::ffff:10.0.0.1/104', '10.0.0.0/8'],
])('%s is the network %s', (raw, text) => {
  expect(read(raw).text).toBe(text)
})

test.each([
  '198.51.100.7',
  '198.51.100.0/33',
  '198.51.100.0/024',
  '198.51.100.0/',
  '/24',
  'example.com/24',
  'fe80::%eth0/64',
])('%s is refused', (raw) => {
  expect(readNetwork(raw)).toMatchObject({ reason: expect.stringContaining('CIDR') })
})
