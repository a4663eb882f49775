import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { isCoveredBy } from '../../../../../schemas/intelligence/propagation/coverage.ts'
import { coveringNetworks, sortNetworks } from '../../../../../schemas/intelligence/propagation/networks.ts'

const around = (ips: readonly string[], networks: readonly string[]): Record<string, string[]> => {
  const found = coveringNetworks(ips, sortNetworks(networks.map((value) => ({ value }))))
  return Object.fromEntries([...found].map(([ip, by]) => [ip, by.map(({ value }) => value)]))
}

const cases: { name: string; ips: string[]; networks: string[]; want: Record<string, string[]> }[] = [
  { name: 'nothing known', ips: ['8.8.8.8'], networks: [], want: {} },
  {
    name: 'the most specific first',
    ips: ['8.8.8.8'],
    networks: ['8.0.0.0/8', '8.8.8.8/32', '8.8.8.0/24', '8.8.9.0/24'],
    want: { '8.8.8.8': ['8.8.8.8/32', '8.8.8.0/24', '8.0.0.0/8'] },
  },
  {
    name: 'a network that begins where an address does',
    ips: ['8.8.8.0', '8.8.7.255'],
    networks: ['8.8.8.0/24'],
    want: { '8.8.8.0': ['8.8.8.0/24'] },
  },
  {
    name: 'families apart',
    ips: ['8.8.8.8', '2001:db8::8'],
    networks: ['8.8.8.0/24', '2001:db8::/32'],
    want: { '8.8.8.8': ['8.8.8.0/24'], '2001:db8::8': ['2001:db8::/32'] },
  },
  {
    name: 'an address that is asked for twice',
    ips: ['8.8.8.8', '8.8.8.8'],
    networks: ['8.8.8.0/24'],
    want: { '8.8.8.8': ['8.8.8.0/24'] },
  },
]
for (const { name, ips, networks, want } of cases)
  test(`covering networks: ${name}`, () => expect(around(ips, networks)).toEqual(want))

test('of more than 32 networks the most specific are told', () => {
  const address = '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'
  const networks = Array.from({ length: 60 }, (_, i) => normalise('cidr', `${address}/${60 + i}`) as string)
  expect(around([address], networks)[address]).toEqual(networks.slice(-32).reverse())
})

const octet = fc.constantFrom(0, 1, 127, 128, 255)
const ip = fc.tuple(fc.constantFrom(8, 9), octet, octet, octet).map((parts) => parts.join('.'))
const network = fc
  .tuple(ip, fc.integer({ min: 6, max: 32 }))
  .map(([address, bits]) => normalise('cidr', `${address}/${bits}`) as string)

test('they are those that the address lies under, by the rule, in order of their length', () => {
  const bits = (text: string): number => Number(text.slice(text.indexOf('/') + 1))
  fc.assert(
    fc.property(fc.array(ip), fc.uniqueArray(network, { maxLength: 20 }), (ips, networks) => {
      const found = around(ips, networks)
      for (const value of ips) {
        const want = networks.filter((n) => isCoveredBy({ type: 'ip', value }, { type: 'cidr', value: n }))
        expect(found[value] ?? []).toEqual(want.sort((a, b) => bits(b) - bits(a)))
      }
    }),
  )
})
