import { describe, expect, test } from 'vitest'
import { collect, summary } from '../../../../../../builders/feeds/collect-feed.ts'

const read = async (...lines: string[]) => summary(await collect(lines.join('\n'), { format: 'dnsmasq' }))

describe('dnsmasq', () => {
  test('names without an address or a server', async () => {
    expect(
      await read(
        '# made up',
        'address=/a.example.com/0.0.0.0',
        'address=/a.example.com/::',
        'address=/b.example.com/c.example.com/#',
        'local=/d.example.com/',
        'server=/.e.example.com/ # note',
      ),
    ).toEqual(['2', '4', '4', '5', '6'].map((line, i) => `${line}: hostname ${'abcde'[i]}.example.com`))
  })

  test('everything else is refused by name', async () => {
    expect(await read('address=/a.example.com/203.0.113.9', 'server=/a.example.com/192.0.2.53', 'no-resolv')).toEqual([
      '1: leads to 203.0.113.9: the name is not blocked',
      '2: leads to 192.0.2.53: the name is not blocked',
      '3: not address=/name/, local=/name/ or server=/name/ of dnsmasq',
    ])
  })
})
