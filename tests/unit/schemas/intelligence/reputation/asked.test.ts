import { describe, expect, test } from 'vitest'
import { askedOf } from '../../../../../schemas/intelligence/reputation/asked.ts'

const above = (value: string): string[] => askedOf(value).above.levels.map((level) => level.value)
const within = (value: string): string | undefined => askedOf(value).above.within?.value

describe('what may decide for a value', () => {
  test.each<[string, string[]]>([
    ['a.b.evil.example', ['b.evil.example', 'evil.example']],
    ['A.EVIL[.]Example', ['evil.example']],
    ['evil.example', []],
    ['user.github.io', []],
    ['x.mallory.github.io', ['mallory.github.io']],
    ['x.co.uk', []],
    ['x.city.kawasaki.jp', ['city.kawasaki.jp']],
    ['bucket.s3.amazonaws.com', []],
    ['hxxp://a.evil[.]example/x', ['a.evil.example', 'evil.example']],
    ['http://user.github.io/', ['user.github.io']],
    ['http://github.io/', []],
    ['http://co.uk/', []],
    ['http://evil.example./x', ['evil.example']],
    ['x@a.evil.example', ['a.evil.example', 'evil.example']],
    ['x@user.github.io', ['user.github.io']],
    ['x@github.io', []],
    ['http://198.51.100.77:8080/x', ['198.51.100.77']],
    ['http://10.0.0.1/x', []],
    ['203.0.113.9', []],
    ['d41d8cd98f00b204e9800998ecf8427e', []],
    ['just words', []],
  ])('of names: %s', (value, names) => {
    expect(above(value)).toEqual(names)
  })

  test.each<[string, string | undefined]>([
    ['203.0.113.9', '203.0.113.9'],
    ['203[.]0[.]113[.]9', '203.0.113.9'],
    ['203.0.113.9/32', '203.0.113.9'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['2001:DB8:40:0::9', '2001:db8:40::9'],
    ['http://198.51.100.77:8080/x', '198.51.100.77'],
    ['http://[2001:db8::1]/', '2001:db8::1'],
    ['10.0.0.1', undefined],
    ['http://10.0.0.1/', undefined],
    ['evil.example', undefined],
    ['http://evil.example/', undefined],
    ['x@evil.example', undefined],
  ])('of networks: %s', (value, inner) => {
    expect(within(value)).toBe(inner)
  })

  test('a name and a host may be known as either kind of name, an address of a URL as an address', () => {
    expect([...askedOf('a.evil.example').above.levels[0]!.types].sort()).toEqual(['domain', 'hostname'])
    expect([...askedOf('http://198.51.100.77/').above.levels[0]!.types]).toEqual(['ip'])
  })
})

describe('an address that is not public', () => {
  test.each(['10.0.0.1', '192.168.0.1', '127.0.0.1', '169.254.1.1', '::1', 'fe80::1', '10[.]0[.]0[.]1'])(
    '%s inherits nothing',
    (value) => {
      expect(askedOf(value)).toMatchObject({ notPublic: true, subject: null, above: { levels: [], within: null } })
    },
  )

  test.each(['203.0.113.9', '2001:db8::1', 'http://10.0.0.1/', 'evil.example', '10.0.0.1 or so'])(
    '%s is none',
    (value) => {
      expect(askedOf(value).notPublic).toBe(false)
    },
  )
})

describe('a value', () => {
  test('is kept as it was given', () => {
    for (const value of [' 8.8.8.8 ', 'EVIL[.]example', '\u2028', '', 'hxxp://x.example'])
      expect(askedOf(value).value).toBe(value)
  })

  test('with the form of an indicator is looked for under it first, and as a free text beside it', () => {
    const { own, texts, indicator } = askedOf('8.8.8.8')
    expect(indicator).toBe(true)
    expect(own.map(({ value, types }) => [value, types.has('ip')])).toEqual([['8.8.8.8', true]])
    expect(texts.length).toBeGreaterThan(0)
    for (const { value, types } of texts) expect([value, types.has('ip')]).toEqual(['8.8.8.8', false])
  })

  test('without one is a free text, and perhaps a name', () => {
    expect(askedOf('what it is')).toMatchObject({ subject: null, indicator: false })
  })

  test('with half a surrogate pair is looked for as what can be stored', () => {
    for (const { value } of [...askedOf('a\ud800').own, ...askedOf('a\ud800').texts])
      expect(value.isWellFormed()).toBe(true)
    expect(askedOf('a\ud800').value).toBe('a\ud800')
  })

  test('of any kind is never refused', () => {
    for (const value of [
      '',
      '/',
      '@',
      'http://',
      'http://[',
      '1/33',
      '::/129',
      '%',
      '\0',
      'a@',
      '@b',
      '.'.repeat(2_048),
    ])
      expect(() => askedOf(value)).not.toThrow()
  })
})
