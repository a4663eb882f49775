import { expect, test } from 'vitest'
import { addressBlock, networkOf, siteOf } from '../../../../../api/http/addresses/address-block.ts'

const cases: [string, string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['', ''],
]
for (const [ip, want] of cases)
  test(`${ip || 'nothing'} is counted as ${want || 'nothing'}`, () => expect(addressBlock(ip)).toBe(want))

test.each([
  ['192.0.2.1', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['fe80::1%eth0', 'fe80::/48'],
  ['', ''],
])('%s is of the network %s', (ip, want) => expect(networkOf(ip)).toBe(want))

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['', ''],
])('%s is of the site %s', (ip, want) => expect(siteOf(ip)).toBe(want))
