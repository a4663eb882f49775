import { describe, expect, test } from 'vitest'
import { collect, summary } from '../../../../../../builders/feeds/collect-feed.ts'

const read = async (...lines: string[]) => summary(await collect(lines.join('\n'), { format: 'rpz' }))

describe('response policy zones', () => {
  test('names that are not answered, once each, and addresses', async () => {
    expect(
      await read(
        '$TTL 60',
        '$ORIGIN rpz.example.',
        '@ SOA localhost. hostmaster.rpz.example. (',
        '  1 300 60 2592000 60 )',
        '@ NS localhost.',
        'a.example.com CNAME .',
        '*.a.example.com CNAME .',
        'b.example.com 60 IN CNAME *. ; note',
        'c.example.com.rpz.example. IN 60 CNAME rpz-drop.',
        'd.example.com A 0.0.0.0',
        '24.0.2.0.192.rpz-ip CNAME .',
        '32.9.113.0.203.rpz-ip CNAME .',
        '32.zz.db8.2001.rpz-ip CNAME .',
      ),
    ).toEqual([
      ...['6: hostname a.example.com', '8: hostname b.example.com', '9: hostname c.example.com'],
      ...['10: hostname d.example.com', '11: cidr 192.0.2.0/24', '12: ip 203.0.113.9', '13: cidr 2001:db8::/32'],
    ])
  })

  test('rules that block no name are refused by name', async () => {
    expect(
      await read(
        'a.example.com CNAME rpz-passthru.',
        'www.example.com CNAME safe.example.net.',
        'a.example.com A 203.0.113.9',
        '32.9.113.0.203.rpz-client-ip CNAME .',
        'a.example.com. CNAME .',
        '  CNAME .',
        '40.9.113.0.203.rpz-ip CNAME .',
      ),
    ).toEqual([
      '1: CNAME rpz-passthru. does not block the name',
      '2: CNAME safe.example.net. does not block the name',
      '3: A 203.0.113.9 does not block the name',
      '4: a rule for clients or name servers',
      '5: the name is not inside of the zone',
      '6: not a record of a zone with a name, a type and data',
      '7: not an address of rpz-ip',
    ])
  })
})
