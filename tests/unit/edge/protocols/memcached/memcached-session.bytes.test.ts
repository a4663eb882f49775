import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memcachedSession } from '../../../../../edge/protocols/memcached/memcached-session.ts'
import { says } from '../../../../builders/edge/conversation.ts'
import { listOf, verdictOf } from '../../../../builders/edge/list.ts'
import { almost, paces, saysInPieces } from '../../../../builders/edge/pieces.ts'

const LISTED = ['203.0.113.9', 'bücher.example']
const open = () => memcachedSession(listOf(LISTED), { version: '0.3.0', now: () => 0 })

const PARTS = [
  ...[
    '\r\n',
    '\n',
    '\r',
    ' ',
    'get',
    'gets ',
    'get a\r\n',
    'get 203.0.113.9 b\r\n',
    'mg 203.0.113.9',
    ' v',
    ' k',
    ' q',
    ' b',
  ],
  ...[
    'set k 0 0 5\r\n',
    'hello\r\n',
    'set k 0 0 2 noreply\r\n',
    'ab\r\n',
    'ms k 2\r\n',
    ' noreply\r\n',
    'cas a 0 0 1 1\r\n',
  ],
  ...[
    'delete k',
    'gat 0 k\r\n',
    'stats\r\n',
    'version\r\n',
    'mn\r\n',
    'quit\r\n',
    'verbosity 1',
    'x',
    ' 5',
    'set k 0 0 ',
  ],
  ...['POST / HTTP/1.1\r\n', 'mg x v O1\r\n', '\xff', 'touch k 1', '\x80'],
]

test('any bytes have the same answer in any pieces and rounds', () => {
  fc.assert(
    fc.property(almost(PARTS), paces, (bytes, pace) => {
      const { bytes: answer, ended } = says(open(), bytes)
      expect(saysInPieces(open(), bytes, pace)).toMatchObject({ text: answer.toString('latin1'), ended })
    }),
    { numRuns: 2_000 },
  )
})

const KEYS = ['x', ...LISTED]
const hit = (key: string, cas = ''): string => {
  const json = verdictOf(key)
  return key === 'x' ? '' : `VALUE ${key} 0 ${Buffer.byteLength(json)}${cas}\r\n${json}\r\n`
}
const stored = fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
/** Requests with what each is answered. */
const requests = fc.oneof(
  fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 6 }).map((keys) => {
    return [`get ${keys.join(' ')}\r\n`, `${keys.map((key) => hit(key)).join('')}END\r\n`] as const
  }),
  fc.constantFrom(...KEYS).map((key) => [`gets ${key}\r\n`, `${hit(key, ' 7')}END\r\n`] as const),
  fc.constantFrom(...KEYS).map((key) => [`mg ${key} k\r\n`, `${key === 'x' ? 'EN' : 'HD'} k${key}\r\n`] as const),
  fc.constant(['mg x v q\r\n', ''] as const),
  fc.constant(['mn\r\n', 'MN\r\n'] as const),
  fc.constant(['nothing at all\r\n', 'ERROR\r\n'] as const),
  fc.tuple(fc.constantFrom('set', 'add', 'append'), stored, fc.boolean()).map(([name, data, isSilent]) => {
    const line = `${name} k 0 0 ${Buffer.byteLength(data)}${isSilent ? ' noreply' : ''}\r\n${data}\r\n`
    return [line, isSilent ? '' : 'SERVER_ERROR read only\r\n'] as const
  }),
  fc.constant(['delete k noreply\r\n', ''] as const),
  fc.constant(['delete k\r\n', 'SERVER_ERROR read only\r\n'] as const),
)

test('every request of a pipeline has its reply or its silence, in the order of the requests', () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 30 }), paces, (list, pace) => {
      const said = saysInPieces(open(), Buffer.from(list.map(([line]) => line).join('')), pace)
      expect(said.bytes.toString()).toBe(list.map(([, reply]) => reply).join(''))
      expect(said.ended).toBe(false)
    }),
    { numRuns: 500 },
  )
})
