import { describe, expect, test } from 'vitest'
import { collect, summary } from '../../../../../../builders/feeds/collect-feed.ts'

const read = async (...lines: string[]) => summary(await collect(lines.join('\n'), { format: 'unbound' }))

describe('Unbound', () => {
  test('zones that are not answered, and data that leads nowhere', async () => {
    expect(
      await read(
        'server:',
        '  local-zone: "a.example.com." always_nxdomain',
        'local-zone: b.example.com redirect',
        'local-data: "b.example.com A 0.0.0.0"',
        'local-data: "c.example.com 60 IN AAAA ::" # note',
      ),
    ).toEqual(['2: hostname a.example.com', '3: hostname b.example.com', '5: hostname c.example.com'])
  })

  test('everything else is refused by name', async () => {
    expect(
      await read('local-zone: "a.example.com" transparent', 'local-data: "a.example.com A 203.0.113.9"', 'x: y'),
    ).toEqual([
      '1: a local zone of the type transparent blocks nothing',
      '2: leads to 203.0.113.9: the name is not blocked',
      '3: not local-zone or local-data with an address, of Unbound',
    ])
  })
})
