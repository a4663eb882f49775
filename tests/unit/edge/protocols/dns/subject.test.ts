import { expect, test } from 'vitest'
import type { Prefix } from '../../../../../edge/answers/port.ts'
import { readSubject } from '../../../../../edge/protocols/dns/subject.ts'

const shown = ({ bytes, bits }: Prefix): string => `${Buffer.from(bytes).toString('hex')}/${bits}`
const zeros = (count: number): string => '.0'.repeat(count)

/** 203.0.113.9 is cb007109 in hexadecimal. */
const MAPPED = '9.0.1.7.0.0.b.c.f.f.f.f'

test.each([
  ['four numbers are an address', '9.113.0.203', '203.0.113.9', [], null],
  ['fewer are a network', '113.0.203', null, ['cb007100/24'], null],
  ['and one is', '203', null, ['cb000000/8'], null],
  ['0 is a number', '0.0.0.10', '10.0.0.0', [], null],
  ['below an address there is nothing', '1.9.113.0.203', null, [], null],
  ['numbers end at 255', '9.113.0.256', null, [], null],
  ['and have no zeros in front', '09.113.0.203', null, [], null],
  ['32 digits are an address', `9${zeros(19)}.0.4.0.0.8.b.d.0.1.0.0.2`, '2001:db8:40:0:0:0:0:9', [], null],
  ['below it there is nothing', `1.9${zeros(19)}.0.4.0.0.8.b.d.0.1.0.0.2`, null, [], null],
  ['fewer digits are a network', '8.b.d.0.1.0.0.2', null, ['20010db8000000000000000000000000/32'], null],
  ['an odd count too', 'd.0.1.0.0.2', null, ['20010d00000000000000000000000000/24'], null],
  ['an address of IPv4 in the form of IPv6 is it', `${MAPPED}${zeros(20)}`, '203.0.113.9', [], null],
  ['its network is one of IPv4', `${MAPPED.slice(4)}${zeros(20)}`, null, ['cb007100/24'], null],
  ['also between two bytes', `${MAPPED.slice(2)}${zeros(20)}`, null, ['cb007100/28'], null],
  ['and above it one of IPv6', `f.f.f${zeros(20)}`, null, ['00000000000000000000fff000000000/92'], null],
  ['what may be both is both', '1.0.0.2', '2.0.0.1', ['20010000000000000000000000000000/16'], null],
  ['and so are networks', '0.2', null, ['02000000/16', '20000000000000000000000000000000/8'], null],
  ['two labels are a name', 'evil.example', 'evil.example', [], 'evil.example'],
  ['one is only above names', 'example', null, [], 'example'],
  ['a digit is above names too', 'd', null, ['d0000000000000000000000000000000/4'], 'd'],
  ['names have underscores', '_dmarc.evil_1.example', '_dmarc.evil_1.example', [], '_dmarc.evil_1.example'],
  ['and A-labels, which may end with a digit', 'a.xn--90ais0', 'a.xn--90ais0', [], 'a.xn--90ais0'],
  ['no name ends with a number', 'evil.203', null, [], null],
  ['a foreign byte is in no name', 'ev?l.example', null, [], null],
])('%s: %s', (_, relative, key, networks, name) => {
  const subject = readSubject(relative)
  expect({ ...subject, networks: subject.networks.map(shown) }).toEqual({ key, networks, name })
})
