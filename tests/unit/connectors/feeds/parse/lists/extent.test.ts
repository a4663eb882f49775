import { describe, expect, test } from 'vitest'
import { readExtent } from '../../../../../../connectors/feeds/parse/lists/extent.ts'

const read = (text: string): string | string[] | null => {
  const extent = readExtent(text)
  return extent === null ? null : extent.ok ? extent.networks.map(({ value }) => value) : extent.fault
}

describe('addresses that are named together become whole networks', () => {
  const cases: [string, string | string[] | null][] = [
    ['203.0.113.16-203.0.113.31', ['203.0.113.16/28']],
    ['198.51.100.0 - 198.51.100.255', ['198.51.100.0/24']],
    ['198.51.100.0 – 198.51.100.255', ['198.51.100.0/24']],
    ['203.0.113.77-203.0.113.77', ['203.0.113.77']],
    ['203.0.113.5-203.0.113.9', ['203.0.113.5', '203.0.113.6/31', '203.0.113.8/31']],
    ['0.0.0.0-255.255.255.255', ['0.0.0.0/0']],
    ['2001:db8::-2001:db8::ffff', ['2001:db8::/112']],
    ['2001:db8::ffff-2001:db8::1:0', ['2001:db8::ffff', '2001:db8::1:0']],
    ['203[.]0[.]113[.]16 - 203[.]0[.]113[.]31', ['203.0.113.16/28']],
    ['192.0.2.0 255.255.255.0', ['192.0.2.0/24']],
    ['198.51.100.128/255.255.255.128', ['198.51.100.128/25']],
    ['198.51.100.128/255.255.255.255', ['198.51.100.128']],
    ['203.0.113.64 /26', ['203.0.113.64/26']],
    ['2001:db8:: /32', ['2001:db8::/32']],
    ['203.0.113.9-203.0.113.5', 'the range ends before it begins'],
    ['203.0.113.9-2001:db8::', 'a range from IPv4 to IPv6'],
    ['198.51.100.0/255.0.255.0', '255.0.255.0 is not a netmask'],
    ['198.51.100.0/0.0.0.255', '0.0.0.255 is not a netmask'],
    ['198.51.100.1 255.255.255.0', '198.51.100.1 is not the first address of a network of 255.255.255.0'],
    ['203.0.113.64 /33', 'no network of IPv4 has the prefix /33'],
    ['203.0.113.1 203.0.113.9', null],
    ['198.51.100.0/24', null],
    ['a-b.example.com', null],
    ['203.0.113.16-31', null],
    ['http://203.0.113.1/203.0.113.2', null],
  ]
  for (const [text, want] of cases) test(text, () => expect(read(text)).toEqual(want))
})

test('a range is at most 16 networks: the usable addresses of a /24 are 14', () => {
  expect(read('203.0.113.1-203.0.113.254')).toHaveLength(14)
  expect(read('203.0.1.1-203.0.254.254')).toBe('the range is more than 16 whole networks')
})
