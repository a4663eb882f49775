import { expect, test } from 'vitest'
import { mayComeFrom, readClientNetwork } from '../../../../schemas/accounts/client-networks.ts'

test('networks and single addresses are read, private ones too', () => {
  const text = (raw: string) => {
    const read = readClientNetwork(raw)
    return 'reason' in read ? null : read.text
  }
  expect(['10.1.2.3/8', ' 192.168.0.1 ', 'FE80::1', '::ffff:10.0.0.1', '0.0.0.0/0'].map(text)).toEqual([
    '10.0.0.0/8',
    '192.168.0.1/32',
    'fe80::1/128',
    '10.0.0.1/32',
    '0.0.0.0/0',
  ])
  expect(['', 'x', '10.0.0.0/33', '10.0.0', '::/129', 'fe80::1%eth0'].map(text)).toEqual(Array(6).fill(null))
})

test('without networks an address is as good as any, with networks it is in one of them', () => {
  expect(mayComeFrom([], 'anything')).toBe(true)
  const networks = ['10.0.0.0/8', '2001:db8::/32', '10.1.0.0/16']
  expect(['10.255.255.255', '2001:db8:ffff::', '::ffff:10.0.0.1'].map((at) => mayComeFrom(networks, at))).toEqual([
    true,
    true,
    true,
  ])
  expect(['11.0.0.0', '2001:db9::', '', 'x'].some((at) => mayComeFrom(networks, at))).toBe(false)
})
