import { expect, test } from 'vitest'
import { isBinary, isHttp } from '../../../../../edge/protocols/bytes/foreign.ts'
import { isWord, numberOf, shown, textOf } from '../../../../../edge/protocols/bytes/read.ts'

const whole = <T>(read: (bytes: Buffer, start: number, end: number) => T, text: string | number[]): T => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text)
  // What stands around it is not read.
  return read(Buffer.concat([Buffer.from('9a'), bytes, Buffer.from('9a')]), 2, 2 + bytes.length)
}

test.each([
  ['0', 0],
  ['007', 7],
  ['9999999999', 9_999_999_999],
  ['', -1],
  ['12345678901', -1],
  ['-1', -1],
  ['+1', -1],
  ['1.5', -1],
  [' 1', -1],
  ['1x', -1],
])('the number of %j is %i', (text, number) => {
  expect(whole(numberOf, text)).toBe(number)
})

test('text is UTF-8, or it is none', () => {
  expect(whole(textOf, 'a')).toBe('a')
  expect(whole(textOf, '')).toBe('')
  expect(whole(textOf, 'bücher€𐍈')).toBe('bücher€𐍈')
  for (const bytes of [[0xff], [0xc3], [0x61, 0xed, 0xa0, 0x80], [0xc0, 0x80]]) expect(whole(textOf, bytes)).toBeNull()
})

test('a word is read in any letter case, and no other byte is taken for a letter', () => {
  const is = (text: string, word: string) => whole((...place) => isWord(...place, word), text)
  expect([is('GeT', 'get'), is('get', 'get'), is('gets', 'get'), is('ge', 'get'), is('', '')]).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
  // `@` and the backquote, `[` and `{`: 32 apart, as letters are.
  expect([is('@', '`'), is('[', '{'), is('no_auth', 'no_auth')]).toEqual([false, false, true])
})

test('what is shown of a request is printable, short and has no quote', () => {
  expect(whole(shown, 'a\r\n\'b"\x7fé')).toBe('a???b"???')
  expect(whole(shown, 'x'.repeat(1_000))).toHaveLength(64)
})

test.each([
  ['GET / HTTP/1.1', true],
  ['POST /a HTTP/1.0', true],
  ['PRI * HTTP/2.0', true],
  ['GET / HTTP/3', true],
  ['Host: x', true],
  ['HOST:x', true],
  ['get HTTP/1.1', true],
  ['GET http://x.example/HTTP/1.1', false],
  ['get HTTP/1.1 x', false],
  ['hosts: x', false],
  ['', false],
])('%j is a line of HTTP: %s', (line, is) => {
  expect(whole(isHttp, line)).toBe(is)
})

test('a request of text begins with a byte that can be typed', () => {
  expect([...'g*\r\n \t"'].map((letter) => isBinary(letter.charCodeAt(0)))).toEqual(Array(7).fill(false))
  expect([0x00, 0x16, 0x7f, 0x80, 0x81, 0xff].map(isBinary)).toEqual(Array(6).fill(true))
})
