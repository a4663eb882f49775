import { expect, test } from 'vitest'
import { collect, summary } from '../../../../../../builders/feeds/collect-feed.ts'

const read = async (...lines: string[]) => summary(await collect(lines.join('\n'), { format: 'hosts' }))

test('each name of a line that leads to no address is one, once', async () => {
  expect(
    await read(
      '# made up',
      '0.0.0.0 a.example.com b.example.com # two on a line',
      '::\ta.example.com',
      '127.0.0.1\tc.example.com#note',
      '0 d.example.com',
    ),
  ).toEqual([
    '2: hostname a.example.com',
    '2: hostname b.example.com',
    '4: hostname c.example.com',
    '5: hostname d.example.com',
  ])
})

test('names of the machine itself are none, and lines that block nothing are refused', async () => {
  expect(
    await read(
      '127.0.0.1 localhost localhost.localdomain',
      '::1 ip6-localhost ip6-loopback',
      '255.255.255.255 broadcasthost',
      'fe80::1%lo0 localhost',
      'ff02::2 ip6-allrouters',
      '0.0.0.0 0.0.0.0',
      '203.0.113.9 intranet.example.com',
      'a.example.com',
      '0.0.0.0',
      '0.0.0.0 a.example.com -x',
    ),
  ).toEqual([
    '7: 203.0.113.9 is an address of its own: the name is not blocked',
    '8: "a.example.com" is not an address of a hosts file',
    '9: no name after the address',
    '10: "-x" is not a domain name',
  ])
})
