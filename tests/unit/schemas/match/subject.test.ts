import { describe, expect, test } from 'vitest'
import { registrableOf } from '../../../../schemas/intelligence/compare/names-above.ts'
import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import type { FieldName } from '../../../../schemas/match/event.ts'
import { subjectOf } from '../../../../schemas/match/subject.ts'

const looked = (field: FieldName, raw: string): string[] =>
  (subjectOf(field, raw)?.lookups ?? []).map(({ value, types }) => `${value} ${types[0]}`)

describe('a subject', () => {
  test.each<[FieldName, string, ReturnType<typeof subjectOf>]>([
    [
      'query',
      'WWW.Example.COM.',
      {
        kind: 'name',
        value: 'www.example.com',
        host: 'www.example.com',
        address: null,
        lookups: [
          { value: 'www.example.com', types: ['domain', 'hostname'] },
          { value: 'example.com', types: ['domain', 'hostname'] },
        ],
      },
    ],
    [
      'dst',
      '198.51.100.7',
      {
        kind: 'address',
        value: '198.51.100.7',
        host: null,
        address: '198.51.100.7',
        lookups: [{ value: '198.51.100.7', types: ['ip'] }],
      },
    ],
    [
      'md5',
      'D41D8CD98F00B204E9800998ECF8427E',
      {
        kind: 'digest',
        value: 'd41d8cd98f00b204e9800998ecf8427e',
        host: null,
        address: null,
        lookups: [{ value: 'd41d8cd98f00b204e9800998ecf8427e', types: ['md5', 'file'] }],
      },
    ],
    [
      'email',
      'Ann <Ann@Example.com>',
      {
        kind: 'mail',
        value: 'ann@example.com',
        host: null,
        address: null,
        lookups: [{ value: 'ann@example.com', types: ['email-address', 'eppn', 'jabber-id'] }],
      },
    ],
  ])('of %s %s', (field, raw, subject) => {
    expect(subjectOf(field, raw)).toEqual(subject)
  })

  test.each<[FieldName, string, string[]]>([
    ['query', 'a.b.example.co.uk', ['a.b.example.co.uk domain', 'b.example.co.uk domain', 'example.co.uk domain']],
    ['query', 'co.uk', ['co.uk domain']],
    ['query', 'example.co.uk', ['example.co.uk domain']],
    ['query', 'x.github.io', ['x.github.io domain', 'github.io domain']],
    ['query', 'a.bücher.example', ['a.xn--bcher-kva.example domain', 'xn--bcher-kva.example domain']],
    [
      'query',
      '7.100.51.198.in-addr.arpa',
      ['7.100.51.198', '100.51.198', '51.198', '198'].map((one) => `${one}.in-addr.arpa domain`),
    ],
    ['src', 'pc.example.com', ['pc.example.com domain', 'example.com domain']],
    ['answers', '2001:DB8:0:0::1', ['2001:db8::1 ip']],
    ['hostname', '::ffff:198.51.100.7', ['198.51.100.7 ip']],
    ['sha1', 'A'.repeat(40), [`${'a'.repeat(40)} sha1`]],
    ['sha256', 'a'.repeat(64), [`${'a'.repeat(64)} sha256`]],
    ['ja3', 'a'.repeat(32), [`${'a'.repeat(32)} ja3-fingerprint`]],
    [
      'url',
      'HTTPS://Cdn.Example.com:443/A?b#c',
      ['https://cdn.example.com/A?b#c file-data', 'cdn.example.com domain', 'example.com domain'],
    ],
    [
      'url',
      'http://example.com./',
      ['http://example.com./ file-data', 'http://example.com. file-data', 'example.com domain'],
    ],
    ['url', 'http://ann@198.51.100.7:8080/x', ['http://ann@198.51.100.7:8080/x file-data', '198.51.100.7 ip']],
    [
      'url',
      'http://0xc6336407/',
      ['http://198.51.100.7/ file-data', 'http://198.51.100.7 file-data', '198.51.100.7 ip'],
    ],
    ['url', 'http://[2001:db8::1]:8080/x', ['http://[2001:db8::1]:8080/x file-data', '2001:db8::1 ip']],
    ['url', 'http://[::ffff:198.51.100.7]/x', ['http://[::ffff:c633:6407]/x file-data', '198.51.100.7 ip']],
    [
      'url',
      'http://example.com\\@evil.example/',
      ['http://example.com\\@evil.example/ file-data', 'example.com domain'],
    ],
    ['url', 'http://intranet/x', ['http://intranet/x file-data']],
    ['url', 'http://example.com../', []],
    ['url', 'http://10.0.0.1/x', ['http://10.0.0.1/x file-data']],
    ['url', 'http://[fe80::1]/x', ['http://[fe80::1]/x file-data']],
  ])('of %s %s is looked up with its parents', (field, raw, expected) => {
    expect(looked(field, raw)).toEqual(expected)
  })

  test('of a URL has the host or the address that it points at', () => {
    expect(subjectOf('url', 'http://www.example.com./x')).toMatchObject({ host: 'www.example.com', address: null })
    expect(subjectOf('url', 'http://198.51.100.7/x')).toMatchObject({ host: null, address: '198.51.100.7' })
    expect(subjectOf('url', 'http://10.0.0.1/x')).toMatchObject({ host: null, address: null })
  })

  test.each<[FieldName, string]>([
    ...(['10.0.0.1', '172.16.0.1', '192.168.1.1', '127.0.0.1', '169.254.1.1', '224.0.0.1', '0.0.0.0'] as const).map(
      (address): [FieldName, string] => ['dst', address],
    ),
    ...(['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'ff02::fb', '::ffff:10.0.0.1'] as const).map(
      (address): [FieldName, string] => ['src', address],
    ),
    ['query', ''],
    ['query', 'localhost'],
    ['query', '.'],
    ['query', '*.example.com'],
    ['query', 'a..example.com'],
    ['query', 'a b.example.com'],
    ['query', '010.0.0.1'],
    ['query', '198.51.100.7.'],
    ['query', '198.51.100.7:53'],
    ['query', `${'a.'.repeat(126)}com`],
    ['query', `${'a'.repeat(64)}.example.com`],
    ['query', '__proto__'],
    ['url', 'example.com/x'],
    ['url', 'http:///'],
    ['url', 'http://example.com/\n'.repeat(2)],
    ['url', 'mailto:a@example.com'],
    ['url', 'http://example.com/\ud800'],
    ['email', 'example.com'],
    ['email', `a@${'a.'.repeat(500)}com`],
    ['md5', 'a'.repeat(31)],
    ['sha1', 'g'.repeat(40)],
    ['sha256', 'a'.repeat(40)],
    ['ja3', '-'],
  ])('is none: %s %j', (field, raw) => {
    expect(subjectOf(field, raw)).toBeNull()
  })

  test('of the name with most labels has as many look-ups', () => {
    expect(subjectOf('query', `${'a.'.repeat(125)}com`)?.lookups).toHaveLength(125)
  })

  test.each<[FieldName, string]>([
    ['query', ' WWW.Example.com. '],
    ['query', '2001:DB8::1'],
    ['url', ' HTTP://Example.com:80/a '],
    ['email', ' A@Example.com '],
    ['md5', 'A'.repeat(32)],
  ])('looks %s %s up as indicators are written', (field, raw) => {
    const [{ value, types }] = subjectOf(field, raw)!.lookups as [{ value: string; types: string[] }]
    for (const type of types) expect([type, normalise(type, raw)]).toEqual([type, value])
  })
})

test.each([
  ['a.b.example.com', 'example.com'],
  ['a.example.co.uk', 'example.co.uk'],
  ['a.b.github.io', 'github.io'],
  ['co.uk', null],
  ['com', null],
  ['a.b.internal', 'b.internal'],
])('the registrable domain of %s', (name, registrable) => {
  expect(registrableOf(name)).toBe(registrable)
})
