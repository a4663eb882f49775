import { expect, test } from 'vitest'
import { bodyOfLine, NOT_RECOGNISED } from '../../../../../../../console/src/pages/report/bulk/body.ts'
import { MAX_LINES, parseInput } from '../../../../../../../console/src/pages/report/bulk/read.ts'
import { typedValueOf } from '../../../../../../../console/src/pages/report/bulk/typed-value.ts'

const CLAIM = { reputation: -2, tags: ['all'], visibleBy: [], correlate: [] }
const bodies = (text: string, type: string | null = null, claim = CLAIM) =>
  parseInput(text).rows.map((row) => bodyOfLine(row, type, claim))

const types: [text: string, type: string | null, value?: string][] = [
  ['198[.]51[.]100[.]7', 'ip', '198.51.100.7'],
  ['evil.example', 'domain', 'evil.example'],
  ['www.evil.co.uk', 'hostname', 'www.evil.co.uk'],
  ['evil.co.uk', 'domain', 'evil.co.uk'],
  ['hxxps://evil[.]example/a', 'url', 'https://evil.example/a'],
  ['D41D8CD98F00B204E9800998ECF8427E', 'md5', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a@evil.example', 'email-address', 'a@evil.example'],
  ['AS64500', 'asn', '64500'],
  ['some words', null],
]
for (const [text, type, value] of types)
  test(`${text} is ${type ?? 'nothing that is known'}`, () =>
    expect(typedValueOf(text)).toEqual(type === null ? null : { type, value }))

test('plain lines: comments and blank lines are left out, numbers of lines are those of the file', () => {
  const { format, rows, cut } = parseInput('# mine\n\n198.51.100.7\r\nwhat is this\n')
  expect([format, cut, rows.map(({ line }) => line)]).toEqual(['lines', 0, [3, 4]])
  expect(rows.map((row) => bodyOfLine(row, null, CLAIM))).toEqual([
    { type: 'ip', attributes: { ip: '198.51.100.7' }, reputation: -2, tags: ['all'] },
    NOT_RECOGNISED,
  ])
})

test('one type for all takes what was recognised as that type, else the line as it is', () => {
  expect(bodies('evil[.]example\nmirai', 'domain', { ...CLAIM, reputation: null as never, tags: [] })).toEqual([
    { type: 'domain', attributes: { domain: 'evil.example' } },
    { type: 'domain', attributes: { domain: 'mirai' } },
  ])
})

test('CSV: the header names values, types, tags and attributes; a quoted cell may hold the delimiter', () => {
  const text =
    'value,type,tags,reputation,link\n"198.51.100.7",,"a b",-3,\nmirai,malware,,,"http://x.example/a,b"\n,,,,\n'
  expect(parseInput(text).format).toBe('csv')
  expect(bodies(text)).toEqual([
    { type: 'ip', attributes: { ip: '198.51.100.7' }, reputation: -3, tags: ['a', 'b'] },
    { type: 'malware', attributes: { malware: 'mirai', link: 'http://x.example/a,b' }, reputation: -2, tags: ['all'] },
    'The line has no value.',
  ])
})

test('CSV with columns named as types, by semicolons', () => {
  expect(bodies('domain;whois-registrar\nevil.example;ACME\n')).toEqual([
    { type: 'domain', attributes: { domain: 'evil.example', 'whois-registrar': 'ACME' }, ...CLAIMED },
  ])
})
const CLAIMED = { reputation: -2, tags: ['all'] }

test('JSON lines: as the API has them, or with a bare value; what a line says counts more', () => {
  const lines = [
    { type: 'ip', attributes: { ip: '198.51.100.7', cidr: '198.51.100.0/24' }, reputation: 1 },
    { value: 'evil.example' },
    { type: 'ip' },
  ].map((line) => JSON.stringify(line))
  expect(parseInput(lines.join('\n')).format).toBe('jsonl')
  expect(bodies([...lines, '{"a":', '[1]'].join('\n'))).toEqual([
    { type: 'ip', attributes: { ip: '198.51.100.7', cidr: '198.51.100.0/24' }, reputation: 1, tags: ['all'] },
    { type: 'domain', attributes: { domain: 'evil.example' }, ...CLAIMED },
    expect.stringMatching(/^No value/),
    expect.stringMatching(/^Not valid JSON/),
    expect.stringMatching(/^Not a JSON object/),
  ])
})

test('the reader takes no more lines than its bound, and counts those that it leaves out', () => {
  const ip = (n: number) => `198.51.${n >> 8}.${n & 255}`
  const lines = Array.from({ length: MAX_LINES + 5 }, (_, n) => ip(n))
  expect(parseInput(lines.join('\n'))).toMatchObject({ cut: 5, rows: { length: MAX_LINES } })
  expect(parseInput(`value,tags\n${lines.map((line) => `${line},x`).join('\n')}\n`)).toMatchObject({
    format: 'csv',
    cut: 5,
    rows: { length: MAX_LINES },
  })
})

test('a text gives its indicators with their lines; each line as one value is there too', () => {
  const text = 'From: a\n198.51.100.7 - - "GET /a HTTP/1.1"\nagain 198.51.100.7, hxxp://evil[.]example/a, 10.0.0.1'
  const { format, rows, left, asLines } = parseInput(text)
  expect([format, left]).toEqual(['text', ['1 address that is not public']])
  expect(rows.map(({ line, text, within }) => [line, text, within?.slice(0, 7)])).toEqual([
    [2, '198.51.100.7', '198.51.'],
    [3, 'http://evil.example/a', 'again 1'],
    [3, 'evil.example', 'again 1'],
  ])
  expect(bodies(text)[1]).toEqual({
    type: 'url',
    attributes: { url: 'http://evil.example/a' },
    reputation: -2,
    tags: ['all'],
  })
  expect([asLines?.format, asLines?.rows.map(({ line }) => line)]).toEqual(['lines', [1, 2, 3]])
})

test('JSON lines that are no reports are a text', () => {
  const { format, rows } = parseInput('{"src":"198.51.100.7"}\n{"msg":"to evil.example"}')
  expect([format, rows.map(({ text }) => text)]).toEqual(['text', ['198.51.100.7', 'evil.example']])
  expect(parseInput('{"value":"evil.example","note":"http://a.example/"}\n{"a":1}').format).toBe('jsonl')
})
