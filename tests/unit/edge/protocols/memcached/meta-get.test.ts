import { expect, test } from 'vitest'
import { memcachedSession } from '../../../../../edge/protocols/memcached/memcached-session.ts'
import { says } from '../../../../builders/edge/conversation.ts'
import { listOf, verdictOf } from '../../../../builders/edge/list.ts'

const LISTED = '203.0.113.9'
const SIZE = verdictOf(LISTED).length
const DATA = `${verdictOf(LISTED)}\r\n`
const BASE64 = Buffer.from(LISTED).toString('base64')

test.each([
  [`mg ${LISTED}`, 'HD\r\n'],
  [`mg ${LISTED} v`, `VA ${SIZE}\r\n${DATA}`],
  [`mg ${LISTED} s v q`, `VA ${SIZE} s${SIZE}\r\n${DATA}`],
  [`mg ${LISTED} O123 k v t c f h l s`, `VA ${SIZE} O123 k${LISTED} t-1 c7 f0 h0 l0 s${SIZE}\r\n${DATA}`],
  [`mg ${LISTED} s t k Oabc`, `HD s${SIZE} t-1 k${LISTED} Oabc\r\n`],
  // The value that a client has is not sent again.
  [`mg ${LISTED} C7 v c`, 'HD c7\r\n'],
  [`mg ${LISTED} C6 v c`, `VA ${SIZE} c7\r\n${DATA}`],
  [`mg ${BASE64} b k v`, `VA ${SIZE} k${BASE64} b\r\n${DATA}`],
  [`mg ${BASE64} b`, 'HD\r\n'],
  // Hints, and what to do when a value is written.
  [`mg ${LISTED} Lroute Ppath u q E1 N30 R30 f`, 'HD f0\r\n'],
  ['mg x v', 'EN\r\n'],
  ['mg x s k v O9', 'EN kx O9\r\n'],
  ['mg x N30 v t', 'EN\r\n'],
  ['mg x v q', ''],
  ['mg eA== b k', 'EN keA== b\r\n'],
  ['mg', 'ERROR\r\n'],
  [`mg ${LISTED} T30 v`, 'SERVER_ERROR read only\r\n'],
  [`mg ${LISTED} v v`, 'CLIENT_ERROR duplicate flag\r\n'],
  [`mg ${LISTED} q @`, 'CLIENT_ERROR invalid flag\r\n'],
  [`mg ${LISTED} I q`, 'CLIENT_ERROR invalid flag\r\n'],
  [`mg ${LISTED} O${'x'.repeat(33)}`, 'CLIENT_ERROR opaque token too long\r\n'],
  [`mg ${LISTED} Cx v`, 'CLIENT_ERROR bad token in command line format\r\n'],
  ['mg x= b', 'CLIENT_ERROR error decoding key\r\n'],
  ['mg @@@@ b', 'CLIENT_ERROR error decoding key\r\n'],
  [`mg x ${'v '.repeat(40)}`, 'CLIENT_ERROR too many flags\r\n'],
])('%s is answered with %j', (line, reply) => {
  const session = memcachedSession(listOf([LISTED]), { version: '0' })
  expect(says(session, `${line}\r\nmn\r\n`).text).toBe(`${reply}MN\r\n`)
})

test('answers of a pipeline can be told apart by what the client gave them', () => {
  const session = memcachedSession(listOf([LISTED]), { version: '0' })
  const sent = `mg a q O1\r\nmg ${LISTED} q O2 v\r\nmg b q O3\r\nmn\r\n`
  expect(says(session, sent).text).toBe(`VA ${SIZE} O2\r\n${DATA}MN\r\n`)
})
