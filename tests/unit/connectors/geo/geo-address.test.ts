import { expect, test } from 'vitest'
import { ipv6Words, mappedIpv4 } from '../../../../connectors/geo/geo-address.ts'
import { formatIpv4, parseIpv4 } from '../../../../schemas/intelligence/entities/datatypes/ipv4.ts'

const ipv4 = [
  ['0.0.0.0', 0],
  ['1.2.3.4', 0x01020304],
  ['255.255.255.255', 0xffffffff],
  ['', -1],
  ['1.2.3', -1],
  ['1.2.3.', -1],
  ['.1.2.3', -1],
  ['1..2.3', -1],
  ['1.2.3.4.5', -1],
  ['256.1.1.1', -1],
  ['1.2.3.0004', -1],
  ['1.2.3.x', -1],
  ['2001:db8::1', -1],
] as const
for (const [text, want] of ipv4) {
  test(`"${text}" as IPv4 is ${want}`, () => expect(parseIpv4(text)).toBe(want))
}

test('an IPv4 number is written back with dots', () => {
  for (const text of ['0.0.0.0', '8.8.4.4', '255.255.255.255']) expect(formatIpv4(parseIpv4(text))).toBe(text)
})

test('an IPv6 address is four words', () => {
  expect(ipv6Words('2001:db8::ff:1')).toEqual([0x20010db8, 0, 0, 0x00ff0001])
  expect(ipv6Words('ffff::')).toEqual([0xffff0000, 0, 0, 0])
  expect(ipv6Words('2001:::1')).toBeUndefined()
  expect(ipv6Words('1.2.3.4')).toBeUndefined()
})

test('a mapped IPv4 address is recognised, no other', () => {
  expect(mappedIpv4(ipv6Words('::ffff:1.2.3.4')!)).toBe(0x01020304)
  expect(mappedIpv4(ipv6Words('64:ff9b::1.2.3.4')!)).toBe(-1)
})
