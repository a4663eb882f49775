import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redisSession } from '../../../../../edge/protocols/redis/redis-session.ts'
import { bulk, resp, says } from '../../../../builders/edge/conversation.ts'
import { listOf, verdictOf } from '../../../../builders/edge/list.ts'
import { almost, paces, saysInPieces } from '../../../../builders/edge/pieces.ts'

const LISTED = ['203.0.113.9', 'bücher.example', '']
const open = (secret: string | null = null) => redisSession(listOf(LISTED), { secret, version: '0.3.0' })

const PARTS = [
  ...[
    '\r\n',
    '\n',
    '\r',
    ' ',
    '"',
    "'",
    '\\x41',
    '*1\r\n',
    '*2\r\n',
    '*3\r\n',
    '*0\r\n',
    '*-1\r\n',
    '*',
    '$',
    '$-1\r\n',
  ],
  ...['$3\r\nGET\r\n', '$4\r\nMGET\r\n', '$6\r\nEXISTS\r\n', '$1\r\na\r\n', '$11\r\n203.0.113.9\r\n', '$0\r\n\r\n'],
  ...[
    '*2\r\n$3\r\nGET\r\n$11\r\n203.0.113.9\r\n',
    'get a\r\n',
    'mget a b c\r\n',
    'hello 3\r\n',
    'auth secret\r\n',
    'quit\r\n',
  ],
  ...[
    'info\r\n',
    'command\r\n',
    'echo "a"\r\n',
    'set a b\r\n',
    'POST / HTTP/1.1\r\n',
    'exists 203.0.113.9 a\r\n',
    '\xff\xfe',
  ],
]

test('any bytes have the same answer in any pieces and rounds', () => {
  fc.assert(
    fc.property(almost(PARTS), paces, fc.constantFrom(null, 'secret'), (bytes, pace, secret) => {
      const { bytes: answer, ended } = says(open(secret), bytes)
      expect(saysInPieces(open(secret), bytes, pace)).toMatchObject({ text: answer.toString('latin1'), ended })
    }),
    { numRuns: 2_000 },
  )
})

/** Requests with what each is answered; `nil` is what the protocol says. */
const requests = fc.oneof(
  fc.constantFrom(...LISTED).map((key) => [['GET', key], () => bulk(verdictOf(key))] as const),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .map((key) => [['get', key], (nil: string) => nil] as const),
  fc.array(fc.constantFrom('x', ...LISTED), { minLength: 1, maxLength: 5 }).map((keys) => {
    const reply = (nil: string) => keys.map((key) => (key === 'x' ? nil : bulk(verdictOf(key)))).join('')
    return [['MGET', ...keys], (nil: string) => `*${keys.length}\r\n${reply(nil)}`] as const
  }),
  fc.array(fc.constantFrom('x', ...LISTED), { minLength: 1, maxLength: 5 }).map((keys) => {
    return [['EXISTS', ...keys], () => `:${keys.filter((key) => key !== 'x').length}\r\n`] as const
  }),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => [['ECHO', text], () => bulk(text)] as const),
  fc.constant([['SET', 'a', 'GET b\r\n'], () => '-READONLY the list is read only\r\n'] as const),
  fc.constant([['NONE'], () => "-ERR unknown command 'NONE'\r\n"] as const),
)

test('every request of a pipeline has one reply, in the order of the requests', () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 30 }), paces, fc.boolean(), (list, pace, isResp3) => {
      const session = open()
      if (isResp3) says(session, 'HELLO 3\r\n')
      const nil = isResp3 ? '_\r\n' : '$-1\r\n'
      const said = saysInPieces(session, Buffer.concat(list.map(([words]) => resp(...words))), pace)
      expect(said.bytes.toString()).toBe(list.map(([, reply]) => reply(nil)).join(''))
      expect(said.ended).toBe(false)
    }),
    { numRuns: 500 },
  )
})
