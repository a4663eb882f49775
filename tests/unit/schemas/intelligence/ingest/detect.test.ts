import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definitionOf } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { type Detected, detect } from '../../../../../schemas/intelligence/ingest/detect.ts'
import { refang } from '../../../../../schemas/intelligence/ingest/refang.ts'
import { MAX_FORMS, searchForms } from '../../../../../schemas/intelligence/ingest/search-forms.ts'

const is = (type: string, value: string, port?: string): Detected =>
  port === undefined ? { type, value } : { type, value, attributes: { port } }

const found: readonly (readonly [string, Detected])[] = [
  ['8.8.8.8', is('ip', '8.8.8.8')],
  [' 8.8.8.8\t', is('ip', '8.8.8.8')],
  ['8[.]8[.]8[.]8', is('ip', '8.8.8.8')],
  ['10.0.0.1', is('ip', '10.0.0.1')],
  ['2001:DB8::1', is('ip', '2001:db8::1')],
  ['::ffff:8.8.8.8', is('ip', '8.8.8.8')],
  ['[2001:db8::1]', is('ip', '2001:db8::1')],
  ['1.2.3.4:80', is('ip', '1.2.3.4', '80/tcp')],
  ['1.2.3.4:53/udp', is('ip', '1.2.3.4', '53/udp')],
  ['1.2.3.4[:]443', is('ip', '1.2.3.4', '443/tcp')],
  ['[2001:db8::1]:443', is('ip', '2001:db8::1', '443/tcp')],
  ['[2001:db8::1]:53/udp', is('ip', '2001:db8::1', '53/udp')],
  ['8.8.8.8/24', is('cidr', '8.8.8.0/24')],
  ['2001:db8::1/32', is('cidr', '2001:db8::/32')],
  ['example.com', is('domain', 'example.com')],
  ['Example.COM.', is('domain', 'example.com')],
  ['example.co.uk', is('domain', 'example.co.uk')],
  ['www.example.co.uk', is('hostname', 'www.example.co.uk')],
  ['name.github.io', is('hostname', 'name.github.io')],
  ['abcdefgh.onion', is('domain', 'abcdefgh.onion')],
  ['co.uk', is('domain', 'co.uk')],
  ['evil(dot)example[.]com', is('hostname', 'evil.example.com')],
  ['bücher.de', is('domain', 'xn--bcher-kva.de')],
  ['example.com:8080', is('domain', 'example.com', '8080/tcp')],
  ['HTTP://Example.com:80/A', is('url', 'http://example.com/A')],
  ['hxxps[:]//evil[.]example/x', is('url', 'https://evil.example/x')],
  ['hXXp://evil.example', is('url', 'http://evil.example/')],
  ['h[tt]ps://evil.example[/]x', is('url', 'https://evil.example/x')],
  ['http[s]://evil.example/x', is('url', 'https://evil.example/x')],
  ['hxxps:\\\\evil.example/x', is('url', 'https://evil.example/x')],
  ['h**ps://evil.example/x', is('url', 'https://evil.example/x')],
  ['meow://evil.example/x', is('url', 'http://evil.example/x')],
  ['evil[.example[.]com', is('hostname', 'evil.example.com')],
  ['evil\\.example\\.com', is('hostname', 'evil.example.com')],
  ['8.8.8.8/32', is('ip', '8.8.8.8')],
  ['8[.]8.8[.]8/32', is('ip', '8.8.8.8')],
  ['2001:db8::1/128', is('ip', '2001:db8::1')],
  ['198.51.100.200/255.255.255.128', is('cidr', '198.51.100.128/25')],
  ['198.51.100.7/255.255.255.255', is('ip', '198.51.100.7')],
  ['10.0.0.1/32', is('ip', '10.0.0.1')],
  ['mailto:Bob@Example.com?subject=x', is('email-address', 'bob@example.com')],
  ['example.com/gate.php', is('url', 'http://example.com/gate.php')],
  ['1.2.3.4/gate.php', is('url', 'http://1.2.3.4/gate.php')],
  ['1.2.3.4:8080/gate.php', is('url', 'http://1.2.3.4:8080/gate.php')],
  ['Bob@Example.com', is('email-address', 'bob@example.com')],
  ['bob[at]example[.]com', is('email-address', 'bob@example.com')],
  ['D41D8CD98F00B204E9800998ECF8427E', is('md5', 'd41d8cd98f00b204e9800998ecf8427e')],
  ['a'.repeat(40), is('sha1', 'a'.repeat(40))],
  ['a'.repeat(56), is('sha224', 'a'.repeat(56))],
  ['a'.repeat(64), is('sha256', 'a'.repeat(64))],
  ['a'.repeat(96), is('sha384', 'a'.repeat(96))],
  ['a'.repeat(128), is('sha512', 'a'.repeat(128))],
  ['CVE-2021-44228', is('cve', 'cve-2021-44228')],
  ['/Bins/Mirai.x86', is('path', '/bins/mirai.x86')],
]
describe('detect', () => {
  for (const [raw, want] of found) test(`reads ${raw.slice(0, 50)}`, () => expect(detect(raw)).toEqual(want))

  const unknown = [
    '198.51.100.7/255.0.255.0',
    '8.8.8.8/8.8.4.4',
    '198.51.100.7/0.0.0.0',
    '2001:db8::/255.255.0.0',
    '',
    '  ',
    'free',
    'two words',
    'C91.196.152.28',
    '1.2.3.4:66086',
    '1.2.3.4:0',
    '1.2.3.4:80:80',
    '1.2.3.4/tcp',
    '[not:an:ip]',
    '[8.8.8.8]:80',
    'http://',
    'a'.repeat(33),
    'CVE-21-1',
    'q(l|r)[0-9]{5,6}\\.pw',
    '.com',
    'a'.repeat(9_000),
    `/${'a'.repeat(9_000)}`,
  ]
  for (const raw of unknown)
    test(`does not guess ${JSON.stringify(raw.slice(0, 40))}`, () => expect(detect(raw)).toBeNull())

  test('property: a type of the catalogue and a stable value, or null; never an exception', () => {
    const raws = found.map(([raw]) => raw)
    const almost = fc
      .tuple(fc.constantFrom(...raws), fc.nat(40), fc.string({ unit: 'binary', maxLength: 3 }))
      .map(([raw, at, other]) => raw.slice(0, at) + other + raw.slice(at + 1))
    fc.assert(
      fc.property(fc.oneof(almost, fc.string({ unit: 'binary' }), fc.webUrl(), fc.emailAddress(), fc.ipV6()), (raw) => {
        const result = detect(raw)
        if (result === null) return
        expect(definitionOf(result.type)).toBeDefined()
        const again = normalise(result.type, result.value)
        if (typeof again === 'string') expect(again).toBe(result.value)
      }),
      { numRuns: 5_000 },
    )
  })
})

test('refang leaves plain text alone', () => {
  for (const plain of ['https://example.com/a(b)', 'fe80::1', 'hxxpress.example', 'C:\\temp'])
    expect(refang(plain)).toBe(plain)
})

describe('search forms', () => {
  const cases = [
    { query: ' Emotet ', want: ['emotet'] },
    { query: '2001:DB8:0::1', want: ['2001:db8:0::1', '2001:db8::1'] },
    { query: 'HXXP://Evil.example:80/X', want: ['hxxp://evil.example:80/x', 'http://evil.example/x'] },
    { query: '00:1b:44:11:3a:b7', want: ['00:1b:44:11:3a:b7', '00-1b-44-11-3a-b7', '001b44113ab7'] },
    { query: '+1 202 555 0143', want: ['+1 202 555 0143', '+12025550143'] },
    {
      query: '{550E8400-E29B-41D4-A716-446655440000}',
      want: ['{550e8400-e29b-41d4-a716-446655440000}', '550e8400-e29b-41d4-a716-446655440000'],
    },
    { query: 'bücher.de', want: ['bücher.de', 'xn--bcher-kva.de'] },
    { query: 'turkey', want: ['turkey', 'türkiye'] },
    { query: '   ', want: [] },
    { query: '\ud800', want: [] },
    { query: 'a'.repeat(65_537), want: [] },
  ]
  for (const { query, want } of cases)
    test(`of ${JSON.stringify(query.slice(0, 40))}`, () => expect(searchForms(query)).toEqual(want))
  test('property: few, distinct, lower-cased', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (query) => {
        const forms = searchForms(query)
        expect(forms.length).toBeLessThanOrEqual(MAX_FORMS)
        expect(new Set(forms).size).toBe(forms.length)
        expect(forms.map((form) => form.toLowerCase())).toEqual(forms)
      }),
    )
  })
})
