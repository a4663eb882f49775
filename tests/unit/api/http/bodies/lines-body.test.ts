import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { bodyRoom } from '../../../../../api/http/bodies/body-room.ts'
import { eachLine, NDJSON, readLines } from '../../../../../api/http/bodies/lines-body.ts'

const request = (body: string | Buffer, headers: Record<string, string> = {}): IncomingMessage =>
  Object.assign(Readable.from([Buffer.from(body)]), {
    headers: { 'content-type': NDJSON, 'transfer-encoding': 'chunked', ...headers },
    complete: true,
  }) as unknown as IncomingMessage

const found = (text: string) => {
  const lines: [number, string][] = []
  const bytes = Buffer.from(text)
  eachLine(bytes, (line, start, end) => lines.push([line, bytes.toString('utf8', start, end)]) > 0)
  return lines
}

const cases: { name: string; text: string; lines: [number, string][] }[] = [
  { name: 'nothing', text: '', lines: [] },
  { name: 'one line without an end', text: 'a', lines: [[1, 'a']] },
  { name: 'one line with an end', text: 'a\n', lines: [[1, 'a']] },
  {
    name: 'blank lines, which keep their number',
    text: '\n \t\r\na\n\n\r\nb',
    lines: [
      [3, 'a'],
      [6, 'b'],
    ],
  },
  {
    name: 'carriage returns',
    text: 'a\r\nb\r\n',
    lines: [
      [1, 'a\r'],
      [2, 'b\r'],
    ],
  },
]
for (const { name, text, lines } of cases) test(`lines: ${name}`, () => expect(found(text)).toEqual(lines))

const BOUNDS = { maxBytes: 10, maxLines: 3 }

const sender = { name: 'a', anonymous: false }
const read = (given: IncomingMessage, held = bodyRoom().of(sender)) => readLines(given, held, BOUNDS)

test('lines that are not blank are counted', async () => {
  const lines = await read(request('a\n\n \nb'))
  expect(lines).toEqual({ bytes: Buffer.from('a\n\n \nb'), count: 2 })
})

const refusals: { name: string; given: IncomingMessage; code: string; status: number }[] = [
  { name: 'no body', given: request('', { 'content-length': '0' }), code: 'malformed_json', status: 400 },
  {
    name: 'JSON',
    given: request('a', { 'content-type': 'application/json' }),
    code: 'unsupported_media_type',
    status: 415,
  },
  {
    name: 'a coding',
    given: request('a', { 'content-encoding': 'gzip' }),
    code: 'unsupported_media_type',
    status: 415,
  },
  { name: 'a byte too many', given: request('12345678901'), code: 'body_too_large', status: 413 },
  { name: 'a line too many', given: request('1\n2\n3\n4'), code: 'body_too_large', status: 413 },
]
for (const { name, given, code, status } of refusals)
  test(`${name} is refused`, async () => expect(read(given)).rejects.toMatchObject({ code, status }))

test('a reading that was stopped goes on after the line', () => {
  const bytes = Buffer.from('a\n\nb\nc')
  const seen: number[] = []
  const place = eachLine(bytes, (line) => seen.push(line) < 2)
  expect(place).toEqual({ line: 4, at: 5 })
  expect(eachLine(bytes, (line) => seen.push(line) > 0, place!)).toBeNull()
  expect(seen).toEqual([1, 3, 4])
})

test('a body holds its room and that of its lines until it is answered, and none once it was refused', async () => {
  const room = bodyRoom({ all: 2_000, user: 1_000, anonymous: 0, block: 0 })
  const first = room.of(sender)
  await read(request('1\n2\n3\n   '), first)
  expect(first.held).toBe(9 + 3 * 256)
  await expect(read(request('1\n2'), room.of(sender))).rejects.toMatchObject({ status: 429 })
  for (let i = 0; i < 20; i++)
    await expect(read(request('1\n2\n3\n4'), room.of(sender))).rejects.toMatchObject({ status: 413 })
  first.release()
  await expect(read(request('1\n2'), room.of(sender))).resolves.toMatchObject({ count: 2 })
})
