import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SelectorView } from '../../../../../schemas/intelligence/selectors/selector.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'
import { selectorBodies, views } from '../../../../builders/intelligence/selectors/generated.ts'
import { compiled, view } from '../../../../builders/intelligence/selectors/view.ts'

const HOUR = 3_600_000
const domain = (value: string) => ({ type: 'domain', value })
const url = (value: string) => ({ type: 'url', value })
const cidr = (value: string) => ({ type: 'cidr', value })
const ip = (value: string) => ({ type: 'ip', value })

describe('a selector holds', () => {
  test.each<[string, unknown, Partial<SelectorView>, boolean]>([
    ['everything', {}, {}, true],
    ['not what is well known', {}, { wellKnown: true }, false],
    ['not what is covered', {}, { covered: true }, false],
    ['only what is well known', { wellKnown: true }, { wellKnown: true }, true],
    ['only what is covered', { wellKnown: true }, { covered: true }, true],
    ['only those', { wellKnown: true }, {}, false],
    ['any of both', { wellKnown: 'any' }, { covered: true }, true],
    ['never what is retracted', { wellKnown: 'any' }, { retracted: true }, false],
    ['a type', { types: ['cidr', 'ip'] }, {}, true],
    ['another type', { types: ['domain'] }, {}, false],
    ['a reputation at the bound', { reputation: { lte: -3 } }, { reputation: -3 }, true],
    ['a reputation above it', { reputation: { lte: -3 } }, { reputation: -2 }, false],
    ['a reputation below it', { reputation: { gte: 0, lte: 1 } }, { reputation: -1 }, false],
    ['an accuracy', { accuracy: { gte: 2 } }, { accuracy: 2 }, true],
    ['less accuracy', { accuracy: { gte: 2 } }, { accuracy: 1 }, false],
    ['one of the tags', { tags: { any: ['APT', 'bot'] } }, { tags: ['bot', 'x'] }, true],
    ['none of the tags', { tags: { any: ['apt'] } }, { tags: ['ap', 'apts'] }, false],
    ['each of the tags', { tags: { all: ['a', 'b'] } }, { tags: ['a', 'b', 'c'] }, true],
    ['not each of them', { tags: { all: ['a', 'b'] } }, { tags: ['a'] }, false],
    ['no forbidden tag', { tags: { none: ['a'] } }, { tags: [] }, true],
    ['a forbidden tag', { tags: { any: ['b'], none: ['a'] } }, { tags: ['a', 'b'] }, false],
    ['a country', { country: 'FR' }, { country: 'France' }, true],
    ['no country', { country: 'FR' }, { country: '' }, false],
    ['a network number', { asn: ['AS15169'] }, { asn: 15_169 }, true],
    ['no network number', { asn: [15_169] }, { asn: 0 }, false],
    ['a value in its normal form', { value: { in: ['EXAMPLE.com.'] } }, domain('example.com'), true],
    ['an IPv6 address', { value: { in: ['2001:DB8:0::1'] } }, ip('2001:db8::1'), true],
    ['not the values inside a network', { value: { in: ['198.51.100.0/24'] } }, ip('198.51.100.1'), false],
    ['a network that is a value', { value: { in: ['198.51.100.7/24'] } }, cidr('198.51.100.0/24'), true],
    ['a prefix', { value: { prefix: '203.0.' } }, ip('203.0.113.7'), true],
    ['no prefix', { value: { prefix: '203.1' } }, ip('203.0.113.7'), false],
    ['all that is given of a value', { value: { prefix: 'b', suffix: 'example.com' } }, domain('a.example.com'), false],
    ['a suffix itself', { value: { suffix: 'example.com' } }, domain('example.com'), true],
    ['a name below', { value: { suffix: 'example.com' } }, { type: 'hostname', value: 'a.b.example.com' }, true],
    ['not the end of a label', { value: { suffix: 'example.com' } }, domain('badexample.com'), false],
    ['the host of a URL', { value: { suffix: 'example.com' } }, url('https://u@a.example.com:8443/x'), true],
    ['not the user of a URL', { value: { suffix: 'example.com' } }, url('https://example.com@evil.net/'), false],
    ['not the path of a URL', { value: { suffix: 'example.com' } }, url('https://evil.net/example.com'), false],
    ['not behind a backslash', { value: { suffix: 'example.com' } }, url('http://evil.net\\@example.com/'), false],
    ['mail', { value: { suffix: 'example.com' } }, { type: 'email-address', value: 'x@a.example.com' }, true],
    [
      'not the user of mail',
      { value: { suffix: 'example.com' } },
      { type: 'email-address', value: 'example.com@evil.net' },
      false,
    ],
    ['no text', { value: { suffix: 'example.com' } }, { type: 'text', value: 'a.example.com' }, false],
    ['an address in a network', { cidr: '198.51.100.0/24' }, ip('198.51.100.255'), true],
    ['an address behind it', { cidr: '198.51.100.0/24' }, ip('198.51.101.0'), false],
    ['an address in one of several', { cidr: ['8.0.0.0/8', '198.51.100.0/24', '8.8.8.0/24'] }, ip('8.9.0.0'), true],
    ['the network itself', { cidr: '198.51.100.0/24' }, cidr('198.51.100.0/24'), true],
    ['a network inside', { cidr: '198.51.100.0/24' }, cidr('198.51.100.128/25'), true],
    ['not the network around', { cidr: '198.51.100.0/24' }, cidr('198.51.0.0/16'), false],
    ['all of IPv4', { cidr: '0.0.0.0/0' }, ip('255.255.255.255'), true],
    ['no IPv6 in it', { cidr: '0.0.0.0/0' }, ip('2001:db8::1'), false],
    ['all of IPv6', { cidr: '::/0' }, cidr('2001:db8::/32'), true],
    ['no IPv4 in it', { cidr: '::/0' }, ip('198.51.100.1'), false],
    ['IPv6 in a network', { cidr: '2001:db8::/33' }, ip('2001:db8:7fff:ffff::1'), true],
    ['IPv6 behind it', { cidr: '2001:db8::/33' }, ip('2001:db8:8000::'), false],
    ['no text that looks like an address', { cidr: '198.51.100.0/24' }, { type: 'text', value: '198.51.100.1' }, false],
  ])('%s', (_, body, given, wanted) => {
    expect(compiled(body).holds(view(given), NOW)).toBe(wanted)
  })
})

describe('time alone', () => {
  const recent = compiled({ seenWithin: '24h' })

  test('takes a view out at the end of the window, and no moment earlier', () => {
    const seen = view({ lastSeen: NOW })
    const leaves = NOW + 24 * HOUR
    expect(recent.leavesAt(seen)).toBe(leaves)
    expect(recent.holds(seen, leaves - 1)).toBe(true)
    expect(recent.holds(seen, leaves)).toBe(false)
    expect(recent.holdsAtAnyTime(seen)).toBe(true)
  })

  test('takes nothing out of a selector without a window', () => {
    expect(compiled({ types: ['ip'] }).leavesAt(view())).toBeNull()
  })

  test('a view is inside until it leaves exactly where it is inside at any time', () => {
    fc.assert(
      fc.property(selectorBodies, views, fc.integer({ min: -500, max: 5000 }), (body, given, hours) => {
        const selector = compiled(body)
        const now = NOW + hours * HOUR
        const leaves = selector.leavesAt(given) ?? Infinity
        expect(selector.holds(given, now)).toBe(selector.holdsAtAnyTime(given) && now < leaves)
      }),
    )
  })
})

test('ten thousand values of every kind are ready in a moment', () => {
  const kinds = [
    (i: number) => `198.51.${i >> 8}.${i & 255}`,
    (i: number) => `Host${i}.Example.com`,
    (i: number) => `https://h${i}.example.org/a/b?x=${i}`,
    (i: number) => i.toString(16).padStart(64, 'a'),
  ]
  const listed = Array.from({ length: 10_000 }, (_, i) => kinds[i % 4]!(i))
  const from = process.threadCpuUsage()
  const selector = compiled({ value: { in: listed } })
  const { user, system } = process.threadCpuUsage(from)
  // Microseconds: ten times what it takes, for machines that do other things.
  expect(user + system).toBeLessThan(2_000_000)
  expect(selector.holdsAtAnyTime(view(domain('host9997.example.com')))).toBe(true)
  expect(selector.holdsAtAnyTime(view(domain('host9998.example.com')))).toBe(false)
})
