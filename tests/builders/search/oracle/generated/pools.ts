import fc from 'fast-check'

/** What records and requests are made of: few enough values to meet each other, and odd enough to differ. */

export const NOW = Date.UTC(2026, 10, 20, 10, 11, 12, 131)
const DAY = 86_400_000

export const GROUPS = [['public'], ['blue'], ['blue', 'red'], ['green', 'red']]
export const TYPES = ['ip', 'domain', 'text', 'command', 'port', 'asn', 'latitude', 'breach-date', 'last-analysis']
export const WORDS = [
  ...['mirai', 'Mirai', 'mira', 'cobalt', 'strike', 'Cobalt', 'bot', 'apt28', 'a', 'PowerShell', 'enc'],
  ...['ΟΔΟΣ', 'οδοσ', 'İstanbul', 'istanbul', 'straße', 'STRASSE', 'हिन्दी', '日本語', 'ǅ', 'ſtrike', '\u212aelvin'],
  ...['e\u0301te', '\u00e9te', '\u{1f600}', '\u{10400}x', '½', '²', '_', "o'Hara", 'x-ray', '100%', '42', '8.8.8.8'],
]
/** What may look like the syntax of a query string, a pattern or SQL. */
const ODD = [
  'a:b',
  '*',
  'a?',
  '\\',
  '\\n',
  '"',
  "'",
  '(',
  '{p0:String}',
  '/x/',
  '~1',
  '%',
  '--',
  '&&',
  'AND',
  '!',
  '^2',
]
export const TAGS = ['apt', 'bot', 'mirai', 'über', 'x-ray', '\u{1f600}', 'zz top']
export const COUNTRIES = ['France', 'Peru', 'Chad', 'Kenya']
export const MOMENTS = [
  ...[0, 0, 1, 2, 7, 30, 31, 90, 365, 400].map((days) => NOW - days * DAY),
  ...[
    '2026-11-16T00:00:00.000Z',
    '2026-11-15T23:59:59.999Z',
    '2026-01-01T00:00:00.000Z',
    '2025-12-31T23:59:59.999Z',
  ].map(Date.parse),
]
const DATES = [
  '1850-03-01',
  '1899-12-31',
  '1969-12-31',
  '1970-01-01',
  '2000-02-29',
  '2026-11-16',
  '2026-11-20',
  '2500-06-01',
]
/** Such as add up to the same in any order. */
const NUMBERS = ['0', '-1', '15169', '64500', '3', '-40']
const FLOATS = ['0', '-33.75', '0.25', '48.5', '-0.0625', '90']

const word = fc.constantFrom(...WORDS)
export const sentence = fc
  .array(fc.oneof({ weight: 6, arbitrary: word }, fc.constantFrom(...ODD)), { minLength: 1, maxLength: 5 })
  .chain((words) => fc.constantFrom(' ', ' ', ', ', '-', '\u00a0').map((between) => words.join(between)))
/** A word, a part of one, in another case, or one with a slip. */
export const wordLike = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.tuple(word, fc.nat(4)).map(([text, n]) => [...text].slice(0, n + 1).join('')),
  word.map((text) => text.toUpperCase()),
  word.map((text) => text.toLowerCase()),
  fc.tuple(word, fc.nat(5), fc.constantFrom('', 'x', 'é')).map(([text, at, by]) => {
    const points = [...text]
    points.splice(at % points.length, 1, by)
    return points.join('')
  }),
)

/** Raw values of an attribute or main value; not all of them have a normal form. */
export const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  ip: fc.constantFrom('8.8.8.8', '9.9.9.9', '198.51.100.1', '2001:DB8::1', '2001:db8::2'),
  domain: fc.constantFrom('mirai.example.com', 'Example.com', 'xn--bcher-kva.example', 'bücher.example'),
  text: sentence,
  aso: sentence,
  command: sentence,
  port: fc.constantFrom('80', '443', '8080', '0443'),
  country: fc.constantFrom(...COUNTRIES, 'fr'),
  asn: fc.constantFrom(...NUMBERS),
  latitude: fc.constantFrom(...FLOATS),
  'breach-date': fc.constantFrom(...DATES),
  'last-analysis': fc.constantFrom(...DATES.map((day) => `${day}T23:59:59.999Z`), '2026-11-16T02:00:00+05:00'),
}
export const ATTRIBUTES = Object.keys(VALUES)

export const NETWORKS = fc.constantFrom(
  ...[
    '8.8.8.0/24',
    '8.0.0.0/6',
    '0.0.0.0/0',
    '198.51.100.1/32',
    '10.0.0.0/8',
    '2001:DB8::/33',
    '::/0',
    '2001:db8::2/127',
  ],
)
/** What a main value may be said to be. */
export const MAIN = fc.oneof(VALUES.ip!, VALUES.domain!, VALUES.country!, sentence, NETWORKS)
export const SUFFIXES = fc.constantFrom(
  'example.com',
  'com',
  'EXAMPLE',
  'bücher.example',
  'mirai.example.com',
  'ample.com',
)

export const numberLike = fc.oneof(
  fc.constantFrom(...NUMBERS.map(Number), ...FLOATS.map(Number)),
  fc.integer({ min: -4, max: 4 }),
  fc.constantFrom<number | string>('1', '-2.5', 2.5, ' 3 ', '1e3', 1e300, '9007199254740993', -2.5e-7),
)

const step = fc.constantFrom(
  '+1d',
  '-1d',
  '-24h',
  '/d',
  '/w',
  '/M',
  '/y',
  '/H',
  '/m',
  '-3M',
  '+1y',
  '-1w',
  '-30m',
  '+90s',
)
const mathOf = (base: string) =>
  fc
    .array(step, { maxLength: 3 })
    .map((steps) => `${base}${steps.length > 0 && base !== 'now' ? '||' : ''}${steps.join('')}`)
export const dateLike = fc.oneof(
  mathOf('now'),
  fc.constantFrom(...DATES, '2026-11', '2026', '2024-02-29', '2026-11-20T10:11:12.131Z').chain(mathOf),
  fc.constantFrom('2026-11-16T02:00:00+02:00', '2026-11-16T00:00:00', '2026-11-16T00:00Z', '1999', `${NOW}`),
  fc.constantFrom<string | number>(...MOMENTS, 0, -1),
)
