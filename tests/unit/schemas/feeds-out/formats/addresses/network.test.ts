import { describe, expect, test } from 'vitest'
import { formatNetwork } from '../../../../../../schemas/feeds-out/formats/addresses/format-network.ts'
import { blockable } from '../../../../../../schemas/feeds-out/formats/addresses/network.ts'
import { listItem } from '../../../../../builders/feeds/list-items.ts'
import { randomItems } from '../../../../../builders/feeds/random-items.ts'

const of = (value: string) => blockable(listItem(value.includes('/') ? 'cidr' : 'ip', value))

describe('a device may block', () => {
  test.each([
    ['203.0.113.9', 4, [0, 0, 0xffff, 0xcb007109], 128],
    ['203.0.113.0/24', 4, [0, 0, 0xffff, 0xcb007100], 120],
    ['8.0.0.0/8', 4, [0, 0, 0xffff, 0x08000000], 104],
    ['2001:db8::1', 6, [0x20010db8, 0, 0, 1], 128],
    ['2a00::/12', 6, [0x2a000000, 0, 0, 0], 12],
  ])('%s', (value, family, words, bits) => {
    expect(of(value)).toEqual({ family, words, bits })
  })
})

describe('a device must not block', () => {
  test.each([
    ['everything', '0.0.0.0/0'],
    ['half of everything', '128.0.0.0/1'],
    ['more than anybody has', '8.0.0.0/7'],
    ['everything of IPv6', '::/0'],
    ['all of IPv6 that is in use', '2000::/3'],
    ['a network with private addresses', '172.0.0.0/8'],
    ['a network with private addresses, just around them', '192.168.0.0/15'],
    ['private addresses', '10.0.0.0/8'],
    ['link-local addresses inside of a network', '169.254.0.0/15'],
    ['link-local addresses of IPv6', 'fe80::/12'],
    ['addresses of IPv6 that are private', 'fd00::/12'],
    ['the multicast addresses of IPv6', 'ff00::/12'],
    ['the broadcast address', '255.255.255.255'],
    ['a network with the broadcast address', '255.0.0.0/8'],
    ['loopback', '::1'],
    ['an address that stands for one of IPv4', '::ffff:203.0.113.9'],
    ['networks of such addresses', '::fffe:0:0/95'],
    ['what is not in normal form', '2001:DB8::1'],
    ['a network with bits of hosts', '203.0.113.9/24'],
    ['what is no address', 'bad.example.com'],
    ['nothing', ''],
  ])('%s', (_, value) => {
    expect(of(value)).toBeNull()
  })

  test('values of other types', () => {
    expect(blockable(listItem('text', '203.0.113.9'))).toBeNull()
    expect(blockable(listItem('ip', '203.0.113.0/24'))).toBeNull()
    expect(blockable(listItem('cidr', '203.0.113.9'))).toBeNull()
  })
})

test('a network is written as the normal form that it was read from', () => {
  const items = randomItems(3000, 17).filter((item) => blockable(item) !== null)
  expect(items.length).toBeGreaterThan(400)
  for (const item of items) {
    const { words, bits } = blockable(item)!
    expect(formatNetwork(words, bits)).toBe(item.value.replace(item.value.includes(':') ? /\/128$/ : /\/32$/, ''))
  }
})
