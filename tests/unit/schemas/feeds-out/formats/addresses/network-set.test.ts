import { expect, test } from 'vitest'
import { formatNetwork } from '../../../../../../schemas/feeds-out/formats/addresses/format-network.ts'
import { blockable } from '../../../../../../schemas/feeds-out/formats/addresses/network.ts'
import { networkSet } from '../../../../../../schemas/feeds-out/formats/addresses/network-set.ts'
import { widestNetworks } from '../../../../../builders/feeds/covered.ts'
import { listItem } from '../../../../../builders/feeds/list-items.ts'
import { numbers } from '../../../../../builders/feeds/random-items.ts'

/** Networks of a small part of the address space, so that many contain others. */
function nested(count: number, seed: number): string[] {
  const below = numbers(seed)
  const values: string[] = []
  while (values.length < count) {
    const bits = below(3) === 0 ? 32 : 20 + below(12)
    const mask = bits === 32 ? -1 : -1 << (32 - bits)
    const address = ((0x08080000 + below(4096)) & mask) >>> 0
    const text = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')
    values.push(below(2) === 0 ? `${text}/${bits}` : `2a00::${(address & 0xffff).toString(16)}:0/${80 + bits}`)
  }
  return values
}

const network = (value: string) => blockable(listItem('cidr', value))

test('a set keeps each network once, in the order in which they came', () => {
  const set = networkSet()
  const values = ['8.8.8.8/32', '8.8.0.0/16', '2a00::/32', '8.8.8.8/32', '8.8.0.0/17']
  expect(values.map((value) => set.add(network(value)!))).toEqual([true, true, true, false, true])
  const kept = Array.from({ length: set.size() }, (_, at) => formatNetwork(set.words(at), set.bits(at)))
  expect(kept).toEqual(['8.8.8.8', '8.8.0.0/16', '2a00::/32', '8.8.0.0/17'])
})

test('a network is covered exactly when a wider one of the set contains it', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const values = nested(900, seed).filter((value) => network(value) !== null)
    const set = networkSet()
    for (const value of values) set.add(network(value)!)
    const open: string[] = []
    for (let at = 0; at < set.size(); at++)
      if (!set.isCovered(at)) open.push(formatNetwork(set.words(at), set.bits(at)))
    expect(open).toEqual(widestNetworks(values))
    expect(open.length).toBeLessThan(set.size())
  }
})
