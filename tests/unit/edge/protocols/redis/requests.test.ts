import { expect, test } from 'vitest'
import {
  createRequests,
  MAX_ARGUMENTS,
  MAX_INLINE_BYTES,
  MAX_REQUEST_BYTES,
} from '../../../../../edge/protocols/redis/requests.ts'
import { resp } from '../../../../builders/edge/conversation.ts'

/** The requests in bytes, and what comes after them. */
function read(sent: string | Buffer, piece = 0) {
  const requests = createRequests()
  const bytes = Buffer.from(sent)
  const found: string[][] = []
  let last: unknown = 'wait'
  for (let i = 0; i < bytes.length && last === 'wait'; i += piece || bytes.length) {
    requests.push(Buffer.from(bytes.subarray(i, i + (piece || bytes.length))))
    for (last = requests.next(true); last === 'request'; last = requests.next(true)) {
      const { request } = requests
      found.push(
        Array.from({ length: request.count }, (_, k) =>
          request.bytes.toString('latin1', request.starts[k], request.ends[k]),
        ),
      )
    }
    requests.settle(false)
  }
  return { found, last, held: requests.held() }
}

const both = (sent: string | Buffer) => {
  const whole = read(sent)
  expect(read(sent, 1)).toMatchObject({ found: whole.found, last: whole.last })
  return whole
}

const refusal = (why: string) => ({ refusal: `ERR Protocol error: ${why}` })

test('arrays and lines are requests, in pieces of any size', () => {
  const sent = Buffer.concat([resp('GET', 'a\r\nb'), Buffer.from('get  b \r\nPING\n'), resp('', '')])
  expect(both(sent)).toMatchObject({ found: [['GET', 'a\r\nb'], ['get', 'b'], ['PING'], ['', '']], last: 'wait' })
})

test('an empty array and an empty line are requests without a word', () => {
  expect(both('*0\r\n*-1\r\n\r\nPING\r\n').found).toEqual([[], [], [], ['PING']])
})

test.each([
  ['*x\r\n', 'invalid multibulk length'],
  ['*\r\n', 'invalid multibulk length'],
  ['*1\rx', 'invalid multibulk length'],
  ['*12345678901\r\n', 'invalid multibulk length'],
  [`*${MAX_ARGUMENTS + 1}\r\n`, 'invalid multibulk length'],
  ['*1\r\nPING\r\n', "expected '$'"],
  ['*1\r\n$-1\r\n', 'invalid bulk length'],
  [`*1\r\n$${MAX_REQUEST_BYTES}\r\n`, 'invalid bulk length'],
  ['*1\r\n$99999999999\r\n', 'invalid bulk length'],
  ['*2\r\n$3\r\nGETx\r\n', 'a bulk is longer than its length'],
  ['*1\r\n$3\r\nGE\r\nPING\r\n', 'a bulk is longer than its length'],
  ['get "a\r\n', 'unbalanced quotes in request'],
  ['get "a"b\r\n', 'unbalanced quotes in request'],
  ['\x16\x03\x01\r\n', 'not a request'],
  ['\x80GET\r\n', 'not a request'],
])('%j is no request', (sent, why) => {
  expect(both(sent).last).toEqual(refusal(why))
})

test('a line has a bound, whether its end came or not', () => {
  const fits = `ping ${'x'.repeat(MAX_INLINE_BYTES - 6)}\n`
  expect(read(fits, 1_000).found).toHaveLength(1)
  for (const sent of [`ping ${'x'.repeat(MAX_INLINE_BYTES)}\n`, 'x'.repeat(MAX_INLINE_BYTES)])
    for (const piece of [0, 1_000]) expect(read(sent, piece).last).toEqual(refusal('too long a line'))
})

test('an array has a bound over all of its arguments', () => {
  const half = 'x'.repeat(MAX_REQUEST_BYTES / 2 - 20)
  expect(read(resp(half, half), 65_536).found).toHaveLength(1)
  expect(read(resp(half, half, 'x'.repeat(100)), 65_536).last).toEqual(refusal('invalid bulk length'))
})

test('quotes are read as redis-cli writes them', () => {
  const sent = String.raw`echo "a \"b\" \x41\n" 'c "d" \' e' "" f\g`
  expect(both(`${sent}\r\n`).found).toEqual([['echo', 'a "b" A\n', `c "d" ' e`, '', String.raw`f\g`]])
  expect(both(`get "\\xc3\\xbc" "\\"\r\n`).last).toEqual(refusal('unbalanced quotes in request'))
})

test('what is kept is little once everything was read, and one request at the most before', () => {
  const requests = createRequests()
  requests.push(Buffer.concat([resp('GET', 'x'.repeat(60_000)), Buffer.from('*2\r\n$3\r\nGE')]))
  expect(requests.next(true)).toBe('request')
  expect(requests.next(true)).toBe('wait')
  requests.settle(false)
  expect(requests.held()).toBeLessThan(1_000)
  requests.push(Buffer.from('T\r\n$1\r\na\r\n'))
  expect(requests.next(true)).toBe('request')
  requests.settle(false)
  expect(requests.held()).toBe(0)
})
