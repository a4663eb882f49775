import { describe, expect, test } from 'vitest'
import { dnsResponder } from '../../../../../edge/protocols/dns/responder.ts'
import { asking, shortOf, type TypeName } from '../../../../builders/edge/dns/dns-query.ts'
import { type MemoryItem, memoryList } from '../../../../builders/edge/memory-list.ts'

const ITEMS: readonly MemoryItem[] = [
  { type: 'ip', value: '203.0.113.9', reputation: -3, accuracy: 3, tags: ['botnet', 'c2'] },
  { type: 'ip', value: '203.0.113.10', reputation: -2 },
  { type: 'ip', value: '203.0.113.11', reputation: -1 },
  { type: 'ip', value: '203.0.113.12', reputation: 2 },
  { type: 'ip', value: '203.0.113.13', reputation: 0 },
  { type: 'cidr', value: '198.18.4.0/22', reputation: -2 },
  { type: 'cidr', value: '45.60.0.0/14', reputation: -2 },
  { type: 'ip', value: '2a00:db8:40::9', reputation: -3 },
  { type: 'domain', value: 'evil-r4.example', reputation: -3 },
  { type: 'domain', value: 'good.evil-r4.example', reputation: 2 },
  { type: 'domain', value: 'a.b.deep-r4.example', reputation: -1 },
  ...['github.io', 'co.uk', 's3.amazonaws.com', 'blogspot.com', 'kawasaki.jp', 'www.ck', 'city.kawasaki.jp'].map(
    (value) => ({ type: 'domain', value, reputation: -2 }) as const,
  ),
  { type: 'domain', value: 'mallory-r4.github.io', reputation: -2 },
  { type: 'domain', value: '_dns.under_score.example', reputation: -1 },
  { type: 'domain', value: 'xn--e1aybc.xn--p1ai', reputation: -1 },
  { type: 'domain', value: 'x.invalid', reputation: -1 },
]

const list = memoryList(ITEMS)
const responder = dnsResponder({ zone: 'bl.test', answers: list, places: list, ttl: 60 })
const ask = asking(responder)
const short = (name: string, type: TypeName | number = 'A'): string => shortOf(ask(`${name}.bl.test`, type))

const reversed = (digits: string): string => [...digits].reverse().join('.')
const SOA = 'bl.test 60 SOA localhost hostmaster.bl.test 42 60'

describe('what is listed', () => {
  test.each([
    ['9.113.0.203', '127.0.0.4'],
    ['10.113.0.203', '127.0.0.3'],
    ['11.113.0.203', '127.0.0.2'],
    ['12.113.0.203', 'NXDOMAIN'],
    ['13.113.0.203', 'NXDOMAIN'],
    ['14.113.0.203', 'NXDOMAIN'],
    ['1.2.61.45', '127.0.0.3'],
    [reversed('2a000db8004000000000000000000009'), '127.0.0.4'],
    [reversed('2A000DB8004000000000000000000009'), '127.0.0.4'],
    [reversed('2a000db8004000000000000000000008'), 'NXDOMAIN'],
    [reversed('00000000000000000000ffffcb007109'), '127.0.0.4'],
    ['evil-r4.example', '127.0.0.4'],
    ['a.b.evil-r4.example', '127.0.0.4'],
    ['good.evil-r4.example', 'NXDOMAIN'],
    ['xevil-r4.example', 'NXDOMAIN'],
    ['github.io', '127.0.0.3'],
    ['user-r4.github.io', 'NXDOMAIN'],
    ['x.mallory-r4.github.io', '127.0.0.3'],
    ['_dns.under_score.example', '127.0.0.2'],
    ['xn--e1aybc.xn--p1ai', '127.0.0.2'],
    ['clean-r4.example', 'NXDOMAIN'],
  ])('the address of %s is %s', (name, is) => {
    expect(short(name)).toBe(is)
  })

  test.each(['co.uk', 's3.amazonaws.com', 'blogspot.com', 'github.io', 'kawasaki.jp'])(
    'the suffix %s decides for itself alone',
    (name) => {
      expect([short(name), short(`user-r4.${name}`), short(`a.user-r4.${name}`)]).toEqual([
        '127.0.0.3',
        'NXDOMAIN',
        'NXDOMAIN',
      ])
    },
  )

  test.each(['www.ck', 'city.kawasaki.jp'])('%s is none, and decides for what is below it', (name) => {
    expect([short(name), short(`user-r4.${name}`)]).toEqual(['127.0.0.3', '127.0.0.3'])
  })

  test('the text has reputation, accuracy and tags', () => {
    expect(short('9.113.0.203', 'TXT')).toBe('reputation=-3 accuracy=3 tags=botnet,c2')
  })

  test('of other types there is nothing, and of all types one record', () => {
    for (const type of ['AAAA', 'MX', 'NS', 'SOA', 'CNAME', 65] as const)
      expect(short('9.113.0.203', type)).toBe('empty')
    expect(short('9.113.0.203', 'ANY')).toBe('127.0.0.4')
  })
})

describe('above what is listed, asked label by label', () => {
  /** Each shorter name of one, with its type as asked. */
  const above = (name: string): string[] => {
    const labels = name.split('.')
    return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'))
  }

  test.each([
    '9.113.0.203',
    reversed('2a000db8004000000000000000000009'),
    'evil-r4.example',
    'a.b.deep-r4.example',
    '2.0.0.127',
    reversed('00000000000000000000ffff7f000002'),
    reversed('00000000000000000000ffffcb007109'),
  ])('each name above %s exists, without data', (name) => {
    const types = ['A', 'TXT', 'AAAA', 'MX', 'NS', 'ANY'] as const
    for (const one of above(name))
      for (const type of types) expect([one, type, short(one, type)]).toEqual([one, type, 'empty'])
  })

  test('a network that is listed makes what is around and inside of it exist', () => {
    expect([short('45'), short('61.45'), short('2.61.45')]).toEqual(['empty', 'empty', 'empty'])
    expect([short('64.45'), short('116.0.203'), short('44')]).toEqual(['NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN'])
  })

  test('of an unlisted address of IPv6 the names exist that it shares', () => {
    const name = reversed('2a000db8009900000000000000000000')
    const [shared, others] = [above(name).slice(-10), above(name).slice(0, -10)]
    expect(shared.map((one) => short(one))).toEqual(shared.map(() => 'empty'))
    expect(others.map((one) => short(one))).toEqual(others.map(() => 'NXDOMAIN'))
  })

  test('a name that is an address of IPv4 may be above one of IPv6', () => {
    expect(short('0.0.a.2')).toBe('empty')
    const other = memoryList([{ type: 'ip', value: '2001:4860::9', reputation: -1 }])
    const asked = asking(dnsResponder({ zone: 'bl.test', answers: other, places: other, ttl: 60 }))
    expect(shortOf(asked('1.0.0.2.bl.test'))).toBe('empty')
    expect(shortOf(asked('2.0.0.2.bl.test'))).toBe('NXDOMAIN')
  })

  test('below an address there is nothing', () => {
    expect(short('1.9.113.0.203')).toBe('NXDOMAIN')
    expect(short('x.9.113.0.203')).toBe('NXDOMAIN')
    expect(short(`1.${reversed('2a000db8004000000000000000000009')}`)).toBe('NXDOMAIN')
  })

  test('nothing exists once the last entry below it went', () => {
    const shrinking = memoryList([{ type: 'domain', value: 'a.deep-r4.example', reputation: -1 }])
    const asked = asking(dnsResponder({ zone: 'bl.test', answers: shrinking, places: shrinking, ttl: 60 }))
    expect(shortOf(asked('example.bl.test'))).toBe('empty')
    shrinking.items.length = 0
    expect(shortOf(asked('example.bl.test'))).toBe('NXDOMAIN')
  })
})

describe('test entries', () => {
  const test2 = reversed('00000000000000000000ffff7f000002')
  const test1 = reversed('00000000000000000000ffff7f000001')

  test.each(['2.0.0.127', test2, test2.toUpperCase(), 'TEST', 'test'])('%s is listed', (name) => {
    expect(short(name)).toBe('127.0.0.2')
    expect(short(name, 'TXT')).toBe('reputation=-1 accuracy=0 tags=test-entry')
    expect(short(name, 'AAAA')).toBe('empty')
  })

  test.each(['1.0.0.127', test1])('%s is not', (name) => {
    expect([short(name), short(name, 'TXT')]).toEqual(['NXDOMAIN', 'NXDOMAIN'])
  })

  test('INVALID is not, whatever is listed below it', () => {
    expect(short('INVALID')).toBe('empty')
    const empty = memoryList([])
    const asked = asking(dnsResponder({ zone: 'bl.test', answers: empty, places: empty, ttl: 60 }))
    expect(shortOf(asked('INVALID.bl.test'))).toBe('NXDOMAIN')
    expect(shortOf(asked('0.0.127.bl.test'))).toBe('empty')
    expect(shortOf(asked('TEST.bl.test'))).toBe('127.0.0.2')
  })

  test('a list cannot list what must not be listed', () => {
    const everything = { ...list, answer: (value: string) => ({ ...list.answer('203.0.113.9'), value }) as never }
    const asked = asking(dnsResponder({ zone: 'bl.test', answers: everything, places: list, ttl: 60 }))
    expect(shortOf(asked('8.8.8.8.bl.test'))).toBe('127.0.0.4')
    for (const name of ['1.0.0.127', test1]) expect(shortOf(asked(`${name}.bl.test`))).toBe('NXDOMAIN')
  })
})

describe('the apex', () => {
  test('has SOA, NS, the age of the list as text, and nothing else', () => {
    expect(ask('bl.test', 'SOA').answers).toEqual([SOA])
    expect(ask('bl.test', 'NS').answers).toEqual(['bl.test 60 NS localhost'])
    expect(ask('bl.test', 'TXT').answers).toEqual([`bl.test 60 TXT age=12 items=${ITEMS.length} sequence=42`])
    expect(ask('bl.test', 'ANY').answers).toEqual([SOA])
    expect([shortOf(ask('bl.test', 'A')), shortOf(ask('bl.test', 'AAAA'))]).toEqual(['empty', 'empty'])
  })

  test('has the sequence as its serial: at least 1, and 32 bits', () => {
    const serialAt = (sequence: number): string => {
      list.set({ sequence })
      return ask('bl.test', 'SOA').answers[0]!.split(' ')[5]!
    }
    expect([0, 1, 7, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5, 42].map(serialAt)).toEqual([
      '1',
      '1',
      '7',
      '4294967295',
      '1',
      '5',
      '42',
    ])
  })

  test('every answer without data has the SOA of the zone, kept for the time to live', () => {
    for (const name of ['8.8.8.8', 'clean-r4.example', '113.0.203'])
      expect(ask(`${name}.bl.test`).authority).toEqual([SOA])
    expect(ask('9.113.0.203.bl.test', 'MX').authority).toEqual([SOA])
    expect(ask('bl.test', 'A').authority).toEqual([SOA])
    expect(ask('9.113.0.203.bl.test').authority).toEqual([])
  })
})
