import { expect, test } from 'vitest'
import { MAX_VALUE, readLine } from '../../../../../../api/intelligence/services/reputation/value-lines.ts'

const read = (line: string | Buffer) => readLine(Buffer.from(line))
const longest = 'a'.repeat(MAX_VALUE)

test.each<[string, string]>([
  ['"8.8.8.8"', '8.8.8.8'],
  ['  "8.8.8.8" \r', '8.8.8.8'],
  ['{"value":"8.8.8.8"}', '8.8.8.8'],
  ['\t{ "value" : "8.8.8.8" } \r', '8.8.8.8'],
  ['""', ''],
  ['"a\u2028b\u2029"', 'a\u2028b\u2029'],
  ['"\\u0430"', 'а'],
  ['"\\ud83d\\ude00"', '😀'],
  ['"\\u0000"', '\0'],
  [`"${longest}"`, longest],
  [`{"value":"${longest}"}`, longest],
  [`"${'😀'.repeat(MAX_VALUE)}"`, '😀'.repeat(MAX_VALUE)],
  ['{"value":"a","value":"b"}', 'b'],
])('line %$ names a value', (line, value) => {
  expect(read(line)).toEqual({ value })
})

test.each<[string | Buffer, string, string?]>([
  ['8.8.8.8', 'malformed_json'],
  ['"8.8.8.8', 'malformed_json'],
  ['"a" "b"', 'malformed_json'],
  ['{"value":"a"}{"value":"b"}', 'malformed_json'],
  ['\ufeff"a"', 'malformed_json'],
  [Buffer.from([0x22, 0xff, 0x22]), 'malformed_json'],
  [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'malformed_json'],
  ['null', 'invalid_parameter', 'value'],
  ['1', 'invalid_parameter', 'value'],
  ['true', 'invalid_parameter', 'value'],
  ['["8.8.8.8"]', 'invalid_parameter', 'value'],
  ['{}', 'invalid_parameter', 'value'],
  ['{"value":1}', 'invalid_parameter', 'value'],
  ['{"value":null}', 'invalid_parameter', 'value'],
  ['{"value":["a"]}', 'invalid_parameter', 'value'],
  ['{"values":["a"]}', 'invalid_parameter', 'value'],
  ['{"value":"a","type":"ip"}', 'invalid_parameter', 'type'],
  [`"${longest}b"`, 'invalid_parameter', 'value'],
  [`{"value":"${longest}b"}`, 'invalid_parameter', 'value'],
  [`"${'😀'.repeat(MAX_VALUE)}b"`, 'invalid_parameter', 'value'],
  ['"\\ud800"', 'invalid_parameter', 'value'],
  ['{"value":"\\udc00a"}', 'invalid_parameter', 'value'],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'invalid_parameter', 'value'],
  [`{"value":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'invalid_parameter', 'value'],
  ['{"__proto__":{"value":"a"}}', 'invalid_parameter', 'value'],
  ['{"value":"a","__proto__":{}}', 'invalid_parameter', '__proto__'],
])('line %$ names none', (line, code, param) => {
  const refused = read(line)
  expect(refused).toEqual({ error: { code, message: expect.stringMatching(/./), ...(param && { param }) } })
})

test('a line of several objects says that the line ends may be missing', () => {
  expect(read('{"value":"a"}{"value":"b"}')).toMatchObject({ error: { message: expect.stringContaining('line ends') } })
})
