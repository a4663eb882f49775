import { expect, test } from 'vitest'
import { collect, summary } from '../../../../../builders/feeds/collect-feed.ts'

const ranges = async (...lines: string[]) => summary(await collect(lines.join('\n'), { format: 'ranges' }))

test('start, end and the length of the prefix stand in columns', async () => {
  const heading = 'Start\tEnd\tNetmask\tAttacks\tName'
  expect(
    await ranges(
      '# tab separated',
      heading,
      '192.0.2.0\t192.0.2.255\t24\t53505\tNAME ONE',
      '198.51.100.0\t198.51.100.255\t25\t2\tNAME',
      '203.0.113.0,203.0.113.127',
      '203.0.113.128 203.0.113.255',
    ),
  ).toEqual([
    '2: not a range, an address or a network',
    '3: cidr 192.0.2.0/24',
    '4: the range is not a network of the prefix length 25 next to it',
    '5: cidr 203.0.113.0/25',
    '6: cidr 203.0.113.128/25',
  ])
})

test('a label may stand before a range', async () => {
  expect(await ranges('Some bad place: no 2:203.0.113.32-203.0.113.47')).toEqual(['1: cidr 203.0.113.32/28'])
})

test('each network of a range is one, and addresses and networks stand for themselves', async () => {
  expect(await ranges('203.0.113.5-203.0.113.7', '203.0.113.9 # one', '192.0.2.0/24', 'bad.example.com')).toEqual([
    '1: ip 203.0.113.5',
    '1: cidr 203.0.113.6/31',
    '2: ip 203.0.113.9',
    '3: cidr 192.0.2.0/24',
    '4: not a range, an address or a network',
  ])
})
