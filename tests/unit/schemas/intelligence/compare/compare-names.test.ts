import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hostNameOf,
  isBelow,
  urlsBelow,
  WEB_SCHEMES,
} from '../../../../../schemas/intelligence/compare/compare-names.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { VALUES } from '../../../../builders/intelligence/selectors/generated.ts'
import { longer } from '../../../../builders/platform/longer.ts'

const parts = fc.constantFrom(
  ...[
    'http',
    'HTTPS',
    'ftp',
    'ws',
    'ssh',
    'file',
    'x+y',
    '://',
    '/',
    '\\',
    '@',
    ':',
    '?',
    '#',
    '.',
    '[',
    ']',
    '%41',
    ' ',
  ],
  ...['example.com', 'a.b', 'evil.net', '8.8.8.8', '::1', '80', 'ü', 'user', '日本'],
)
const urls = fc.oneof(
  fc.constantFrom(...VALUES.url!),
  fc
    .tuple(fc.constantFrom('http', 'https', 'ftp', 'wss', 'ssh', 'gopher', 'file'), fc.array(parts, { maxLength: 9 }))
    .map(([scheme, rest]) => `${scheme}://${rest.join('')}`),
  fc.webUrl({
    withFragments: true,
    withQueryParameters: true,
    authoritySettings: { withUserInfo: true, withPort: true },
  }),
)

describe('the host of a URL', () => {
  test('is the one that the URL standard finds in the normal form', () => {
    let compared = 0
    fc.assert(
      fc.property(urls, (raw) => {
        const value = normalise('url', raw)
        const standard = typeof value === 'string' ? URL.parse(value)?.hostname : undefined
        // A host in brackets is no name.
        if (standard === undefined || standard.startsWith('[')) return
        compared++
        expect(hostNameOf('url', value as string)).toBe(standard.toLowerCase().replace(/\.$/, ''))
      }),
      { numRuns: longer(5000) },
    )
    expect(compared).toBeGreaterThan(500)
  })

  test.each([
    ['http://a.example.com:80/x', 'a.example.com'],
    ['http://evil.net\\@example.com/', 'evil.net'],
    ['ssh://us\\er:pass@example.com:22/', 'example.com'],
    ['http://example.com:80@evil.net?x', 'evil.net'],
  ])('of %s is %s', (url, host) => {
    expect(hostNameOf('url', url)).toBe(host)
  })

  test('of no scheme of the web goes on behind a backslash, for the pattern of the store too', () => {
    const value = 'gopher://a.b\\@http'
    expect(hostNameOf('url', value)).toBe('http')
    expect(new RegExp(urlsBelow('b').other).test(value)).toBe(false)
    expect(new RegExp(urlsBelow('http').other).test(value)).toBe(true)
  })

  test('is below a suffix exactly where the pattern of the store says so', () => {
    const suffixes = fc.constantFrom('example.com', 'com', 'a.b', 'evil.net', 'b', 'net', 'a.example.com')
    let below = 0
    fc.assert(
      fc.property(urls, suffixes, (raw, suffix) => {
        const value = normalise('url', raw)
        if (typeof value !== 'string') return
        const { web, other } = urlsBelow(suffix)
        const isWeb = WEB_SCHEMES.includes(value.slice(0, value.indexOf('://')))
        const wanted = isBelow(hostNameOf('url', value)!, suffix)
        if (wanted) below++
        expect(new RegExp(isWeb ? web : other).test(value)).toBe(wanted)
      }),
      { numRuns: longer(5000) },
    )
    expect(below).toBeGreaterThan(100)
  })
})

test.each([
  ['domain', 'example.com', 'example.com'],
  ['email-address', '"x@y"@example.com', 'example.com'],
  ['link', 'http://example.com./', 'example.com'],
  ['text', 'example.com', null],
  ['ip', '198.51.100.1', null],
])('the name of %s %s is %s', (type, value, name) => {
  expect(hostNameOf(type, value)).toBe(name)
})

test.each([
  ['example.com', true],
  ['a.example.com', true],
  ['a.b.example.com', true],
  ['badexample.com', false],
  ['example.com.evil.net', false],
  ['com', false],
  ['', false],
])('%s below example.com: %s', (name, below) => {
  expect(isBelow(name, 'example.com')).toBe(below)
})
