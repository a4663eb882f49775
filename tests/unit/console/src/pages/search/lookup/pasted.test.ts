import { expect, test } from 'vitest'
import { lookupBodies, readPasted } from '../../../../../../../console/src/pages/search/lookup/pasted.ts'

const cases: [name: string, given: string, want: unknown][] = [
  ['one value', ' 198.51.100.7\n', { one: '198.51.100.7' }],
  ['nothing', ' \n ', { one: '' }],
  ['words stay together', 'a botnet of cameras', { one: 'a botnet of cameras' }],
  ['lines', '198.51.100.7\r\nevil.example', ['198.51.100.7', 'evil.example']],
  [
    'indicators beside each other',
    '198.51.100.7, evil.example;1[.]2[.]3[.]4',
    ['198.51.100.7', 'evil.example', '1[.]2[.]3[.]4'],
  ],
  ['quotes and commas of a list', '"198.51.100.7",\n\'evil.example\';\n', ['198.51.100.7', 'evil.example']],
  ['the same on all lines', 'evil.example\nevil.example', { one: 'evil.example' }],
]

const found = (given: string) => {
  const read = readPasted(given)
  return 'extraction' in read ? read.extraction.indicators.map(({ value, lines }) => [value, lines[0]]) : read
}
const texts: [name: string, given: string, want: unknown][] = [
  ['a line of a log', 'Failed password for root from 203.0.113.9 port 22', [['203.0.113.9', 1]]],
  [
    'lines of a log',
    'from 203.0.113.9\nnothing\nhost=evil[.]example',
    [
      ['203.0.113.9', 1],
      ['evil.example', 3],
    ],
  ],
  [
    'a list with a remark',
    'evil.example # seen\n198.51.100.7',
    [
      ['evil.example', 1],
      ['198.51.100.7', 2],
    ],
  ],
  [
    'a line that begins with a URL',
    'http://evil.example/a was seen',
    [
      ['http://evil.example/a', 1],
      ['evil.example', 1],
    ],
  ],
  [
    'a list of values and names stays a list',
    'mirai\nevil.example\nlazarus group',
    { values: ['mirai', 'evil.example', 'lazarus group'], left: expect.anything() },
  ],
]
for (const [name, given, want] of texts) test(`pasted text: ${name}`, () => expect(found(given)).toEqual(want))

for (const [name, given, want] of cases)
  test(`pasted: ${name}`, () =>
    expect(readPasted(given)).toEqual(Array.isArray(want) ? { values: want, left: expect.anything() } : want))

test('what is left out is counted', () => {
  const lines = Array.from({ length: 10_005 }, (_, i) => `host-${i}.example`)
  const found = readPasted([...lines, 'host-1.example', 'x'.repeat(3_000)].join('\n'))
  expect('values' in found && found.values.length).toBe(10_000)
  expect('left' in found && found.left).toEqual({ repeated: 1, tooLong: 1, tooMany: 5 })
})

test('bodies stay below the bound of the platform and lose nothing', () => {
  const values = Array.from({ length: 2_000 }, (_, i) => `${'é"'.repeat(400)}${i}`)
  const sent = lookupBodies(values)
  expect(sent.length).toBeGreaterThan(1)
  for (const body of sent) expect(Buffer.byteLength(JSON.stringify({ values: body }))).toBeLessThan(1024 * 1024)
  expect(sent.flat()).toEqual(values)
})
