import fc from 'fast-check'
import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import type { SelectorView } from '../../../../schemas/intelligence/selectors/selector.ts'
import { NOW } from '../observation.ts'
import { view } from './view.ts'

/*
 * Views and selectors at random: few enough values to meet each other, spelled in the ways that people and programs
 * spell them, with the pairs that a careless comparison takes for one another.
 */

const DAY = 86_400_000

export const VALUES: Readonly<Record<string, readonly string[]>> = {
  ip: [
    '8.8.8.8',
    '9.9.9.9',
    '198.51.100.1',
    '198.51.100.255',
    '2001:db8::1',
    '2001:db8:0:1::',
    '2606:4700::1111',
    '255.255.255.254',
  ],
  cidr: [
    '198.51.100.0/24',
    '198.51.100.0/25',
    '198.51.0.0/16',
    '2001:db8::/32',
    '2001:db8::/48',
    '8.8.8.8/32',
    '8.0.0.0/8',
  ],
  domain: [
    'example.com',
    'badexample.com',
    'a.example.com',
    'bücher.example',
    'example.com.evil.net',
    'EXAMPLE.org',
    'com.example',
  ],
  hostname: ['a.b.example.com', 'example.com', 'mail.xn--bcher-kva.example', 'x.badexample.com'],
  url: [
    ...[
      'https://example.com',
      'http://example.com./a',
      'https://a.example.com:8443/Path?q=1#f',
      'http://badexample.com/',
    ],
    ...[
      'http://evil.net\\@example.com/',
      'http://user@example.com@evil.net/',
      'ftp://u:p@sub.example.com/x',
      'gopher://example.com/1',
    ],
    ...[
      'http://evil.net/example.com',
      'http://evil.net#@example.com',
      'http://evil.net?.example.com',
      'http://[2001:db8::1]/example.com',
    ],
    ...['ssh://us\\er@example.com/x', 'http://8.8.8.8/', 'https://bücher.example/ü', 'HTTP://EXAMPLE.COM/A'],
  ],
  'email-address': [
    'someone@example.com',
    'x@a.example.com',
    'example.com@evil.net',
    'a.example.com@badexample.com',
    'Ü@bücher.example',
  ],
  text: [
    'Example.com',
    '日本語',
    '8.8.8.8',
    '198.51.100.0/24',
    'a%b_c',
    "it's \\ {p0:String}",
    'France',
    '\u{1f600} smile',
  ],
  command: ['PowerShell -enc AAA', 'powershell -enc aaa', 'http://Example.com/Abc'],
  country: ['France', 'fr', 'Kenya'],
  port: ['443/tcp', '53/UDP'],
  'mac-address': ['00:1b:44:11:3a:b7'],
  md5: ['D41D8CD98F00B204E9800998ECF8427E'],
  'mime-type': ['Text/HTML'],
}
export const TYPES = Object.keys(VALUES)
export const TAGS = ['apt', 'bot', 'mirai', 'über', 'x-ray', '\u{1f600}', 'zz top']
export const COUNTRIES = ['France', 'Kenya', 'Peru']
export const ASNS = [15_169, 64_500, 4_294_967_295]
const SUFFIXES = ['example.com', 'EXAMPLE.COM.', 'com', 'bücher.example', 'evil.net', 'a.example.com', 'example', 'net']
const NETWORKS = [
  ...[
    '0.0.0.0/0',
    '::/0',
    '198.51.100.0/24',
    '198.51.100.7/25',
    '198.51.100.1/32',
    '10.0.0.0/8',
    '8.0.0.0/7',
    '128.0.0.0/1',
  ],
  ...['2001:db8::/32', '2001:DB8:0:1::/64', '2001:db8::1/128', '2000::/3', '::ffff:198.51.100.0/120', '8000::/1'],
]

/** The entity of a value as it is spelled. */
export function normalForm(type: string, raw: string): { type: string; value: string } {
  const value = normalise(type, raw)
  if (typeof value !== 'string') throw new Error(`${type} ${raw} ${value.reason}`)
  return { type, value }
}

/** Any type with one of its values in normal form. */
export const typedValue = fc
  .constantFrom(...TYPES)
  .chain((type) => fc.constantFrom(...VALUES[type]!).map((raw) => normalForm(type, raw)))

export const views: fc.Arbitrary<SelectorView> = fc
  .record({
    entity: typedValue,
    reputation: fc.integer({ min: -3, max: 3 }),
    accuracy: fc.integer({ min: 0, max: 3 }),
    tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
    wellKnown: fc.constantFrom(false, false, false, true),
    covered: fc.constantFrom(false, false, false, true),
    country: fc.constantFrom('', ...COUNTRIES),
    asn: fc.constantFrom(0, ...ASNS),
    ago: fc.constantFrom(0, 3_600_000, DAY - 1, DAY, DAY + 1, 7 * DAY, 400 * DAY),
    retracted: fc.constantFrom(false, false, false, false, true),
  })
  .map(({ entity, ago, ...given }) => view({ ...entity, ...given, lastSeen: NOW - ago }))

const some = <T>(list: readonly T[], maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...list), { minLength: 1, maxLength })
const oneOrSome = <T>(list: readonly T[]) => fc.oneof(fc.constantFrom(...list), some(list))
const bounds = (min: number, max: number) =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.constantFrom('gte', 'lte', 'both'))
    .map(([a, b, which]) =>
      which === 'gte' ? { gte: a } : which === 'lte' ? { lte: b } : { gte: Math.min(a, b), lte: Math.max(a, b) },
    )

const anyValue = fc
  .constantFrom(...TYPES)
  .chain((type) => fc.constantFrom(...VALUES[type]!))
  .chain((value) => fc.constantFrom(value, value.toUpperCase(), ` ${value}\t`))
const begin = fc.tuple(anyValue, fc.nat(30)).map(([text, n]) => [...text.trim()].slice(0, n + 1).join(''))
const nonEmpty = (given: object): boolean => Object.keys(given).length > 0
const partly = <T extends object>(parts: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(parts, { requiredKeys: [] }).filter(nonEmpty)

/** Bodies that hold for a fair share of the views: at most three parts. */
export const selectorBodies: fc.Arbitrary<Record<string, unknown>> = fc
  .record({
    types: some(TYPES, 5),
    reputation: bounds(-3, 3),
    accuracy: bounds(0, 3),
    tags: fc.oneof(
      some(TAGS).map((any) => ({ any })),
      some(TAGS, 2).map((all) => ({ all })),
      some(TAGS).map((none) => ({ none })),
      fc.tuple(some(TAGS.slice(0, 4)), some(TAGS.slice(4))).map(([any, none]) => ({ any, none })),
    ),
    value: partly({
      in: fc.uniqueArray(anyValue, { minLength: 1, maxLength: 20 }),
      prefix: begin,
      suffix: fc.constantFrom(...SUFFIXES),
    }),
    cidr: oneOrSome(NETWORKS),
    country: oneOrSome([...COUNTRIES, 'fr']),
    asn: oneOrSome<number | string>([...ASNS, 'AS15169', '64500']),
    seenWithin: fc.constantFrom('1h', '24h', '1d', '7d', '3650d'),
    wellKnown: fc.constantFrom<unknown>(true, false, 'any', 'any'),
  })
  .chain((all) => fc.subarray(Object.entries(all), { maxLength: 4 }))
  .map((entries) => Object.fromEntries(entries))
  .filter((body) => Object.keys((body.value as object | undefined) ?? {}).length < 3)
